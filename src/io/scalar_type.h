// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "dovetail/points.h"

namespace dovetail::io {

/// The number types of point files, in the order of Attribute::Values.
enum class ScalarType : std::uint8_t { int8, uint8, int16, uint16, int32, uint32, int64, uint64, float32, float64 };

/// Calls `f(std::type_identity<T>{})` with the C++ type of `type`.
template <std::size_t first = 0, class F>
decltype(auto) with_type(ScalarType type, F&& f) {
  if constexpr (first + 1 < std::variant_size_v<Attribute::Values>) {
    if (static_cast<std::size_t>(type) != first) return with_type<first + 1>(type, std::forward<F>(f));
  }
  return f(std::type_identity<typename std::variant_alternative_t<first, Attribute::Values>::value_type>{});
}

inline std::size_t size_of(ScalarType type) {
  return with_type(type, []<class T>(std::type_identity<T>) { return sizeof(T); });
}

inline bool is_floating(ScalarType type) { return type == ScalarType::float32 || type == ScalarType::float64; }

inline ScalarType type_of(const Attribute::Values& values) { return static_cast<ScalarType>(values.index()); }
static_assert(
    std::is_same_v<std::variant_alternative_t<static_cast<std::size_t>(ScalarType::uint16), Attribute::Values>,
                   std::vector<std::uint16_t>>);
static_assert(
    std::is_same_v<std::variant_alternative_t<static_cast<std::size_t>(ScalarType::float64), Attribute::Values>,
                   std::vector<double>>);

/// The letter of the type's kind among `letters`: those for signed integers, unsigned ones and real numbers.
inline char kind_of(ScalarType type, std::string_view letters) {
  return letters[is_floating(type) ? 2 : static_cast<std::size_t>(type) % 2];
}

/// The type of a kind and a size; none where there is no such.
inline std::optional<ScalarType> find_type(char kind, std::size_t bytes, std::string_view letters) {
  for (std::size_t i = 0; i < std::variant_size_v<Attribute::Values>; ++i) {
    const auto type = static_cast<ScalarType>(i);
    if (kind_of(type, letters) == kind && size_of(type) == bytes) return type;
  }
  return std::nullopt;
}

/// An empty column that holds numbers of `type`.
inline Attribute make_column(std::string name, ScalarType type, int components = 1) {
  return {std::move(name), components,
          with_type(type, []<class T>(std::type_identity<T>) { return Attribute::Values(std::vector<T>()); })};
}

}  // namespace dovetail::io
