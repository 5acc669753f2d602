// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string>

#include "command_tree.h"

namespace dovetail::app {

/// "dovetail-register-icp", the name of a command's page.
std::string man_page_name(const NamedCommand& command);

/// A command's page as man(1) reads it, made of what its help says.
std::string man_page(const NamedCommand& command, const std::string& version);

}  // namespace dovetail::app
