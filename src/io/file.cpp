// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "dovetail/error.h"

namespace dovetail::io {
namespace {

constexpr std::size_t most_of_a_device = std::size_t{1} << 26;

std::string error_text(int error) { return std::generic_category().message(error); }

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int value() const { return value_; }

 private:
  int value_;
};

}  // namespace

FileBytes::FileBytes(const std::filesystem::path& file) {
  const auto fail = [&](std::string_view what) {
    throw FileError(fmt::format("{}: {}: {}", file.string(), what, error_text(errno)));
  };
  if (file.empty()) throw FileError("the name of a file is empty");
  const Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (descriptor.value() < 0) fail("cannot be opened");
  struct stat status {};
  if (::fstat(descriptor.value(), &status) != 0) fail("cannot be read");
  if (S_ISDIR(status.st_mode)) throw FileError(fmt::format("{}: is a folder, not a file", file.string()));

  // Pipes have no size, and a file may grow while it is read: go on until the end is seen.
  std::size_t capacity = S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) + 1 : std::size_t{1} << 16;
  data_ = std::make_unique_for_overwrite<char[]>(capacity);
  for (;;) {
    const ssize_t got = ::read(descriptor.value(), data_.get() + size_, capacity - size_);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("cannot be read");
    if (got == 0) break;
    size_ += static_cast<std::size_t>(got);
    if (S_ISCHR(status.st_mode) && size_ > most_of_a_device) {
      throw FileError(fmt::format("{}: is a device that does not end, not a file", file.string()));
    }
    if (size_ < capacity) continue;
    auto larger = std::make_unique_for_overwrite<char[]>(2 * capacity);
    std::memcpy(larger.get(), data_.get(), size_);
    data_ = std::move(larger);
    capacity *= 2;
  }
}

AtomicFile::AtomicFile(const std::filesystem::path& file) : shown_(file), target_(file) {
  std::error_code ignored;  // what cannot be resolved fails below, with the system's reason
  if (std::filesystem::is_symlink(file, ignored)) {
    const std::filesystem::path resolved = std::filesystem::weakly_canonical(file, ignored);
    if (!resolved.empty()) target_ = resolved;
  }
  struct stat status {};
  const bool exists = ::stat(target_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) throw FileError(fmt::format("{}: is a folder", shown_.string()));
  if (exists && !S_ISREG(status.st_mode)) {
    descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail("cannot be opened for writing");
    return;
  }
  static std::atomic<unsigned> counter{0};
  for (int attempt = 0; attempt < 100 && descriptor_ < 0; ++attempt) {
    temporary_ =
        target_.parent_path() / fmt::format(".{}.{}-{}.part", target_.filename().string(), ::getpid(), counter++);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno != EEXIST) break;
  }
  if (descriptor_ < 0) {
    const int error = errno;
    temporary_.clear();
    errno = error;
    fail("cannot be written");
  }
  if (exists) {  // best effort: a file that is replaced keeps its permissions
    [[maybe_unused]] const int kept = ::fchmod(descriptor_, status.st_mode & 07777);
  }
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(descriptor_, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail("cannot be written");
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
}

void AtomicFile::commit() {
  if (!temporary_.empty() && ::fsync(descriptor_) != 0) fail("cannot be brought to disk");
  const int descriptor = std::exchange(descriptor_, -1);
  if (::close(descriptor) != 0) fail("cannot be closed");
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot be renamed into place");
  temporary_.clear();
}

void AtomicFile::fail(std::string_view what) {
  const std::string reason = error_text(errno);
  discard();
  throw FileError(fmt::format("{}: {}: {}", shown_.string(), what, reason));
}

void AtomicFile::discard() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
}

}  // namespace dovetail::io
