// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <stdexcept>
#include <string>

namespace dovetail {

/// Base of everything the library throws. A numerical outcome (no overlap, collinear points, no convergence) is never
/// an exception: it is told in the result.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The caller's mistake: an option out of range, a cloud without points, a matrix of the wrong model.
/// The message names the field, its value and what is allowed.
class InvalidArgument : public Error {
 public:
  using Error::Error;
};

/// A file that cannot be opened, read, understood or written. The message names the file, the line or byte, and why.
class FileError : public Error {
 public:
  using Error::Error;
};

/// A machine that was asked for and is not there, or that failed: no such device, out of device memory.
class MachineError : public Error {
 public:
  using Error::Error;
};

/// Work that the caller told to stop before there was anything to give.
class Cancelled : public Error {
 public:
  using Error::Error;
};

}  // namespace dovetail
