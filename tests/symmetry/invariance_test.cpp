// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "core/random.h"
#include "dovetail/dovetail.h"
#include "dovetail/scanner.h"
#include "symmetry/symmetry_parts.h"

// A part's symmetry does not depend on how it lies, on its units, or on where the origin is.

namespace dovetail::test {
namespace {

std::vector<PointCloud> parts() {
  return {cube(),
          prism(polygon(6, 30), -8, 8),
          prism(polygon(64, 20), -45, 45),
          prism(l_outline(60), 0, 30, {10, 10}),
          tetrahedron(),
          chiral_part(),
          spring(3.25),
          built_in_part(BuiltInPart::t_pipe)};
}

TEST(SymmetryInvariance, OfMotionAndUnits) {
  std::uint64_t number = 0;
  for (const PointCloud& part : parts()) {
    const Symmetry still = find_symmetry(part);
    for (const double scale : {1e-3, 1e3}) {
      for (const double far : {0.0, 1e6}) {
        RandomStream random(7, number++);
        const Similarity3 moved_from_part{random.rotation(), far * scale * random.unit_vector(), scale};
        const Symmetry moved = find_symmetry(Transform(moved_from_part) * part);
        ASSERT_EQ(group_name(moved), group_name(still)) << "scale " << scale << " far " << far;
        EXPECT_EQ(moved.mirror, still.mirror);
        // A million away, doubles tell 1e-10 of the file's units; fits and facets leave more.
        EXPECT_NEAR(moved.diameter, scale * still.diameter, 1e-9 * scale * (still.diameter + far));
        if (still.kind == SymmetryKind::none) continue;
        const Vec3 axis = moved_from_part.rotation * still.axes.front().direction;
        double best = 1;
        for (const SymmetryAxis& a : moved.axes) best = std::min(best, norm(cross(a.direction, axis)));
        // Free turns of a faceted cylinder leave its axis to the facets' play; it still is within a tenth of a degree.
        EXPECT_LT(best, 2e-3);
        const Vec3 off = moved_from_part * still.center - moved.center;
        EXPECT_LT(norm(off - dot(off, axis) * axis), 1e-3 * moved.diameter);
      }
    }
  }
}

TEST(SymmetryInvariance, OfThreads) {
  dovetail::Run one, two;
  one.threads = 1;
  two.threads = 2;
  for (const PointCloud& part : {cube(), spring(3.25)}) {
    EXPECT_EQ(to_json(find_symmetry(part, {}, one)), to_json(find_symmetry(part, {}, two)));
  }
}

/// Another triangulation is the same surface.
TEST(SymmetryInvariance, OfTriangulation) {
  PointCloud uneven = cube();
  PointCloud finer;
  for (std::size_t f = 0; f < uneven.faces.size(); ++f) {  // divide the first faces about their middles, the others not
    std::vector<Vec3> corners;
    for (std::uint32_t i = uneven.faces.start[f]; i < uneven.faces.start[f + 1]; ++i) {
      corners.push_back(uneven.positions[uneven.faces.index[i]]);
    }
    const auto first = static_cast<std::uint32_t>(finer.size());
    finer.positions.insert(finer.positions.end(), corners.begin(), corners.end());
    const auto n = static_cast<std::uint32_t>(corners.size());
    if (f < 5) {
      Vec3 middle{};
      for (const Vec3& p : corners) middle += (1.0 / n) * p;
      finer.positions.push_back(middle);
      for (std::uint32_t i = 0; i < n; ++i) finer.faces.add({first + i, first + (i + 1) % n, first + n});
    } else {
      for (std::uint32_t i = 2; i < n; ++i) finer.faces.add({first, first + i - 1, first + i});
    }
  }
  EXPECT_EQ(group_name(find_symmetry(finer)), "O");
}

}  // namespace
}  // namespace dovetail::test
