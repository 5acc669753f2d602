// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <memory>
#include <vector>

#include "dovetail/registration.h"
#include "prepare/chamfer_plan.h"
#include "prepare/observed.h"
#include "search/chamfer_search.h"

namespace dovetail {

/// Observed points and a field in a machine's memory, in one local frame, and where the search begins.
template <int D>
struct ChamferSetup {
  const FieldData& field;
  ObservedPoints points;
  std::shared_ptr<const FieldData::PlacedLevels> levels;  ///< of the field
  ChamferFrames<D> frames;
  SamplePoints<D> sample;  ///< local, as all that follows
  Ball<D> observed;
  std::vector<Homogeneous<D>> given;  ///< the starts that the run asks for
  Ball<D> moved;                      ///< the observed points, where the first start puts them

  /// Throws InvalidArgument for a start that the model does not contain.
  ChamferSetup(const Chamfer& options, const Run& run, const FieldData& reference, const Observed& input,
               Backend& backend);

  /// What searches and refinements work on; this must outlive it.
  ChamferContext<D> context(const Chamfer& options, const ChamferPlan& plan, Backend& backend,
                            const Control& control) const;
};

}  // namespace dovetail
