// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string>

#include "dovetail/registration.h"
#include "output.h"

namespace dovetail::app {

/// A line of a summary: a name and what there is to say, on stdout.
void print_line(const char* name, const std::string& text);

/// Tells a person the result: in a few lines on stdout or, where that is not for people, its warnings on stderr.
void tell(const Registration& result, bool on_stdout, Attempts& attempt);

/// What the shell is told of a result that was written.
int exit_code(const Registration& result, const Attempts& attempt);

}  // namespace dovetail::app
