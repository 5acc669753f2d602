// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/bop_json.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "dovetail/error.h"
#include "io/cursor.h"

namespace dovetail::io {

void JsonPlace::fail(std::string_view reason) const {
  throw FileError(path_.empty() ? fmt::format("{}: {}", file_, reason)
                                : fmt::format("{}: {}: {}", file_, path_, reason));
}

JsonPlace JsonPlace::at(const char* key) const {
  if (!value_->is_object()) fail(fmt::format("is no object that could have a \"{}\"", key));
  const auto found = value_->find(key);
  if (found == value_->end()) fail(fmt::format("\"{}\" is missing", key));
  return {file_, path_.empty() ? key : path_ + '.' + key, *found};
}

std::vector<JsonPlace> JsonPlace::elements() const {
  if (!value_->is_array()) fail("a list was expected");
  std::vector<JsonPlace> places;
  for (const Json& element : *value_) {
    places.push_back({file_, fmt::format("{}[{}]", path_, places.size()), element});
  }
  return places;
}

std::vector<std::pair<int, JsonPlace>> JsonPlace::by_id() const {
  if (!value_->is_object()) fail("an object with a key for each id was expected");
  std::vector<std::pair<int, JsonPlace>> places;
  for (const auto& [key, value] : value_->items()) {
    int id = -1;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), id);
    if (error != std::errc() || end != key.data() + key.size() || id < 0) {
      fail(fmt::format("the key {} is no id: a whole number from 0 on was expected", in_quotes(key)));
    }
    places.emplace_back(id, JsonPlace(file_, path_.empty() ? key : path_ + '.' + key, value));
  }
  return places;
}

double JsonPlace::number() const {
  if (!value_->is_number()) fail(fmt::format("a number was expected, not {}", value_->type_name()));
  const double number = value_->get<double>();
  if (!std::isfinite(number)) fail("the number is not finite");
  return number;
}

bool JsonPlace::truth() const {
  if (!value_->is_boolean()) fail(fmt::format("true or false was expected, not {}", value_->type_name()));
  return value_->get<bool>();
}

std::string JsonPlace::text() const {
  if (!value_->is_string()) fail(fmt::format("a text was expected, not {}", value_->type_name()));
  return value_->get<std::string>();
}

int JsonPlace::whole_number(int least) const {
  const double real = number();
  if (real != std::trunc(real) || real < least || real > std::numeric_limits<int>::max()) {
    fail(fmt::format("{} is not allowed; allowed: whole numbers from {} on", real, least));
  }
  return static_cast<int>(real);
}

std::uint64_t JsonPlace::seed() const {
  if (!value_->is_number_unsigned()) fail("a whole number from 0 on was expected");
  return value_->get<std::uint64_t>();
}

void JsonPlace::read_numbers(double* to, int count) const {
  if (!value_->is_array()) fail(fmt::format("a list of {} numbers was expected", count));
  if (value_->size() != static_cast<std::size_t>(count)) {
    fail(fmt::format("{} numbers; {} were expected", value_->size(), count));
  }
  for (const Json& element : *value_) {
    if (!element.is_number() || !std::isfinite(element.get<double>()))
      fail("one of the numbers is none that is finite");
    *to++ = element.get<double>();
  }
}

}  // namespace dovetail::io
