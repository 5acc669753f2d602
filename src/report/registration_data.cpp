// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dovetail/error.h"
#include "dovetail/reference.h"
#include "report/packing.h"
#include "report/residuals.h"
#include "report/result_json.h"
#include "report/run_data.h"
#include "report/shown_cloud.h"

namespace dovetail::report {
namespace {

constexpr std::size_t most_alternatives = 7;  ///< that residuals are kept of
constexpr double samples = 200'000;         ///< points that lines or a surface are measured by, and a surface shown by
constexpr double residuals_to_inliers = 4;  ///< where the scale of residuals ends, in inlier distances

/// The middle of a cloud's points.
Vec3 mean_of(const ShownCloud& shown) {
  Vec3 sum{};
  for (const std::uint32_t i : shown.usable) sum = sum + (shown.cloud->positions[i] - shown.box.low);
  return shown.box.low + sum * (1.0 / static_cast<double>(std::max<std::size_t>(1, shown.usable.size())));
}

/// Where the source was before: at the start it was given, or as its file has it.
Transform pose_before(const Json& result, const ShownCloud* source, const ShownCloud* target, int dimension) {
  const Model model = dimension == 2 ? Model::projective2 : Model::affine3;
  const auto options = result.find("options");
  const Json none = Json::object();
  const Json& given = options != result.end() && options->is_object() ? *options : none;
  Transform before = pose_at(given, "start").value_or(Transform::identity(model));
  if (given.value("start_at_centroid", Json(false)) == Json(true) && source && target && !source->usable.empty()) {
    const Vec3 shift = mean_of(*target) - before * mean_of(*source);
    for (int axis = 0; axis < 3; ++axis) before.matrix(axis, 3) += shift[axis];
  }
  return before;
}

/// The target as points that are drawn and measured to.
struct TargetPoints {
  const PointCloud* given = nullptr;
  PointCloud sampled;  ///< of lines or a surface; empty where it is neither
  bool draw_sampled = false;

  const PointCloud& drawn() const { return draw_sampled ? sampled : *given; }
  const PointCloud& measured() const { return sampled.empty() ? *given : sampled; }
};

TargetPoints points_of(const Reference& target, const std::string& method) {
  TargetPoints points;
  points.given = &target.points;
  const bool surface = method == "chamfer" && !target.points.faces.empty();
  if (target.lines.empty() && !surface) return points;
  const ReferenceMeasure measure = measure_reference(target);
  const double spacing = surface ? std::sqrt(measure.area / samples) : measure.length / samples;
  if (!(spacing > 0) || !std::isfinite(spacing)) return points;
  points.sampled = sample_reference(target, spacing);
  points.draw_sampled = surface && !points.sampled.empty();
  return points;
}

std::vector<std::uint8_t> bytes_of(const std::vector<double>& residuals, double clip) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(residuals.size());
  for (const double r : residuals) bytes.push_back(residual_byte(r, clip));
  return bytes;
}

/// Where the scale of residuals ends.
double clip_of(const Json& result, const std::vector<double>& at_answer) {
  const double inliers = number_at(result, "inlier_distance", 0);
  if (inliers > 0) return residuals_to_inliers * inliers;
  double largest = 0;
  for (const double r : at_answer) largest = std::isfinite(r) ? std::max(largest, r) : largest;
  return largest > 0 ? largest : 1;
}

class RegistrationData {
 public:
  RegistrationData(const ReportedRegistration& run, const Budget& budget, std::string& bytes)
      : run_(run),
        budget_(budget),
        bytes_(bytes),
        result_(parse_result(run.name, run.json, "dovetail.registration/1")) {
    const auto answer = pose_at(result_, "target_from_source");
    if (!answer) throw InvalidArgument(run.name + ": \"target_from_source\" is no matrix of 3 or 4 rows");
    answer_ = *answer;
    dimension_ = answer_.model == Model::projective2 ? 2 : 3;
  }

