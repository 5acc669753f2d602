// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dovetail/chamfer.h"
#include "dovetail/em_icp.h"
#include "dovetail/icp.h"
#include "dovetail/run.h"
#include "dovetail/softassign.h"
#include "dovetail/symmetry.h"

namespace dovetail {

/// One option as a person sees it: the struct's field, the flag `--max-distance`, the JSON key and the Python keyword
/// `max_distance` are all this one declaration.
struct OptionInfo {
  std::string name;
  std::string kind;           ///< "number", "integer", "flag", "choice", "motions"
  std::string default_value;  ///< as text
  std::string allowed;        ///< "0 or more", "point_to_point, point_to_plane, plane_to_plane"
  std::string help;
};

/// What there is to set. `Options` is Icp, EmIcp, Softassign, Chamfer, Gpicp, Find, FieldOptions, SymmetryOptions,
/// PoseEvaluationOptions, PoseDatabaseOptions, FindParts, BinOptions, DepthSensor, BinImages or Run.
template <class Options>
std::vector<OptionInfo> list_options();

/// Sets one option from text. Throws InvalidArgument naming the option, the value and what is allowed. Hyphens and
/// underscores mean the same.
template <class Options>
void set_option(Options& options, std::string_view name, std::string_view value);

/// The value of one option as text that set_option() takes.
template <class Options>
std::string get_option(const Options& options, std::string_view name);

/// Throws InvalidArgument for the first option out of its range.
template <class Options>
void validate(const Options& options);

/// The methods `register` knows, by the name the command line uses.
std::vector<std::string> method_names();

}  // namespace dovetail
