// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "dovetail/error.h"

namespace dovetail::io {

MappedFile::MappedFile(const std::filesystem::path& file) {
  struct Descriptor {
    int number;
    ~Descriptor() {
      if (number >= 0) ::close(number);
    }
  };
  const auto refuse = [&](std::string_view reason) {
    throw FileError(fmt::format("{}: cannot be read: {}", file.string(), reason));
  };
  const Descriptor open{::open(file.c_str(), O_RDONLY | O_CLOEXEC)};
  if (open.number < 0) refuse(std::strerror(errno));
  struct stat status {};
  if (::fstat(open.number, &status) != 0) refuse(std::strerror(errno));
  if (S_ISDIR(status.st_mode)) refuse("it is a directory");
  if (!S_ISREG(status.st_mode)) refuse("it is not a regular file");
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ == 0) return;
  void* const at = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, open.number, 0);
  if (at == MAP_FAILED) refuse(std::strerror(errno));
  data_ = at;
}

MappedFile::~MappedFile() {
  if (data_) ::munmap(data_, size_);
}

}  // namespace dovetail::io
