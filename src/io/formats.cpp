// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/formats.h"

#include <filesystem>

#include "io/cursor.h"

namespace dovetail::io {
namespace {

constexpr Encoding ply_encodings[] = {Encoding::binary, Encoding::ascii, Encoding::binary_big_endian};
constexpr Encoding pcd_encodings[] = {Encoding::binary, Encoding::ascii, Encoding::binary_compressed};
constexpr Encoding stl_encodings[] = {Encoding::binary, Encoding::ascii};
constexpr Encoding text_only[] = {Encoding::ascii};
constexpr Encoding binary_only[] = {Encoding::binary};

constexpr Format table[] = {
    {FileFormat::ply, "PLY", ".ply", true, is_ply, read_ply, write_ply, ply_encodings},
    {FileFormat::pcd, "PCD", ".pcd", true, is_pcd, read_pcd, write_pcd, pcd_encodings},
    {FileFormat::npy, "NPY", ".npy", true, is_npy, read_npy, write_npy, binary_only},
    {FileFormat::las, "LAS", ".las", true, is_las, read_las, write_las, binary_only, check_las},
    {FileFormat::off, "OFF", ".off .coff .noff", true, is_off, read_off, write_off, text_only},
    {FileFormat::stl, "STL", ".stl", true, is_stl, read_stl, write_stl, stl_encodings, check_stl},
    {FileFormat::obj, "OBJ", ".obj", false, is_obj, read_obj, write_obj, text_only},
    {FileFormat::xyz, "CSV", ".csv", false, is_xyz, read_xyz, write_csv, text_only},
    {FileFormat::xyz, "XYZ", ".xyz .txt .pts .asc", false, is_xyz, read_xyz, write_xyz, text_only},
};

}  // namespace

std::span<const Format> formats() { return table; }

const Format* format_by_name(std::string_view file_name) {
  const std::string ending = to_lower(std::filesystem::path(file_name).extension().string());
  for (const Format& format : table) {
    for (const std::string_view known : split_words(format.endings)) {
      if (ending == known) return &format;
    }
  }
  return nullptr;
}

}  // namespace dovetail::io
