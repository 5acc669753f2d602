// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "scenes/depth_image.h"

#include <png.h>

#include <cstdio>
#include <memory>

#include "dovetail/error.h"

namespace dovetail::bench::scenes {
namespace {

[[noreturn]] void fail(png_structp png, png_const_charp reason) {
  const auto* const file = static_cast<const std::filesystem::path*>(png_get_error_ptr(png));
  throw FileError(file->string() + ": " + reason);
}

void ignore(png_structp, png_const_charp) {}

struct Reader {
  explicit Reader(const std::filesystem::path& file)
      : png(png_create_read_struct(PNG_LIBPNG_VER_STRING, const_cast<std::filesystem::path*>(&file), fail, ignore)),
        info(png_create_info_struct(png)) {}
  ~Reader() { png_destroy_read_struct(&png, &info, nullptr); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  png_structp png;
  png_infop info;
};

}  // namespace

PointCloud read_depth_image(const std::filesystem::path& file, const Intrinsics& camera) {
  struct Close {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  const std::unique_ptr<std::FILE, Close> stream(std::fopen(file.c_str(), "rb"));
  if (!stream) throw FileError(file.string() + ": cannot be read");
  const Reader reader(file);
  png_init_io(reader.png, stream.get());
  png_read_png(reader.png, reader.info, PNG_TRANSFORM_IDENTITY, nullptr);
  if (png_get_bit_depth(reader.png, reader.info) != 16 || png_get_channels(reader.png, reader.info) != 1) {
    throw FileError(file.string() + ": not a grey image of 16 bits");
  }
  png_bytepp rows = png_get_rows(reader.png, reader.info);
  PointCloud cloud;
  for (png_uint_32 row = 0; row < png_get_image_height(reader.png, reader.info); ++row) {
    for (png_uint_32 column = 0; column < png_get_image_width(reader.png, reader.info); ++column) {
      const double z = 1e-3 * (rows[row][2 * column] * 256 + rows[row][2 * column + 1]);  // high byte first
      if (z > 0)
        cloud.positions.push_back({(column - camera.cx) / camera.fx * z, (row - camera.cy) / camera.fy * z, z});
    }
  }
  return cloud;
}

}  // namespace dovetail::bench::scenes
