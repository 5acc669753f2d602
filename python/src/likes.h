// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <pybind11/pybind11.h>

// Arguments that may be many things. They enter as they are, under the names that help texts and stubs give them
// (dovetail/_types.py), and are converted where it is known what they are called.

namespace dovetail::python {

struct PointsLike {  ///< arrays, clouds, meshes, files, memory of a GPU
  pybind11::object object;
};
struct PoseLike {  ///< matrices, results, files
  pybind11::object object;
};
struct ArrayLike {  ///< arrays, and nothing else: a message of one's own is shorter than pybind11's
  pybind11::object object;
};
struct ReferenceLike {  ///< what PointsLike may be, and a Reference or a DistanceField
  pybind11::object object;
};

}  // namespace dovetail::python

namespace pybind11::detail {

template <class Like>
struct like_caster {
  Like value;
  bool load(handle src, bool) {
    value.object = reinterpret_borrow<object>(src);
    return true;
  }
  operator Like&() { return value; }   // NOLINT
  operator Like*() { return &value; }  // NOLINT
  template <class T>
  using cast_op_type = pybind11::detail::cast_op_type<T>;
};
template <>
struct type_caster<dovetail::python::PointsLike> : like_caster<dovetail::python::PointsLike> {
  static constexpr auto name = const_name("dovetail.PointsLike");
};
template <>
struct type_caster<dovetail::python::PoseLike> : like_caster<dovetail::python::PoseLike> {
  static constexpr auto name = const_name("dovetail.PoseLike");
};
template <>
struct type_caster<dovetail::python::ArrayLike> : like_caster<dovetail::python::ArrayLike> {
  static constexpr auto name = const_name("numpy.ndarray");
};
template <>
struct type_caster<dovetail::python::ReferenceLike> : like_caster<dovetail::python::ReferenceLike> {
  static constexpr auto name = const_name("dovetail.ReferenceLike");
};

}  // namespace pybind11::detail
