// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "dovetail/bins.h"
#include "dovetail/depth_sensor.h"
#include "dovetail/range_image.h"

// Depth images of simulated bins with exact truth, as a data set in the layout of the BOP benchmark: what
// `dovetail pose evaluate` and every other tool of that field read. Link dovetail::bins.

namespace dovetail {

/// What is written of the bins. Lengths are millimetres.
struct BinImages {
  int images = 1;  ///< one of each bin

  /// The camera, where none is given: size of its images in pixels, and the angle between its left and right edge in
  /// degrees.
  int columns = 640;
  int rows = 480;
  double field_of_view = 40;

  /// From the camera to the middle of the bin. 0: automatic, so that the bin fills the image.
  double distance = 0;

  /// The camera stands above the bin; each image turns it by up to so many degrees about the bin's middle, to any side.
  double tilt = 0;

  /// Whether depth is measured by a sensor (DepthSensor) or is the exact one.
  bool noise = true;

  /// An instance has to be found (test_targets_bop19.json) where so large a share of its pixels is visible.
  double min_visible = 0.1;
};

/// What was written.
struct BinDataset {
  std::vector<Bin> bins;  ///< one of each image, in millimetres
  DepthCamera camera;
  double distance = 0;         ///< from the camera to the middle of the bin, of the first image
  std::size_t instances = 0;   ///< in all images
  std::size_t targets = 0;     ///< of them, those that have to be found
  double mean_visible = 0;     ///< visible share of an instance
  double measured_pixels = 0;  ///< share of the pixels with a surface in them that have a depth
};

/// Simulates bins and writes a data set: models/, models_info.json with diameters and symmetries, camera.json,
/// test_targets_bop19.json and the scene test/000001 with depth images, cameras, poses, visibility. Parts are in
/// millimetres; object ids count from 1. The folder appears whole or not at all, and must not be there, or be empty.
/// The same bytes for the same input, whatever the number of threads. Of a camera without a depth scale it is the
/// smallest power of ten that 16 bits allow. Throws as simulate_bins() does, InvalidArgument also for a camera without
/// a size or with distortion, for a depth scale in which the farthest does not fit into 16 bits or that is more than a
/// tenth of a part's diameter, and where the camera sees none of the parts of a bin, FileError where the folder cannot
/// be written, and MachineError without Embree.
BinDataset write_bin_dataset(const std::filesystem::path& folder, std::span<const BinPart> parts,
                             const BinImages& images = {}, const BinOptions& options = {},
                             const DepthSensor& sensor = {}, const std::optional<DepthCamera>& camera = {},
                             std::uint64_t seed = 0, const BinRun& run = {});

}  // namespace dovetail
