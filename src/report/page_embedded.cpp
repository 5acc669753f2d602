// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "report/page.h"

// The assembler puts the file where constants lie: no tool has to write megabytes of C++ that a compiler then reads.
asm(".pushsection .rodata, \"a\"\n"
    ".balign 16\n"
    "dovetail_report_page_begin:\n"
    ".incbin \"" DOVETAIL_REPORT_PAGE
    "\"\n"
    "dovetail_report_page_end:\n"
    ".byte 0\n"
    ".popsection\n");

extern "C" {
extern const char dovetail_report_page_begin[] __attribute__((visibility("hidden")));
extern const char dovetail_report_page_end[] __attribute__((visibility("hidden")));
}

namespace dovetail::report {

std::string_view page() {
  return {dovetail_report_page_begin, static_cast<std::size_t>(dovetail_report_page_end - dovetail_report_page_begin)};
}

}  // namespace dovetail::report
