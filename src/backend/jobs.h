// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "backend/batch.h"
#include "backend/memory.h"
#include "backend/rasterise.h"
#include "methods/chamfer.h"
#include "methods/chamfer_fit.h"
#include "methods/chamfer_lines.h"
#include "methods/chamfer_misses.h"
#include "methods/drawn_part.h"
#include "methods/evaluation.h"
#include "methods/fine_pose.h"
#include "methods/gpicp.h"
#include "methods/icp.h"
#include "methods/line_counts.h"
#include "methods/local_points.h"
#include "methods/normals.h"
#include "methods/placements.h"
#include "methods/rough_pose.h"
#include "methods/soft.h"
#include "methods/touches.h"

// Everything a machine runs, in one list: a batch of each method, the building of distance fields, and pictures.

namespace dovetail {

/// A list of types.
template <class... T>
struct List {
  static constexpr std::size_t count = sizeof...(T);
  /// Where a type stands.
  template <class Wanted>
  static constexpr std::size_t index = [] {
    static_assert((std::is_same_v<Wanted, T> || ...), "not a type of this list");
    std::size_t i = 0;
    (void)((std::is_same_v<Wanted, T> || (++i, false)) || ...);
    return i;
  }();
};
template <class... A, class... B>
List<A..., B...> operator+(List<A...>, List<B...>);
template <class... Lists>
using Joined = decltype((Lists{} + ...));

/// A template of each model of a dimension.
template <template <class> class Of>
using InThePlane = List<Of<Rigid2>, Of<Similarity2>, Of<Affine2>, Of<Projective2>>;
template <template <class> class Of>
using InSpace = List<Of<Rigid3>, Of<Similarity3>, Of<Affine3>>;

using IcpMethods = List<icp::PointToPoint, icp::PointToPlane, icp::PlaneToPlane>;
using FieldMethods = Joined<List<chamfer::Fit<2>, chamfer::Fit<3>>, InThePlane<chamfer::Align>, InSpace<chamfer::Align>,
                            InThePlane<chamfer::Scatter>, InSpace<chamfer::Scatter>>;
using LineMethods = InThePlane<chamfer::AlignToLines>;
/// Of one pass, and the same on every machine but for the search.
using RowMethods = List<Evaluation, Touches, Normals, LocalPoints, chamfer::Misses<2>, chamfer::Misses<3>>;
/// As those of rows, and what decides about an item is the same to the last bit on every machine.
using PixelMethods = List<drawn::DrawnPart>;
/// Of several hypotheses that look at a few points each, and the same on every machine but for the search.
using SampleMethods = List<gpicp::PointToPoint, gpicp::PointToPlane, gpicp::Placements>;
using Methods = Joined<IcpMethods, List<soft::Soft>, RowMethods, SampleMethods, FieldMethods, LineMethods,
                       List<LineCount>, List<rough::RoughPose>, PixelMethods, List<fine::FinePose>>;

/// Fills in what each cell of a field's level is nearest to. `keys` are those of its seeds.
struct FieldBuild {
  FieldLevel& level;
  std::span<const std::uint64_t> keys;
  bool keep_on_host = true;  ///< fill in level.nearest even where the machine's passes do not read it

  Placed<FieldView> placed{};  ///< out: the field in the machine's memory
};

template <class... M>
List<Batch<M>...> batches_of(List<M...>);
using Jobs = Joined<decltype(batches_of(Methods{})), List<FieldBuild, Rasterise>>;

}  // namespace dovetail
