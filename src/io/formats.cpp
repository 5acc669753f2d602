// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/formats.h"

#include <filesystem>

#include "io/cursor.h"

namespace dovetail::io {
namespace {

constexpr std::string_view ply_endings[] = {".ply"};
constexpr std::string_view pcd_endings[] = {".pcd"};
constexpr std::string_view npy_endings[] = {".npy"};
constexpr std::string_view las_endings[] = {".las"};
constexpr std::string_view off_endings[] = {".off", ".coff", ".noff"};
constexpr std::string_view stl_endings[] = {".stl"};
constexpr std::string_view obj_endings[] = {".obj"};
constexpr std::string_view csv_endings[] = {".csv"};
constexpr std::string_view xyz_endings[] = {".xyz", ".txt", ".pts", ".asc"};

constexpr Encoding ply_encodings[] = {Encoding::binary, Encoding::ascii, Encoding::binary_big_endian};
constexpr Encoding pcd_encodings[] = {Encoding::binary, Encoding::ascii, Encoding::binary_compressed};
constexpr Encoding stl_encodings[] = {Encoding::binary, Encoding::ascii};
constexpr Encoding text_only[] = {Encoding::ascii};
constexpr Encoding binary_only[] = {Encoding::binary};

constexpr Format table[] = {
    {FileFormat::ply, "PLY", ply_endings, true, is_ply, read_ply, write_ply, ply_encodings},
    {FileFormat::pcd, "PCD", pcd_endings, true, is_pcd, read_pcd, write_pcd, pcd_encodings},
    {FileFormat::npy, "NPY", npy_endings, true, is_npy, read_npy, write_npy, binary_only},
    {FileFormat::las, "LAS", las_endings, true, is_las, read_las, write_las, binary_only, check_las},
    {FileFormat::off, "OFF", off_endings, true, is_off, read_off, write_off, text_only},
    {FileFormat::stl, "STL", stl_endings, true, is_stl, read_stl, write_stl, stl_encodings, check_stl},
    {FileFormat::obj, "OBJ", obj_endings, false, is_obj, read_obj, write_obj, text_only},
    {FileFormat::xyz, "CSV", csv_endings, false, is_xyz, read_xyz, write_csv, text_only},
    {FileFormat::xyz, "XYZ", xyz_endings, false, is_xyz, read_xyz, write_xyz, text_only},
};

}  // namespace

std::span<const Format> formats() { return table; }

const Format* format_by_name(std::string_view file_name) {
  const std::string ending = to_lower(std::filesystem::path(file_name).extension().string());
  for (const Format& format : table) {
    for (const std::string_view known : format.endings) {
      if (ending == known) return &format;
    }
  }
  return nullptr;
}

}  // namespace dovetail::io
