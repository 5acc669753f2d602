// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "spatial/cloud_view.h"
#include "spatial/cluster_tree.h"
#include "spatial/distance_field.h"
#include "spatial/kd_tree.h"
#include "spatial/laid_image.h"
#include "spatial/left_balanced_tree.h"
#include "spatial/line_map.h"
#include "spatial/local_cloud.h"

namespace dovetail {

class Memory;

/// Keeps room in a memory, and gives it back at the end where that memory still exists.
class Keeper {
 public:
  Keeper() = default;
  Keeper(Keeper&&) = default;
  Keeper& operator=(Keeper&& other) noexcept {
    Keeper taken(std::move(other));
    std::swap(memory_, taken.memory_);
    rooms_.swap(taken.rooms_);
    return *this;
  }
  ~Keeper();

  /// Keeps what another of the same memory kept.
  void add(Keeper&& other);

 private:
  friend class Memory;
  std::weak_ptr<Memory> memory_;
  std::vector<void*> rooms_;
};

/// The memory a machine's passes read and write.
class Memory : public std::enable_shared_from_this<Memory> {
 public:
  virtual ~Memory() = default;

  /// Whether it is the host's own: what is put there stays where it is, and has to outlive its use.
  virtual bool is_host() const = 0;

  /// Uninitialised room for `count` values.
  template <class T>
  T* room(std::size_t count, Keeper& keeper) {
    if (count == 0) return nullptr;
    void* const bytes = take(count * sizeof(T));
    keeper.memory_ = weak_from_this();
    keeper.rooms_.push_back(bytes);
    return static_cast<T*>(bytes);
  }

  /// The values of host memory as passes see them; null where there are none.
  template <class T>
  const T* put(std::span<const T> values, Keeper& keeper) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (values.empty()) return nullptr;
    return is_host() ? values.data() : copy(values, keeper);
  }
  /// A copy, for values that do not outlive their use.
  template <class T>
  const T* copy(std::span<const T> values, Keeper& keeper) {
    T* const to = room<T>(values.size(), keeper);
    if (!values.empty()) upload(to, values.data(), values.size_bytes());
    return to;
  }
  template <class T>
  const T* put(const std::vector<T>& values, Keeper& keeper) {
    return put(std::span<const T>(values), keeper);
  }

  /// Values that passes wrote, in host memory.
  template <class T>
  std::vector<T> get(const T* from, std::size_t count) {
    std::vector<T> values(count);
    get(from, std::span<T>(values));
    return values;
  }
  template <class T>
  void get(const T* from, std::span<T> to) {
    if (!to.empty()) download(to.data(), from, to.size_bytes());
  }

 protected:
  friend class Keeper;
  virtual void* take(std::size_t bytes) = 0;
  virtual void give_back(void* room) = 0;
  virtual void upload(void* to, const void* from, std::size_t bytes) = 0;
  virtual void download(void* to, const void* from, std::size_t bytes) = 0;
};

inline void Keeper::add(Keeper&& other) {
  if (memory_.expired()) memory_ = other.memory_;
  rooms_.insert(rooms_.end(), other.rooms_.begin(), other.rooms_.end());
  other.rooms_.clear();
}

inline Keeper::~Keeper() {
  if (const auto memory = memory_.lock()) {
    for (void* room : rooms_) memory->give_back(room);
  }
}

/// The host's.
class HostMemory final : public Memory {
 public:
  bool is_host() const override { return true; }

 protected:
  void* take(std::size_t bytes) override;
  void give_back(void* room) override;
  void upload(void* to, const void* from, std::size_t bytes) override;
  void download(void* to, const void* from, std::size_t bytes) override;
};

/// Something in a machine's memory: the view that passes read, and what keeps it there.
template <class View>
struct Placed {
  View view{};
  Keeper keeper;
};

// What can be put: each is written once, for every machine.
Placed<KdTreeView> put(Memory& memory, const KdTree& tree);
Placed<LeftBalancedView> put(Memory& memory, const LeftBalancedTree& tree);
Placed<ClusterTreeView> put(Memory& memory, const ClusterTree& clusters, const KdTreeView& tree);
Placed<CloudView> put(Memory& memory, const LocalCloud& cloud);
Placed<FieldView> put(Memory& memory, const FieldLevel& level);
Placed<LinesView> put(Memory& memory, const LineIndex& lines);
Placed<WindowView> put(Memory& memory, const LaidWindow& window);
Placed<ReferencesView> put(Memory& memory, const LaidReferences& references);

/// Where a thing lies that is put once into each memory it is used in, and stays there while both live.
template <class Thing>
class Resident {
 public:
  /// The thing in a memory; where it is not yet, `put()` puts it.
  template <class Put>
  std::shared_ptr<const Thing> in(Memory& memory, const Put& put) {
    const std::lock_guard lock(mutex_);
    std::erase_if(copies_, [](const Copy& copy) { return copy.memory.expired(); });
    for (const Copy& copy : copies_) {
      if (copy.memory.lock().get() == &memory) return copy.thing;
    }
    return copies_.emplace_back(Copy{memory.weak_from_this(), std::make_shared<const Thing>(put())}).thing;
  }

 private:
  struct Copy {
    std::weak_ptr<Memory> memory;
    std::shared_ptr<const Thing> thing;
  };
  std::mutex mutex_;
  std::vector<Copy> copies_;
};

}  // namespace dovetail
