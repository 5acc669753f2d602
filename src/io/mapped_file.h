// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace dovetail::io {

/// A file that is read by mapping it: pages come from disk as they are looked at, and programs that have the same file
/// open share them. Whoever cuts the file short meanwhile ends the program; AtomicFile does not, it puts a new one in
/// its place.
class MappedFile {
 public:
  /// Throws FileError where the file is missing, a directory, a device or unreadable.
  explicit MappedFile(const std::filesystem::path& file);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view view() const { return {static_cast<const char*>(data_), size_}; }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace dovetail::io
