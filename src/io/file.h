// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace dovetail::io {

/// The bytes of a whole file.
class FileBytes {
 public:
  /// Reads the file in one go. Throws FileError when it is missing, a directory or unreadable.
  explicit FileBytes(const std::filesystem::path& file);

  std::string_view view() const { return {data_.get(), size_}; }

 private:
  std::unique_ptr<char[]> data_;
  std::size_t size_ = 0;
};

/// A file that appears whole or not at all: written under a temporary name in the same folder, brought to disk, then
/// renamed. Left without commit() it is removed. A device or pipe (/dev/stdout) is written straight to.
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& file);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  void commit();

 private:
  [[noreturn]] void fail(std::string_view what);
  void discard();

  std::filesystem::path shown_;      // as the caller named it
  std::filesystem::path target_;     // where it goes, links followed
  std::filesystem::path temporary_;  // empty when the target is written straight to
  int descriptor_ = -1;
};

}  // namespace dovetail::io
