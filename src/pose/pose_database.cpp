// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/pose_database.h"

#include <cstring>
#include <new>

#include "io/file.h"
#include "io/mapped_file.h"
#include "pose/pose_database_layout.h"
#include "pose/rough_parts.h"

namespace dovetail {

std::string to_string(OrientationSampling sampling) {
  return sampling == OrientationSampling::adaptive ? "adaptive" : "uniform";
}

bool is_pose_database(std::string_view bytes) { return bytes.starts_with(pose::database_magic); }

PoseDatabase::PoseDatabase(std::string_view name, std::string_view bytes, std::shared_ptr<const void> memory)
    : memory_(std::move(memory)),
      bytes_(bytes),
      parts_(pose::read_database(name, bytes)),
      cache_(std::make_shared<pose::DatabaseCache>()) {}

PoseDatabase PoseDatabase::load(const std::filesystem::path& file) {
  const auto mapped = std::make_shared<const io::MappedFile>(file);
  return {file.string(), mapped->view(), mapped};
}

PoseDatabase PoseDatabase::read(std::string_view name, std::string_view bytes) {
  struct Line {
    alignas(64) char byte[64];
  };
  const std::shared_ptr<Line[]> memory(new Line[bytes.size() / sizeof(Line) + 1]);
  char* const copy = memory[0].byte;
  if (!bytes.empty()) std::memcpy(copy, bytes.data(), bytes.size());
  return {name, {copy, bytes.size()}, memory};
}

std::size_t PoseDatabase::references() const {
  std::size_t sum = 0;
  for (const PoseReferences& part : parts_) sum += part.references.size();
  return sum;
}

void PoseDatabase::save(const std::filesystem::path& file) const {
  io::AtomicFile out(file);
  out.write(bytes_);
  out.commit();
}

}  // namespace dovetail
