// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <type_traits>

namespace dovetail::python {

/// A run of the library on a thread of its own, without Python's lock. The calling thread looks after Python meanwhile:
/// it calls the callbacks, so that they run where the caller expects them, and it looks at signals. Where either raises
/// an exception, the run is cancelled and the exception goes on to the caller once it has ended.
class Session {
 public:
  /// Set when the run has to stop.
  const std::atomic<bool>* cancel() const { return &cancel_; }

  /// For the run's threads: has f called by the thread that holds Python's lock, and waits for its answer. False where
  /// the run is to stop.
  bool in_python(const std::function<bool()>& f);

  /// What work() returns. Called once, with Python's lock held.
  template <class Work>
  auto run(Work&& work) {
    std::optional<std::invoke_result_t<Work>> result;
    run_until_done([&] { result.emplace(work()); });
    return std::move(*result);
  }

 private:
  void run_until_done(const std::function<void()>& work);
  void look_after_python();
  void call(const std::function<bool()>& question);

  std::atomic<bool> cancel_{false};
  std::mutex one_question_, mutex_;
  std::condition_variable changed_;
  const std::function<bool()>* question_ = nullptr;
  std::optional<bool> answer_;
  bool done_ = false;
  std::exception_ptr error_;         ///< of the run
  std::exception_ptr python_error_;  ///< of a callback or a signal; goes first
};

/// Does something without Python's lock, on the calling thread: for what ends soon.
template <class Work>
auto without_gil(Work&& work) {
  const pybind11::gil_scoped_release release;
  return work();
}

}  // namespace dovetail::python
