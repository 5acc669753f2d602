// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "dovetail/models.h"
#include "dovetail/options.h"
#include "dovetail/registration.h"
#include "dovetail/transform.h"

// Results as values that pickle keeps: they travel between processes, of the same version of Dovetail.

namespace dovetail::python {

namespace py = pybind11;

/// The members that make up a T: a struct with a function of(), which ties them.
template <class T>
struct Fields;

/// Whether T is a struct of options with a table: its rows go as text, and Fields<T> has the rest.
template <class T>
inline constexpr bool has_table = false;

template <>
struct Fields<Transform> {
  static auto of(auto& t) { return std::tie(t.model, t.matrix); }
};
template <>
struct Fields<Rigid3> {
  static auto of(auto& r) { return std::tie(r.rotation, r.translation); }
};
template <>
struct Fields<Evidence> {
  static auto of(auto& e) { return std::tie(e.name, e.value); }
};

/// Options as text by name, which is what the table reads.
template <class Options>
py::dict option_texts(const Options& options) {
  py::dict texts;
  for (const OptionInfo& info : list_options<Options>()) texts[py::str(info.name)] = get_option(options, info.name);
  return texts;
}

template <class Options>
void set_texts(Options& options, const py::dict& texts) {
  for (const auto& [name, text] : texts.cast<std::map<std::string, std::string>>()) set_option(options, name, text);
}

namespace state {

template <class T>
concept Struct = requires(T& t) {
  Fields<T>::of(t);
};
template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_shared = false;
template <class T>
inline constexpr bool is_shared<std::shared_ptr<T>> = true;
template <class T>
inline constexpr bool is_map = false;
template <class T>
inline constexpr bool is_map<std::map<int, T>> = true;
template <class T>
inline constexpr bool is_matrix = false;
template <int R, int C>
inline constexpr bool is_matrix<Matrix<double, R, C>> = true;

/// Numbers of which there may be as many as an image has pixels.
template <class T>
inline constexpr bool is_bulk = std::is_same_v<T, float> || std::is_same_v<T, std::uint8_t>;

}  // namespace state

/// A value as Python's own numbers, texts, lists and tuples.
template <class T>
py::object state_of(const T& value) {
  if constexpr (state::Struct<T>) {
    py::list members;
    if constexpr (has_table<T>) members.append(option_texts(value));
    std::apply([&](const auto&... member) { (members.append(state_of(member)), ...); }, Fields<T>::of(value));
    return py::tuple(members);
  } else if constexpr (std::is_enum_v<T>) {
    return py::int_(static_cast<int>(value));
  } else if constexpr (state::is_matrix<T>) {
    return py::cast(std::vector<double>(std::begin(value.data), std::end(value.data)));
  } else if constexpr (state::is_optional<T> || state::is_shared<T>) {
    return value ? state_of(*value) : py::none();
  } else if constexpr (state::is_vector<T>) {
    if constexpr (state::is_bulk<typename T::value_type>) {
      return py::array_t<typename T::value_type>(static_cast<py::ssize_t>(value.size()), value.data());
    } else {
      py::list items;
      for (const auto& item : value) items.append(state_of(item));
      return items;
    }
  } else if constexpr (state::is_map<T>) {
    py::dict items;
    for (const auto& [key, item] : value) items[py::int_(key)] = state_of(item);
    return items;
  } else {
    return py::cast(value);
  }
}

/// And back. Throws where it is no such state.
template <class T>
void restore(T& value, const py::handle& from) {
  if constexpr (state::Struct<T>) {
    const auto members = from.cast<py::tuple>();
    std::size_t next = 0;
    if constexpr (has_table<T>) set_texts(value, members[next++].template cast<py::dict>());
    std::apply([&](auto&... member) { (restore(member, members[next++]), ...); }, Fields<T>::of(value));
  } else if constexpr (std::is_enum_v<T>) {
    value = static_cast<T>(from.cast<int>());
  } else if constexpr (state::is_matrix<T>) {
    const auto numbers = from.cast<std::vector<double>>();
    std::copy_n(numbers.begin(), std::min<std::size_t>(numbers.size(), T::size), value.data);
  } else if constexpr (state::is_optional<T>) {
    if (from.is_none()) return value.reset();
    restore(value.emplace(), from);
  } else if constexpr (state::is_shared<T>) {
    if (from.is_none()) return value.reset();
    auto own = std::make_shared<std::remove_const_t<typename T::element_type>>();
    restore(*own, from);
    value = std::move(own);
  } else if constexpr (state::is_vector<T>) {
    if constexpr (state::is_bulk<typename T::value_type>) {
      const auto numbers = from.cast<py::array_t<typename T::value_type, py::array::c_style>>();
      value.assign(numbers.data(), numbers.data() + numbers.size());
    } else {
      value.clear();
      for (const py::handle item : from) restore(value.emplace_back(), item);
    }
  } else if constexpr (state::is_map<T>) {
    value.clear();
    for (const auto& [key, item] : from.cast<py::dict>()) restore(value[key.template cast<int>()], item);
  } else {
    value = from.cast<T>();
  }
}

/// What makes a class that Fields tells about fit for pickle and copy.
template <class T>
auto pickled() {
  return py::pickle([](const T& value) { return py::make_tuple(state_of(value)); },
                    [](const py::tuple& from) {
                      T value{};
                      restore(value, from[0]);
                      return value;
                    });
}

}  // namespace dovetail::python
