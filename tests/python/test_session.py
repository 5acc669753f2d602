"""Runs beside Python: its lock, signals, callbacks, threads and forked processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time

import numpy as np
import pytest

import dovetail


@pytest.fixture(scope="module")
def long_run() -> tuple[np.ndarray, np.ndarray]:
    """Two clouds and, with LONG, a run of many seconds."""
    rng = np.random.default_rng(3)
    return rng.random((20_000, 3)), rng.random((20_000, 3))


LONG = {"accuracy": 0.0, "sigma_start": 0.5, "sigma_end": 0.4, "annealing": 0.999, "starts": 1}


def test_ctrl_c_stops_a_run(long_run: tuple[np.ndarray, np.ndarray]) -> None:
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            dovetail.em_icp(*long_run, **LONG)
    finally:
        timer.cancel()
    assert dovetail.icp(long_run[0][:500], long_run[1][:500]).machine  # the next run is none the worse


def test_handlers_of_other_signals_run_and_may_raise(long_run: tuple[np.ndarray, np.ndarray]) -> None:
    class TimeIsUp(Exception):
        pass

    def handler(number: int, frame: object) -> None:
        assert threading.current_thread() is threading.main_thread()
        raise TimeIsUp

    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(TimeIsUp):
            dovetail.em_icp(*long_run, **LONG)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_callbacks_run_in_the_calling_thread(source: np.ndarray, target: np.ndarray) -> None:
    seen: list[dovetail.Iteration] = []
    threads = set()

    def look(iteration: dovetail.Iteration) -> None:
        seen.append(iteration)
        threads.add(threading.get_ident())

    result = dovetail.icp(source, target, on_iteration=look)
    assert threads == {threading.get_ident()}
    assert [i.iteration for i in seen] == [i.iteration for i in result.trace]
    np.testing.assert_array_equal(seen[-1].transform, result.trace[-1].transform)
    assert seen[0].rmse > 0 and "rmse" in repr(seen[0])


def test_false_stops_and_other_answers_do_not(source: np.ndarray, target: np.ndarray) -> None:
    calls = []
    stopped = dovetail.icp(source, target, on_iteration=lambda i: calls.append(i) or len(calls) < 3)
    assert len(calls) == 3
    assert stopped.termination == "stopped_by_callback"
    for answer in (None, True, 1):
        assert dovetail.icp(source, target, on_iteration=lambda i: answer).termination == "converged"


def test_an_exception_in_a_callback_goes_on_to_the_caller(source: np.ndarray, target: np.ndarray) -> None:
    for keyword in ("on_iteration", "on_progress"):
        calls = []

        def fail(iteration: dovetail.Iteration) -> None:
            calls.append(iteration)
            raise KeyError("from the callback")

        with pytest.raises(KeyError, match="from the callback"):
            dovetail.icp(source, target, **{keyword: fail})
        assert len(calls) == 1


def test_the_lock_is_released(long_run: tuple[np.ndarray, np.ndarray]) -> None:
    """Another thread goes on counting while the run is under way."""
    counts: list[int] = []
    done = threading.Event()

    def count() -> None:
        while not done.is_set():
            counts.append(len(counts))
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        before = len(counts)
        dovetail.em_icp(*long_run, **LONG, time_limit_ms=500)
        during = len(counts) - before
    finally:
        done.set()
        thread.join()
    assert during > 20  # of some 400; a run that holds the lock leaves one or two


def test_threads_run_at_once(source: np.ndarray, target: np.ndarray) -> None:
    wanted = dovetail.icp(source, target).transform
    workspace = dovetail.Workspace("cpu")
    found: list[np.ndarray] = []

    def run(shared: bool) -> None:
        for _ in range(3):
            extra = {"workspace": workspace} if shared else {}
            found.append(dovetail.icp(source, target, on_iteration=lambda i: None, **extra).transform)

    threads = [threading.Thread(target=run, args=(i % 2 == 0,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 18
    for transform in found:
        np.testing.assert_array_equal(transform, wanted)


def _in_child(source: np.ndarray, target: np.ndarray) -> dovetail.Registration:
    return dovetail.icp(source, target)


@pytest.mark.parametrize("how", ["fork", "spawn"])
def test_processes_run_and_send_results(how: str, source: np.ndarray, target: np.ndarray) -> None:
    wanted = dovetail.icp(source, target)  # the parent has run, so that a fork has threads to lose
    with multiprocessing.get_context(how).Pool(2) as pool:
        results = [pool.apply_async(_in_child, (source, target)) for _ in range(4)]
        for result in results:
            np.testing.assert_array_equal(result.get(timeout=300).transform, wanted.transform)


def test_a_time_limit_ends_a_run(long_run: tuple[np.ndarray, np.ndarray]) -> None:
    result = dovetail.em_icp(*long_run, **LONG, time_limit_ms=50)
    assert result.termination == "time_limit"
