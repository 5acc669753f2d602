// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "dovetail/io.h"

namespace dovetail::test {

/// An empty folder that is removed with all it holds.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  std::size_t files() const;

 private:
  std::filesystem::path path_;
};

/// Twelve points, organised 4 × 3, one of them invalid, with normals, colours with alpha, a triangle and a quadrangle,
/// an attribute of every number type and one of three components. Coordinates are exact in the precision asked for.
PointCloud sample_cloud(Precision precision);

/// The same without what not every format keeps.
PointCloud without_attributes(PointCloud cloud);
PointCloud without_alpha(PointCloud cloud);
PointCloud without_size(PointCloud cloud);
PointCloud without_faces(PointCloud cloud);
PointCloud without_invalid(PointCloud cloud);  ///< the invalid point is given coordinates

/// Attributes as a format without short vectors gives them back: "v" of three components as "v_0", "v_1", "v_2".
PointCloud with_spread_attributes(PointCloud cloud);
PointCloud with_wide_integers_as_double(PointCloud cloud);

std::string bytes_of(const std::filesystem::path& file);
void put_bytes(const std::filesystem::path& file, std::string_view bytes);

/// Writes the cloud as a file of this name and gives its bytes.
std::string written(const std::string& name, const PointCloud& cloud, Encoding encoding = Encoding::automatic);

/// Reads bytes as if they were a file of this name.
PointCloud parse(const std::string& name, std::string_view bytes);

/// Writes and reads back.
PointCloud round_trip(const std::string& name, const PointCloud& cloud, Encoding encoding = Encoding::automatic);

/// The message with which the bytes are refused; empty when they are not. Throws on anything but a FileError.
std::string refusal(const std::string& name, std::string_view bytes);

/// Compares everything, exactly: NaN equals NaN, and attributes must agree in name, type and values.
void expect_same(const PointCloud& expected, const PointCloud& actual);

/// For formats of decimal text, which are always read as double: coordinates must agree in the precision written, and
/// attributes in value, whatever their type.
void expect_same_text(const PointCloud& expected, const PointCloud& actual);

/// Cuts the file off at every twentieth and damages every byte of its first 400 in turn, in several ways. Each time the
/// file must be refused with a FileError or give a cloud that is sound, and no memory beyond a small multiple of its
/// size may be asked for. With `whole_or_nothing` every cut must be refused.
void expect_survives_damage(const std::string& name, const std::string& bytes, bool whole_or_nothing);

/// Refused, with a message that holds `part`, and without asking for much memory.
void expect_refused(const std::string& name, std::string_view bytes, const std::string& part);

}  // namespace dovetail::test
