// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>

#include "api/option_table.h"
#include "dovetail/error.h"

namespace dovetail {
namespace {

struct Motion {
  std::string_view name;
  bool Freedom::*field;
};
constexpr std::array<Motion, 6> motions{{{"rx", &Freedom::rx},
                                         {"ry", &Freedom::ry},
                                         {"rz", &Freedom::rz},
                                         {"tx", &Freedom::tx},
                                         {"ty", &Freedom::ty},
                                         {"tz", &Freedom::tz}}};
constexpr Freedom nothing_free{false, false, false, false, false, false};

std::string with_underscores(std::string_view text) {
  std::string name(text);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

template <class Names>
std::string joined(const Names& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

[[noreturn]] void refuse(std::string_view name, std::string_view value, std::string_view allowed) {
  throw InvalidArgument(fmt::format("option {}: {} is not allowed; allowed: {}", name, value, allowed));
}

template <class Number>
std::string print(Number v) {
  return fmt::format("{}", v);
}
std::string print(const Freedom& v) {
  std::vector<std::string_view> free;
  for (const Motion& m : motions) {
    if (v.*m.field) free.push_back(m.name);
  }
  return fmt::format("{}", fmt::join(free, ","));
}
template <class Enum>
requires std::is_enum_v<Enum> std::string print(Enum v) {
  return std::string(names_of<Enum>[static_cast<std::size_t>(v)]);
}

template <class Number>
bool parse(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}
bool parse(std::string_view text, bool& v) {
  v = text == "true" || text == "1" || text == "yes" || text == "on";
  return v || text == "false" || text == "0" || text == "no" || text == "off";
}
bool parse(std::string_view text, Freedom& v) {
  v = nothing_free;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view name = text.substr(0, comma);
    const auto motion = std::find_if(motions.begin(), motions.end(), [&](const Motion& m) { return m.name == name; });
    if (motion == motions.end()) return false;
    v.*motion->field = true;
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return v != nothing_free;
}
template <class Enum>
requires std::is_enum_v<Enum>
bool parse(std::string_view text, Enum& v) {
  const auto& names = names_of<Enum>;
  const auto at = std::find(names.begin(), names.end(), with_underscores(text));
  v = static_cast<Enum>(at - names.begin());
  return at != names.end();
}

template <class Value>
std::string kind_of(const Value&) {
  if (std::is_same_v<Value, double>) return "number";
  if (std::is_same_v<Value, bool>) return "flag";
  if (std::is_same_v<Value, Freedom>) return "motions";
  return std::is_enum_v<Value> ? "choice" : "integer";
}

template <class Value>
std::string allowed_for(const Range& range, const Value&) {
  if constexpr (std::is_same_v<Value, bool>) return "true, false";
  if constexpr (std::is_same_v<Value, Freedom>) return "one or more of rx,ry,rz,tx,ty,tz";
  if constexpr (std::is_enum_v<Value>) return joined(names_of<Value>);
  return std::string(range.text);
}

template <class Value>
bool within(const Range& range, const Value& value) {
  if constexpr (std::is_same_v<Value, double> || std::is_same_v<Value, int>) {
    const auto v = static_cast<double>(value);
    if (!std::isfinite(v)) return false;
    if (range.zero_too && v == 0) return true;
    return (range.low_excluded ? v > range.low : v >= range.low) && v <= range.high;
  }
  if constexpr (std::is_same_v<Value, Freedom>) return value != nothing_free;
  return true;
}

template <class Options>
const OptionRow<Options>& find_row(std::string_view name) {
  const auto rows = option_rows<Options>();
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r.name == with_underscores(name); });
  if (row == rows.end()) {
    std::vector<std::string_view> names;
    for (const auto& r : rows) names.push_back(r.name);
    throw InvalidArgument(fmt::format("there is no option {}; there are: {}", name, joined(names)));
  }
  return *row;
}

/// Calls f with the value that a row is of.
template <class Options, class F>
auto visit_value(const OptionRow<std::remove_const_t<Options>>& row, Options& options, F&& f) {
  return std::visit([&](auto field) { return f(options.*field); }, row.field);
}

/// Of a schedule that narrows, where both ends are given.
void check_order(const char* first, double start, const char* last, double end) {
  if (start > 0 && end > start) {
    throw InvalidArgument(
        fmt::format("option {}: {} is more than {}, which is {}: the schedule narrows", last, end, first, start));
  }
}

constexpr std::string_view cuda_device = "cuda:";

/// `cuda:1` is a machine and a device at once.
template <class Options>
void set_cuda_device(Options& options, std::string_view value) {
  try {
    set_option(options, "device", value.substr(cuda_device.size()));
  } catch (const InvalidArgument&) {
    refuse("machine", fmt::format("'{}'", value), "auto, cpu, cuda, cuda:N, reference");
  }
  options.machine = Machine::cuda;
}

}  // namespace

template <class Options>
std::vector<OptionInfo> list_options() {
  static const Options defaults{};
  std::vector<OptionInfo> list;
  for (const auto& row : option_rows<Options>()) {
    visit_value(row, defaults, [&](const auto& value) {
      list.push_back(
          {std::string(row.name), kind_of(value), print(value), allowed_for(row.range, value), std::string(row.help)});
    });
  }
  return list;
}

template <class Options>
void set_option(Options& options, std::string_view name, std::string_view value) {
  const auto& row = find_row<Options>(name);
  if constexpr (requires { options.machine; }) {
    if (row.name == "machine" && value.starts_with(cuda_device)) return set_cuda_device(options, value);
  }
  visit_value(row, options, [&](auto& option) {
    std::remove_reference_t<decltype(option)> parsed{};
    const bool automatic = row.range.zero_too && value == "auto";  // 0 by its other name
    if (!(automatic || parse(value, parsed)) || !within(row.range, parsed)) {
      refuse(row.name, fmt::format("'{}'", value), allowed_for(row.range, parsed));
    }
    option = parsed;
  });
}

template <class Options>
std::string get_option(const Options& options, std::string_view name) {
  return visit_value(find_row<Options>(name), options, [](const auto& value) { return print(value); });
}

template <class Options>
void validate(const Options& options) {
  for (const auto& row : option_rows<Options>()) {
    visit_value(row, options, [&](const auto& value) {
      if (!within(row.range, value)) refuse(row.name, print(value), allowed_for(row.range, value));
    });
  }
  if constexpr (requires { options.sigma_start; }) {
    check_order("sigma_start", options.sigma_start, "sigma_end", options.sigma_end);
  }
  if constexpr (requires { options.cap_start; }) {
    check_order("cap_start", options.cap_start, "cap_end", options.cap_end);
  }
}

#define DOVETAIL_INSTANTIATE(Options)                                     \
  template std::vector<OptionInfo> list_options<Options>();               \
  template void set_option(Options&, std::string_view, std::string_view); \
  template std::string get_option(const Options&, std::string_view);      \
  template void validate(const Options&);
DOVETAIL_INSTANTIATE(Icp)
DOVETAIL_INSTANTIATE(EmIcp)
DOVETAIL_INSTANTIATE(Softassign)
DOVETAIL_INSTANTIATE(Chamfer)
DOVETAIL_INSTANTIATE(Gpicp)
DOVETAIL_INSTANTIATE(Find)
DOVETAIL_INSTANTIATE(FieldOptions)
DOVETAIL_INSTANTIATE(SymmetryOptions)
DOVETAIL_INSTANTIATE(PoseEvaluationOptions)
DOVETAIL_INSTANTIATE(BinOptions)
DOVETAIL_INSTANTIATE(PoseDatabaseOptions)
DOVETAIL_INSTANTIATE(FindParts)
DOVETAIL_INSTANTIATE(DepthSensor)
DOVETAIL_INSTANTIATE(BinImages)
DOVETAIL_INSTANTIATE(Run)
#undef DOVETAIL_INSTANTIATE

std::vector<std::string> method_names() { return {"icp", "em-icp", "softassign", "chamfer", "gpicp"}; }

}  // namespace dovetail