  Json json() {
    if (run_.source) source_ = shown_cloud(*run_.source, origin_points_of(result_));
    if (run_.target) {
      target_points_ = points_of(*run_.target, result_.value("method", std::string()));
      target_ = shown_cloud(target_points_.drawn(), origin_points_of(result_));
    }
    const Transform before =
        pose_before(result_, run_.source ? &source_ : nullptr, run_.target ? &target_ : nullptr, dimension_);
    Json json;
    json["kind"] = "registration";
    json["name"] = run_.name;
    json["notes"] = run_.notes;
    json["dimension"] = dimension_;
    json["before"] = io::json::rows_of(before.matrix);
    json["clouds"] = Json::array();
    json["residuals"] = nullptr;
    share_points();
    if (run_.target) add_target(json);
    if (run_.source) add_source(json, before);
    json["result"] = std::move(result_);
    return json;
  }

 private:
  /// Draws which points are shown.
  void share_points() {
    const std::size_t ends = run_.target ? line_ends(run_.target->lines) : 0;
    with_lines_ = ends > 0 && (budget_.points == 0 || ends <= budget_.points / 2);
    if (ends > 0 && !with_lines_) {
      target_points_.draw_sampled = !target_points_.sampled.empty();
      target_ = shown_cloud(target_points_.drawn(), origin_points_of(result_));
    }
    const std::size_t left = budget_.points == 0 ? SIZE_MAX : budget_.points - (with_lines_ ? ends : 0);
    const std::size_t of_target = with_lines_ ? 0 : target_.drawn.size();
    const std::vector<std::size_t> shares =
        fair_shares(std::vector<std::size_t>{source_.drawn.size(), of_target}, left);
    source_sample_ = shuffled(source_.drawn, shares[0], 0);
    target_sample_ = shuffled(target_.drawn, shares[1], 1);
  }

  void add_target(Json& json) {
    Json target = pack_cloud(bytes_, target_, target_sample_, {});
    target["role"] = "target";
    if (with_lines_) target["lines"] = pack_lines(bytes_, target_, run_.target->lines);
    target["sampled"] = target_points_.draw_sampled;
    json["clouds"].push_back(std::move(target));
  }

  void add_source(Json& json, const Transform& before) {
    std::vector<std::uint8_t> at_answer;
    std::optional<Residuals> measure;
    double clip = 0;
    if (run_.target) {
      const ShownCloud measured = shown_cloud(target_points_.measured(), origin_points_of(result_));
      measure.emplace(target_points_.measured(), measured.usable);
      const std::vector<double> residuals = (*measure)(*run_.source, source_sample_, answer_);
      clip = clip_of(result_, residuals);
      at_answer = bytes_of(residuals, clip);
    }
    Json source = pack_cloud(bytes_, source_, source_sample_, at_answer);
    source["role"] = "source";
    source["sampled"] = false;
    json["clouds"].push_back(std::move(source));
    if (measure) json["residuals"] = other_residuals(*measure, before, clip);
  }

  /// Residuals at the start and at the other answers, of as many points as there is room for.
  Json other_residuals(const Residuals& measure, const Transform& before, double clip) {
    std::vector<Transform> poses = {before};
    if (const auto others = result_.find("alternatives"); others != result_.end() && others->is_array()) {
      for (const Json& other : *others) {
        const auto pose = pose_at(other, "target_from_source");
        if (poses.size() > most_alternatives || !pose) break;
        poses.push_back(*pose);
      }
    }
    const std::size_t count = std::min(source_sample_.size(), budget_.residual_bytes / poses.size());
    Json planes = Json::array();
    for (std::size_t k = 0; k < poses.size(); ++k) {
      const auto residuals = bytes_of(measure(*run_.source, std::span(source_sample_).first(count), poses[k]), clip);
      align(bytes_);
      planes.push_back({{"alternative", static_cast<int>(k) - 1}, {"at", bytes_.size()}, {"count", count}});
      bytes_.append(residuals.begin(), residuals.end());
    }
    return {{"clip", clip}, {"planes", std::move(planes)}};
  }

  const ReportedRegistration& run_;
  const Budget& budget_;
  std::string& bytes_;
  Json result_;
  Transform answer_;
  int dimension_ = 3;
  bool with_lines_ = false;
  TargetPoints target_points_;
  ShownCloud source_, target_;
  std::vector<std::uint32_t> source_sample_, target_sample_;
};

}  // namespace

std::string run_data(const ReportedRegistration& run, const Budget& budget, std::string& bytes) {
  return RegistrationData(run, budget, bytes).json().dump(-1, ' ', true, Json::error_handler_t::replace);
}

}  // namespace dovetail::report
