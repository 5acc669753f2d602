// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dovetail/find.h"
#include "dovetail/points.h"
#include "dovetail/range_image.h"
#include "dovetail/reference.h"
#include "dovetail/registration.h"

namespace dovetail {

/// How much a report holds.
struct ReportOptions {
  static constexpr std::size_t all = 0;

  /// The most points it shows, of all clouds and runs together; larger clouds are thinned at random and the page says
  /// so. `all`: every point. A point takes 8 bytes, 11 in the file.
  std::size_t points = 500'000;
};

/// Whether the page of reports is in this build: it is made with Node.js when the library is built.
bool report_available();
/// Throws MachineError that says what is missing, where it is not.
void check_report_available();

/// A registration or an evaluated pose, and what it was made of.
struct ReportedRegistration {
  std::string name;                    ///< what it is called on the page
  std::string json;                    ///< to_json(result)
  const PointCloud* source = nullptr;  ///< null where it is not at hand: the page then has numbers and plots alone
  const Reference* target = nullptr;
  std::vector<std::string> notes;  ///< sentences for whoever reads the page: why a cloud is not there, say
};

/// A search for objects, and what it was made of.
struct ReportedSearch {
  std::string name;
  std::string json;  ///< to_json(found)
  const PointCloud* scene = nullptr;
  std::span<const ObjectToFind> objects;  ///< as many as were looked for, or none
  std::vector<std::string> notes;
  /// Of a search in a range image: it is drawn flat, with the outlines of what was found, and is the scene where no
  /// other is given.
  const RangeImage* image = nullptr;
};

/// A part in a range image of which the pose is known.
struct KnownPose {
  std::size_t object = 0;  ///< among ReportedImage::objects
  Transform camera_from_object;
  std::optional<double> visible_ratio;  ///< share of its pixels that nothing hides
};

/// A range image with what is in it: one of a simulated bin, or of a data set.
struct ReportedImage {
  std::string name;
  std::string message;  ///< a sentence on what is shown
  const RangeImage* image = nullptr;
  std::span<const ObjectToFind> objects;
  std::span<const KnownPose> poses;
  std::vector<std::string> notes;
};

/// A part, and the rotations that map it onto itself.
struct ReportedSymmetry {
  std::string name;
  std::string json;                  ///< to_json(symmetry)
  const PointCloud* part = nullptr;  ///< null where it is not at hand
  std::vector<std::string> notes;
};

/// What estimated poses are worth.
struct ReportedScores {
  std::string name;
  std::string json;  ///< to_json(evaluation)
  std::vector<std::string> notes;
};

/// Runs as a page for a browser: one HTML file that holds all it shows and asks nothing of the network. One run is
/// shown whole, several as a table of which each can be opened. The same runs give the same bytes.
class Report {
 public:
  /// `runs` says how many will be added: they share the points.
  explicit Report(const ReportOptions& options = {}, std::size_t runs = 1);

  /// Clouds are read here and not kept. Throw InvalidArgument where `json` is not what this version of the schema has.
  void add(const ReportedRegistration& run);
  void add(const ReportedSearch& run);
  void add(const ReportedImage& run);
  void add(const ReportedSymmetry& run);
  void add(const ReportedScores& run);

  /// The page. Throws MachineError where report_available() is false.
  std::string html() const;
  /// Writes it. The file appears whole or not at all. Throws FileError as well.
  void write(const std::filesystem::path& file) const;

 private:
  std::size_t points_a_run_, bytes_a_run_, image_bytes_a_run_;
  std::vector<std::string> runs_;  ///< a JSON object each
  std::string bytes_;              ///< points and residuals of all of them
};

}  // namespace dovetail
