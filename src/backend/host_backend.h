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

  /// Says that a method's pass is `pass`.
  template <Method M, BlockPass<M> pass>
  void add_pass() {
    add<Batch<M>>(
        [](Backend& self, void* batch) { static_cast<Machine&>(self).loop(*static_cast<Batch<M>*>(batch), pass); });
  }
  /// Says that those of a list of methods are what `passes()` returns.
  template <auto passes, class... M>
  void add_passes(List<M...>) {
    (add<Batch<M>>([](Backend& self, void* batch) {
       static_cast<Machine&>(self).loop(*static_cast<Batch<M>*>(batch), std::get<BlockPass<M>>(passes()));
     }),
     ...);
  }
};

}  // namespace dovetail
