// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <gtest/gtest.h>

#include <exception>
#include <string>

namespace dovetail::test {

/// The message of the exception that `call` throws; fails the test where it throws none, or another kind.
template <class Exception, class Call>
std::string message_of(const Call& call) {
  try {
    call();
    ADD_FAILURE() << "no exception";
  } catch (const Exception& error) {
    return error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another exception: " << error.what();
  }
  return {};
}

inline bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace dovetail::test
