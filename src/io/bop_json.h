// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dovetail/matrix.h"
#include "io/json_text.h"

namespace dovetail::io {

/// A value of a JSON file and the way that leads to it, `3[1].cam_R_m2c`, which every refusal names. The JSON must stay
/// as long as the place does.
class JsonPlace {
 public:
  JsonPlace(std::string_view file, const Json& root) : file_(file), value_(&root) {}

  bool has(const char* key) const { return value_->is_object() && value_->contains(key); }
  /// What stands under a key, which has to be there.
  JsonPlace at(const char* key) const;
  /// The elements of a list.
  std::vector<JsonPlace> elements() const;
  /// What stands under the keys of an object that has whole numbers for keys.
  std::vector<std::pair<int, JsonPlace>> by_id() const;

  double number() const;  ///< finite
  int whole_number(int least) const;
  std::uint64_t seed() const;  ///< a whole number from 0 on, of up to 64 bits
  bool truth() const;
  std::string text() const;
  /// Whether there is a value that is not null.
  bool given() const { return !value_->is_null(); }
  Vec3 vector() const { return matrix<3, 1>(); }
  /// R × C finite numbers, row by row.
  template <int R, int C>
  Matrix<double, R, C> matrix() const {
    Matrix<double, R, C> m{};
    read_numbers(m.data, R * C);
    return m;
  }

  [[noreturn]] void fail(std::string_view reason) const;

 private:
  JsonPlace(std::string file, std::string path, const Json& value)
      : file_(std::move(file)), path_(std::move(path)), value_(&value) {}
  void read_numbers(double* to, int count) const;

  std::string file_, path_;
  const Json* value_;
};

}  // namespace dovetail::io
