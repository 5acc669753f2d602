// SPDX-License-Identifier: MIT
// Part of Dovetail.

// Calls every host-device function of core in a kernel: that it compiles is the test.

#include "core/fit.h"
#include "core/histogram.h"
#include "core/ldlt.h"
#include "core/normal_equations.h"
#include "core/random.h"
#include "core/smallest_eigenvector.h"
#include "core/weak_directions.h"
#include "dovetail/transform.h"

namespace dovetail {
namespace {

template <class G>
__device__ double use_model(RandomStream& random) {
  typename G::Tangent t{};
  for (double& x : t.data) x = random.uniform(-1.0, 1.0);
  typename G::Point p{};
  p[0] = random.uniform();
  const G g = G::exp(t) * G::identity();
  const auto moved = g.inverse() * (g * p);
  return moved[0] + g.log()[0] + G::action_jacobian(p)(0, 0) + g.matrix()(0, 0);
}

template <class T>
__device__ T use_solvers(RandomStream& random) {
  Symmetric<T, 6> a{};
  Vector<T, 6> b{};
  for (int k = 0; k < 9; ++k) {
    for (T& x : b.data) x = static_cast<T>(random.normal());
    a.add_outer(T(1), b);
  }
  Symmetric<T, 3> c = Symmetric<T, 3>::identity();
  c.add_outer(T(2), {b[0], b[1], b[2]});
  const auto e = eigen_symmetric(a);
  const auto f = ldlt(a);
  const auto x = f.solve(b) + solve_masked(a, b, 0x2du).x + solve_truncated(a, b, T(1e-6)).x;
  const Matrix<T, 3, 3> r = nearest_rotation(c.to_matrix());
  return x[0] + f.inverse()(0, 1) + f.health() + e.values[0] + smallest_eigenvector(c)[0] + log_so3(r)[0] +
         rotation_angle(exp_so3(Vector<T, 3>{b[0], b[1], b[2]})) + rotation_angle(exp_so2(b[0])) +
         left_jacobian_inverse_so3(left_jacobian_so3(Vector<T, 3>{b[0], b[1], b[2]}) * Vector<T, 3>{b[3], b[4], b[5]})(
             0, 0) +
         polar_rotation(c.to_matrix())(0, 0) + log_positive_definite(c.to_matrix())(0, 0) +
         nearest_rotation(Matrix<T, 2, 2>{b[0], b[1], b[2], b[3]})(0, 0);
}

__global__ void use_everything(unsigned long long seed, const std::uint32_t* counts, double* out) {
  RandomStream random(seed, threadIdx.x);
  Moments m = Moments::zero();
  for (unsigned i = 0; i < 10 + random.below(5); ++i) {
    const Vec3 p = random.unit_vector();
    m.add(1.0, p, random.rotation() * p);
  }
  Moments twice = m;
  twice += m;
  const auto rigid = fit_rigid3(twice);
  const auto similarity = fit_similarity3(m);
  NormalEquations<7> e = point_to_point_equations(m, similarity.target_from_source, m.target_mean());
  e.add(1.0, plane_row(random.unit_vector(), random.unit_vector()), random.normal());
  e += e;
  const auto step = solve_masked(e.jtj, -e.jtr, all_unknowns(7));
  const auto next = step_about(m.target_mean(), step.x) * similarity.target_from_source;
  const auto rigid_step = step_about(m.target_mean(), Rigid3::Tangent{}) * rigid.target_from_source;
  double sum = next.scale + rigid_step.translation[0] + m.cost(next) + fit_rigid2(m).free_directions +
               fit_similarity2(m).target_from_source.scale;
  sum += use_model<Rigid2>(random) + use_model<Similarity2>(random) + use_model<Affine2>(random) +
         use_model<Projective2>(random) + use_model<Rigid3>(random) + use_model<Similarity3>(random) +
         use_model<Affine3>(random);
  sum += use_solvers<double>(random) + use_solvers<float>(random);
  sum += residual_histogram::quantile(counts, 0.5) + residual_histogram::bin(random.uniform_f());
  sum += degrees_of_freedom(Model::affine3) + dimension(Model::rigid2);
  out[threadIdx.x] = sum;
}

}  // namespace

void launch_everything(unsigned long long seed, const std::uint32_t* counts, double* out) {
  use_everything<<<1, 32>>>(seed, counts, out);
}

}  // namespace dovetail
