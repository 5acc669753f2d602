// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "command.h"
#include "dovetail/bin_images.h"
#include "dovetail/error.h"
#include "option_flags.h"
#include "output.h"
#include "usage.h"

namespace dovetail::app {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const std::vector<OptionInfo>& options) {
  Json list = Json::array();
  for (const OptionInfo& o : options) {
    list.push_back({{"name", o.name},
                    {"flag", flag_name(o.name)},
                    {"kind", o.kind},
                    {"default", o.default_value},
                    {"allowed", o.allowed},
                    {"help", o.help}});
  }
  return list;
}

void print_table(const std::string& heading, const std::vector<OptionInfo>& options) {
  fmt::print("{}\n", heading);
  for (const OptionInfo& o : options) {
    fmt::print("  {:<22} {}\n  {:<22}   default {}; allowed: {}\n", flag_name(o.name), o.help, "", o.default_value,
               o.allowed);
  }
}

/// Those of `bin simulate`, whose --size stands for three of them.
std::vector<OptionInfo> bin_options() {
  std::vector<OptionInfo> all;
  for (const auto& list : {list_options<BinOptions>(), list_options<BinImages>(), list_options<DepthSensor>()}) {
    for (const OptionInfo& o : list) {
      if (o.name != "length" && o.name != "width" && o.name != "height") all.push_back(o);
    }
  }
  return all;
}

std::vector<std::pair<std::string, std::vector<OptionInfo>>> methods() {
  std::vector<OptionInfo> chamfer = list_options<Chamfer>();
  for (OptionInfo& field : list_options<FieldOptions>()) chamfer.push_back(std::move(field));
  return {
      {"icp", list_options<Icp>()},    {"em-icp", list_options<EmIcp>()}, {"softassign", list_options<Softassign>()},
      {"chamfer", std::move(chamfer)}, {"gpicp", list_options<Gpicp>()},  {"find", list_options<Find>()},
      {"bin", bin_options()}};
}

/// A name that is not in the list as it stands: with other hyphens it may be.
std::string named_of(const std::vector<std::pair<std::string, std::vector<OptionInfo>>>& listed, std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  std::vector<std::string> names;
  for (const auto& [listed_name, options] : listed) names.push_back(listed_name);
  if (std::find(names.begin(), names.end(), name) != names.end()) return name;
  const std::string meant = suggestion(name, names);
  throw InvalidArgument(fmt::format("there is no method '{}'{}{} {}", name, meant,
                                    meant.empty() ? "; there are:" : " There are:", fmt::join(names, ", ")));
}

struct OptionsCommand {
  std::string method, json;
  CLI::Option* json_flag = nullptr;

  void add_to(CLI::App& command) {
    command.add_option("METHOD", method, "a method, find or bin; all when left out")->type_name("NAME");
    json_flag = command.add_option("--json", json, "as JSON, to a file or (-, or nothing) to stdout")
                    ->type_name("[FILE|-]")
                    ->expected(0, 1);
  }

  int run() {
    if (json_flag->count() > 0 && json.empty()) json = "-";
    // `options --json icp`: what follows the flag is the method, unless it looks like a file.
    if (method.empty() && json != "-" && json.find_first_of("./") == std::string::npos && !json.empty()) {
      method = std::exchange(json, "-");
    }
    const auto all_methods = methods();
    const auto is_named = [&](const auto& listed) { return listed.first == method; };
    const bool known = std::any_of(all_methods.begin(), all_methods.end(), is_named);
    if (!method.empty() && !known) method = named_of(all_methods, method);
    Json listed = Json::object();
    for (const auto& [name, options] : all_methods) {
      if (!method.empty() && method != name) continue;
      if (json.empty()) print_table(name, options);
      listed[name] = json_of(options);
    }
    if (json.empty()) {
      print_table("every method", list_options<Run>());
      return success;
    }
    const Json all = {{"schema", "dovetail.options/1"}, {"methods", listed}, {"run", json_of(list_options<Run>())}};
    const std::string text = all.dump(2) + '\n';
    if (json == "-") {
      fmt::print("{}", text);
    } else {
      check_writable(json);
      std::ofstream file(json);
      file << text;
      if (!file.flush()) throw FileError(json + ": cannot be written");
    }
    return success;
  }
};

}  // namespace

void add_options(CLI::App& program, Action& action) {
  add_command<OptionsCommand>(program, action, "options", "List the options of a method, with defaults and ranges",
                              "Example: dovetail options icp");
}

}  // namespace dovetail::app
