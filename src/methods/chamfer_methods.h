// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "methods/chamfer.h"
#include "methods/chamfer_fit.h"
#include "methods/chamfer_lines.h"

/// Every method that looks points up in a field: X(method) for each.
#define DOVETAIL_CHAMFER_METHODS(X)          \
  X(chamfer::Fit<2>)                         \
  X(chamfer::Fit<3>)                         \
  DOVETAIL_CHAMFER_MODELS(X, chamfer::Align) \
  DOVETAIL_CHAMFER_MODELS(X, chamfer::Spread)

/// Every method that looks points up among lines.
#define DOVETAIL_LINE_METHODS(X)  \
  X(chamfer::Likely<Rigid2>)      \
  X(chamfer::Likely<Similarity2>) \
  X(chamfer::Likely<Affine2>)     \
  X(chamfer::Likely<Projective2>)

/// X(method<model>) for each model.
#define DOVETAIL_CHAMFER_MODELS(X, Method) \
  X(Method<Rigid2>)                        \
  X(Method<Similarity2>)                   \
  X(Method<Affine2>)                       \
  X(Method<Projective2>)                   \
  X(Method<Rigid3>)                        \
  X(Method<Similarity3>)                   \
  X(Method<Affine3>)
