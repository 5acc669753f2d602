// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "report/page.h"

namespace dovetail::report {

std::string_view page() { return {}; }

}  // namespace dovetail::report
