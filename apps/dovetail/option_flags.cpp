// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "option_flags.h"

#include <fmt/format.h>

#include <algorithm>

#include "dovetail/bin_images.h"
#include "dovetail/find.h"
#include "dovetail/find_parts.h"
#include "dovetail/gpicp.h"
#include "dovetail/pose_database.h"
#include "dovetail/pose_evaluation.h"

namespace dovetail::app {
std::string flag_name(std::string_view option) {
  std::string name = "--" + std::string(option);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

template <class Options>
void OptionFlags<Options>::add_to(CLI::App& command, const std::string& heading,
                                  std::initializer_list<std::string_view> leave_out) {
  for (const OptionInfo& info : list_options<Options>()) {
    if (std::find(leave_out.begin(), leave_out.end(), info.name) != leave_out.end()) continue;
    auto given = std::make_unique<Given>();
    const std::string name = flag_name(info.name);
    const std::string allowed = info.name == "machine" ? info.allowed + "; cuda:N for the N-th GPU" : info.allowed;
    if (info.kind == "flag") {
      given->is_flag = true;
      given->flag = command.add_flag(fmt::format("{0},!--no-{1}", name, name.substr(2)), given->on,
                                     fmt::format("{} (default {})", info.help, info.default_value));
    } else {
      given->flag = command.add_option(
          name, given->text, fmt::format("{} (default {}; allowed: {})", info.help, info.default_value, allowed));
      given->flag->type_name(info.kind == "choice" ? "NAME" : info.kind == "motions" ? "LIST" : "NUMBER");
    }
    given->flag->group(heading);
    given_[info.name] = std::move(given);
  }
}

template <class Options>
void OptionFlags<Options>::apply(Options& options) const {
  for (const auto& [name, given] : given_) {
    if (given->flag->count() == 0) continue;
    set_option(options, name, given->is_flag ? (given->on ? "true" : "false") : given->text);
  }
}

template <class Options>
std::vector<std::string> OptionFlags<Options>::given() const {
  std::vector<std::string> flags;
  for (const auto& [name, given] : given_) {
    if (given->flag->count() > 0) flags.push_back(flag_name(name));
  }
  return flags;
}

template class OptionFlags<Icp>;
template class OptionFlags<EmIcp>;
template class OptionFlags<Gpicp>;
template class OptionFlags<Find>;
template class OptionFlags<Softassign>;
template class OptionFlags<Chamfer>;
template class OptionFlags<FieldOptions>;
template class OptionFlags<SymmetryOptions>;
template class OptionFlags<PoseEvaluationOptions>;
template class OptionFlags<BinOptions>;
template class OptionFlags<PoseDatabaseOptions>;
template class OptionFlags<FindParts>;
template class OptionFlags<BinImages>;
template class OptionFlags<DepthSensor>;
template class OptionFlags<Run>;

}  // namespace dovetail::app
