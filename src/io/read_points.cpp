// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/core.h>

#include "dovetail/error.h"
#include "dovetail/io.h"
#include "io/file.h"
#include "io/formats.h"

namespace dovetail {
namespace io {

// Numbers in a text can be many things, so that there the name goes first.
const Format* choose_format(std::string_view file, std::string_view bytes) {
  for (const Format& format : formats()) {
    if (format.signature && format.recognise(bytes)) return &format;
  }
  if (const Format* named = format_by_name(file)) return named;
  for (const Format& format : formats()) {
    if (format.recognise(bytes)) return &format;
  }
  return nullptr;
}

PointCloud parse_points(std::string_view file, std::string_view bytes) {
  if (bytes.empty()) throw FileError(fmt::format("{}: byte 0: the file is empty", file));
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);  // the mark some editors put before UTF-8 text
  const Format* const format = choose_format(file, bytes);
  if (!format) {
    throw FileError(fmt::format("{}: byte 0: neither its content nor its name is that of a point file: {}", file,
                                supported_formats()));
  }
  return format->read(file, bytes);
}

}  // namespace io

PointCloud read_points(const std::filesystem::path& file) {
  const io::FileBytes bytes(file);
  return io::parse_points(file.string(), bytes.view());
}

std::string supported_formats() {
  std::string text;
  for (const io::Format& format : io::formats()) {
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", format.name, format.endings);
  }
  return text;
}

}  // namespace dovetail
