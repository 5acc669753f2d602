// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "interrupt.h"

#include <csignal>

namespace dovetail::app {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

}  // namespace

const std::atomic<bool>& stop_on_interrupt() {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
  return interrupted;
}

}  // namespace dovetail::app
