// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>

#include "dovetail/points.h"

namespace dovetail::io {

/// The number types of point files, in the order of Attribute::Values.
enum class ScalarType : std::uint8_t { int8, uint8, int16, uint16, int32, uint32, int64, uint64, float32, float64 };

/// Calls `f(std::type_identity<T>{})` with the C++ type of `type`.
template <class F>
decltype(auto) with_type(ScalarType type, F&& f) {
  switch (type) {
    case ScalarType::int8:
      return f(std::type_identity<std::int8_t>{});
    case ScalarType::uint8:
      return f(std::type_identity<std::uint8_t>{});
    case ScalarType::int16:
      return f(std::type_identity<std::int16_t>{});
    case ScalarType::uint16:
      return f(std::type_identity<std::uint16_t>{});
    case ScalarType::int32:
      return f(std::type_identity<std::int32_t>{});
    case ScalarType::uint32:
      return f(std::type_identity<std::uint32_t>{});
    case ScalarType::int64:
      return f(std::type_identity<std::int64_t>{});
    case ScalarType::uint64:
      return f(std::type_identity<std::uint64_t>{});
    case ScalarType::float32:
      return f(std::type_identity<float>{});
    case ScalarType::float64:
      break;
  }
  return f(std::type_identity<double>{});
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

/// An empty column that holds numbers of `type`.
inline Attribute make_column(std::string name, ScalarType type, int components = 1) {
  return {std::move(name), components,
          with_type(type, []<class T>(std::type_identity<T>) { return Attribute::Values(std::vector<T>()); })};
}

}  // namespace dovetail::io
