// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "session.h"

#include <chrono>
#include <system_error>
#include <thread>

#include "dovetail/error.h"

namespace dovetail::python {

namespace py = pybind11;

namespace {
constexpr std::chrono::milliseconds between_looks_at_signals{30};
}

bool Session::in_python(const std::function<bool()>& f) {
  const std::scoped_lock one(one_question_);
  std::unique_lock lock(mutex_);
  if (cancel_) return false;
  question_ = &f;
  answer_.reset();
  changed_.notify_all();
  changed_.wait(lock, [&] { return answer_.has_value(); });
  return *answer_;
}

void Session::run_until_done(const std::function<void()>& work) {
  const auto body = [&] {
    try {
      work();
    } catch (...) {
      error_ = std::current_exception();
    }
    const std::scoped_lock lock(mutex_);
    done_ = true;
    changed_.notify_all();
  };
  std::thread thread;
  try {
    thread = std::thread(body);
  } catch (const std::system_error& error) {
    throw MachineError(std::string("no thread could be started for the run: ") + error.what());
  }
  {
    const py::gil_scoped_release release;
    look_after_python();
    thread.join();
  }
  if (python_error_) std::rethrow_exception(python_error_);
  if (error_) std::rethrow_exception(error_);
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

void Session::look_after_python() {
  std::unique_lock lock(mutex_);
  while (!done_) {
    changed_.wait_for(lock, between_looks_at_signals, [&] { return done_ || question_ != nullptr; });
    if (done_) return;
    const std::function<bool()>* const question = question_;
    lock.unlock();
    if (question != nullptr) {
      call(*question);
    } else {
      call([] {
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        return true;
      });
    }
    lock.lock();
  }
}

void Session::call(const std::function<bool()>& question) {
  bool go_on = false;
  {
    const py::gil_scoped_acquire acquire;
    try {
      go_on = python_error_ == nullptr && question();
    } catch (...) {
      python_error_ = std::current_exception();
    }
    if (python_error_) cancel_ = true;
  }
  const std::scoped_lock lock(mutex_);
  if (question_ != &question) return;  // it was a look at signals
  question_ = nullptr;
  answer_ = go_on;
  changed_.notify_all();
}

}  // namespace dovetail::python
