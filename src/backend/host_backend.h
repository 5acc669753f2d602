// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <tuple>

#include "backend/backend.h"
#include "backend/host_loop.h"

namespace dovetail {

/// A pass over one block of a method.
template <Method M>
using BlockPass = void (*)(const Block<M>&);

/// Those of a list of methods.
template <class... M>
std::tuple<BlockPass<M>...> block_passes_of(List<M...>);
template <class Methods>
using BlockPasses = decltype(block_passes_of(Methods{}));

/// A machine whose loop runs on the host. `Machine` has loop(batch, pass).
template <class Machine>
class HostBackend : public Backend {
 protected:
  HostBackend() : Backend(std::make_shared<HostMemory>()) {}

  /// Says that the pass of each of some methods is `pass`, a function of their blocks.
  template <auto pass, class... M>
  void add_pass(List<M...> methods) {
    add_passes<[] { return std::tuple{BlockPass<M>([](const Block<M>& block) { pass(block); })...}; }>(methods);
  }
  /// Says that those of a list of methods are what `passes()` returns.
  template <auto passes, class... M>
  void add_passes(List<M...>) {
    (add<Batch<M>>([](Backend& self, void* batch) {
       static_cast<Machine&>(self).loop(*static_cast<Batch<M>*>(batch), std::get<BlockPass<M>>(passes()));
     }),
     ...);
  }
  /// Says how the machine searches, which is all that the methods of rows have to know.
  template <class Search>
  void add_rows() {
    add_pass<[]<class M>(const Block<M>& b) {
      // Copies: what rows are written to might else be these, as far as a compiler knows, which would read them again.
      const typename M::Data data = b.data;
      const typename M::Params params = b.params;
      const typename M::State state = b.state;
      typename M::Sums sums{};
      for (std::uint32_t i = b.first; i < b.last; ++i) M::add_item(data, params, state, i, Search{}, sums);
      b.sums = sums;
    }>(Joined<RowMethods, PixelMethods>{});
  }
  /// The same for methods of samples.
  template <class Search>
  void add_samples() {
    add_pass<[]<class M>(const Block<M>& b) {
      const typename M::Context context = M::context_of(b.data, b.params, b.state, b.hypothesis);
      typename M::Sums sums{};
      for (std::uint32_t i = b.first; i < b.last; ++i) {
        M::add_item(b.data, b.params, b.state, b.hypothesis, context, i, Search{}, sums);
      }
      b.sums = sums;
    }>(SampleMethods{});
  }
};

}  // namespace dovetail
