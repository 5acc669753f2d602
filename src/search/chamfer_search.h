// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <functional>
#include <limits>
#include <type_traits>
#include <vector>

#include "backend/backend.h"
#include "prepare/chamfer_plan.h"

namespace dovetail {

/// A transform on its way, local.
template <int D>
struct ChamferCandidate {
  Homogeneous<D> t = Homogeneous<D>::identity();
  double cost = std::numeric_limits<double>::infinity();
  Status status = Status::running;
  int iterations = 0;
};

/// Which observed points.
enum class Share : std::uint32_t { sample, all };

/// What a run works on.
template <int D>
struct ChamferContext {
  const Chamfer& options;
  const ChamferPlan& plan;
  const FieldData& field;
  const Ball<D>& observed;
  chamfer::StepFrame<D> frame;  ///< about the observed points, moved by the first start
  Backend& backend;
  const Control& control;
  CloudView points[2];              ///< by Share
  std::vector<chamfer::Data> data;  ///< the sample and all points, at each resolution of the field in turn

  /// Which data: the finest resolution that knows distances up to the cap.
  std::uint32_t data_index(Share share, double cap) const;
  chamfer::Stage stage(Share share, double cap, int max_iterations) const;
  chamfer::Params params(std::initializer_list<chamfer::Stage> stages) const;
};

/// Calls f(std::type_identity<the model's type>).
template <int D, class F>
void with_model(ChamferModel model, const F& f) {
  if constexpr (D == 2) {
    if (model == ChamferModel::rigid) return f(std::type_identity<Rigid2>{});
    if (model == ChamferModel::similarity) return f(std::type_identity<Similarity2>{});
    if (model == ChamferModel::affine) return f(std::type_identity<Affine2>{});
    return f(std::type_identity<Projective2>{});
  } else {
    if (model == ChamferModel::rigid) return f(std::type_identity<Rigid3>{});
    if (model == ChamferModel::similarity) return f(std::type_identity<Similarity3>{});
    return f(std::type_identity<Affine3>{});
  }
}

/// Takes candidates through the stages of `params`.
template <int D>
StopRequest refine(const ChamferContext<D>& context, ChamferModel model, const chamfer::Params& params,
                   std::vector<ChamferCandidate<D>>& candidates);

/// How transforms fit the observed points, all of them or the sample, judged by a cap.
template <int D>
std::vector<typename chamfer::Fit<D>::State> fits_of(const ChamferContext<D>& context, Share share, double cap,
                                                     double inlier_distance,
                                                     const std::vector<ChamferCandidate<D>>& candidates);

template <int D>
struct ChamferSearch {
  std::vector<ChamferCandidate<D>> ranked;  ///< different ones, best first, as far as the sample tells
  double cap = 0;                           ///< that they were ranked by
  StopRequest stopped = StopRequest::none;
};

/// Tries the starts within the range about each given one, on the sample: the cap shrinks, the model grows and the
/// worse ones go.
template <int D>
ChamferSearch<D> search_chamfer(const ChamferContext<D>& context, const std::vector<Homogeneous<D>>& given);

/// The standard deviation of the residuals, by their median.
inline double spread_of(double median) { return 1.4826 * median; }

/// The cap for a polish: a few times the spread of the residuals, but not much more than the search's.
double polish_cap(const ChamferPlan& plan, double median);

}  // namespace dovetail
