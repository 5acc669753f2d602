// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "spatial/line_map.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "spatial/bounds.h"
#include "spatial/parallel.h"

namespace dovetail {

namespace {

constexpr double most_cells = 1024;        // along a side of an index
constexpr std::size_t few_points = 20000;  // for which small cells do not pay

double most_entries(std::size_t segments) { return 64 * static_cast<double>(segments) + 1e6; }

using Edge = std::pair<std::uint32_t, std::uint32_t>;

Edge edge_of(std::uint32_t a, std::uint32_t b) { return {std::min(a, b), std::max(a, b)}; }

bool is_finite(const Vec3& p) { return std::isfinite(p[0]) && std::isfinite(p[1]); }

/// How many edges meet at each vertex, and all edges, every one once.
struct Network {
  std::vector<Edge> edges;
  std::vector<std::uint32_t> degree;

  explicit Network(const Reference& reference) : degree(reference.points.size()) {
    const Faces& lines = reference.lines;
    for (std::size_t line = 0; line < lines.size(); ++line) {
      for (std::uint32_t i = lines.start[line] + 1; i < lines.start[line + 1]; ++i) {
        if (lines.index[i - 1] != lines.index[i]) edges.push_back(edge_of(lines.index[i - 1], lines.index[i]));
      }
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    for (const Edge& e : edges) ++degree[e.first], ++degree[e.second];
  }
};

/// The cells along one axis of an index that come within a range of coordinates: from first to last.
void cells_between(const LinesView& grid, int axis, float low, float high, std::uint32_t& first, std::uint32_t& last) {
  const float most = static_cast<float>(grid.cells[axis] - 1);
  first = static_cast<std::uint32_t>(std::clamp((low - grid.origin[axis]) * grid.per_unit, 0.0f, most));
  last = static_cast<std::uint32_t>(std::clamp((high - grid.origin[axis]) * grid.per_unit, 0.0f, most));
}

/// Cells of an index about a segment: calls f(cell) for each that has a place within reach, and perhaps a few more.
template <class F>
void for_each_cell(const LinesView& grid, const LineSegment& s, float reach, const F& f) {
  const float side = 1 / grid.per_unit, enough = reach + 0.7072f * side;  // from the middle of a cell
  const float end = s.y + s.along_y * s.length;
  std::uint32_t first_row, last_row;
  cells_between(grid, 1, std::min(s.y, end) - enough, std::max(s.y, end) + enough, first_row, last_row);
  for (std::uint32_t j = first_row; j <= last_row; ++j) {
    const float y = grid.origin[1] + (static_cast<float>(j) + 0.5f) * side - s.y;
    // The stretch of the segment that is near enough to the row at all.
    float from = 0, to = s.length;
    if (std::fabs(s.along_y) > 1e-3f) {
      const float a = (y - enough) / s.along_y, b = (y + enough) / s.along_y;
      from = std::max(from, std::min(a, b));
      to = std::min(to, std::max(a, b));
    }
    const float left = std::min(from * s.along_x, to * s.along_x), right = std::max(from * s.along_x, to * s.along_x);
    std::uint32_t first, last;
    cells_between(grid, 0, s.x + left - enough, s.x + right + enough, first, last);
    for (std::uint32_t i = first; i <= last; ++i) {
      const float x = grid.origin[0] + (static_cast<float>(i) + 0.5f) * side - s.x;
      const float along = std::clamp(x * s.along_x + y * s.along_y, 0.0f, s.length);
      const float dx = x - along * s.along_x, dy = y - along * s.along_y;
      if (dx * dx + dy * dy <= enough * enough) f(j * grid.cells[0] + i);
    }
  }
}

}  // namespace

std::vector<double> LineMap::stretch_lengths() const {
  std::vector<double> length(stretches);
  for (const LineSegment& s : segments) length[s.stretch] += double{s.length};
  return length;
}

LineMap make_line_map(const Reference& reference, const LocalFrame& frame) {
  LineMap map;
  const Faces& lines = reference.lines;
  if (reference.points.dimension != 2 || lines.empty() || !reference.points.faces.empty()) return map;
  std::vector<bool> named(reference.points.size());
  for (const std::uint32_t i : lines.index) named[i] = true;
  for (std::size_t i = 0; i < named.size(); ++i) {
    if (!named[i] && is_finite(reference.points.positions[i])) return map;  // a point beside the lines
  }
  const Network network(reference);
  std::vector<bool> used(network.edges.size());
  for (std::size_t line = 0; line < lines.size(); ++line) {
    bool begun = false;
    for (std::uint32_t i = lines.start[line] + 1; i < lines.start[line + 1]; ++i) {
      const std::uint32_t a = lines.index[i - 1], b = lines.index[i];
      const Vec3 &from = reference.points.positions[a], &to = reference.points.positions[b];
      const auto at = std::lower_bound(network.edges.begin(), network.edges.end(), edge_of(a, b));
      const auto number = static_cast<std::size_t>(at - network.edges.begin());
      if (a == b || used[number] || !is_finite(from) || !is_finite(to)) {
        begun = begun && a == b;
        continue;
      }
      used[number] = true;
      const Vec3 begin = frame.to_local(from), step = frame.to_local(to) - begin;
      const double length = norm(step);
      if (!(length > 0)) continue;
      if (!begun || network.degree[a] != 2) ++map.stretches;
      begun = true;
      map.segments.push_back({static_cast<float>(begin[0]), static_cast<float>(begin[1]),
                              static_cast<float>(step[0] / length), static_cast<float>(step[1] / length),
                              static_cast<float>(length), map.stretches - 1});
    }
  }
  return map;
}

LineMap lines_within(const LineMap& map, const float (&low)[2], const float (&high)[2]) {
  LineMap near;
  constexpr std::uint32_t none = 0xffffffffu;
  std::vector<std::uint32_t> number(map.stretches, none);
  for (const LineSegment& s : map.segments) {
    const float end[2] = {s.x + s.along_x * s.length, s.y + s.along_y * s.length}, begin[2] = {s.x, s.y};
    bool inside = true;
    for (int a = 0; a < 2; ++a) {
      inside = inside && std::max(begin[a], end[a]) >= low[a] && std::min(begin[a], end[a]) <= high[a];
    }
    if (!inside) continue;
    if (number[s.stretch] == none) number[s.stretch] = near.stretches++;
    near.segments.push_back(s);
    near.segments.back().stretch = number[s.stretch];
  }
  return near;
}

LinesView LineIndex::view() const {
  LinesView v = grid;
  v.start = start.data();
  v.segments = segments.data();
  return v;
}

void LineIndex::set_rates(std::span<const double> rates) {
  for (PeopledSegment& s : segments) s.rate = static_cast<float>(rates[s.stretch]);
}

LineIndex make_line_index(const LineMap& map, std::span<const double> rates, double reach, std::size_t points) {
  LineIndex index;
  Bounds bounds;
  if (map.empty()) bounds.add(Vec3{});
  for (const LineSegment& s : map.segments) {
    bounds.add({s.x, s.y, 0});
    bounds.add({s.x + s.along_x * s.length, s.y + s.along_y * s.length, 0});
  }
  const auto r = static_cast<float>(reach);
  double longest = 0;
  for (int a = 0; a < 2; ++a) {
    index.grid.origin[a] = static_cast<float>(bounds.low[a]) - r;
    longest = std::max(longest, bounds.high[a] - bounds.low[a] + 2 * reach);
  }
  double side = std::max((points < few_points ? 2 : 0.5) * reach, longest / most_cells);
  const auto expected = [&] {  // entries, about
    double sum = 0;
    for (const LineSegment& s : map.segments) {
      const double wide = 2 * reach + 1.5 * side;
      sum += (double{s.length} + wide) * wide / (side * side) + 1;
    }
    return sum;
  };
  while (expected() > most_entries(map.segments.size())) side *= 2;
  index.grid.per_unit = static_cast<float>(1 / side);
  for (int a = 0; a < 2; ++a) {
    index.grid.cells[a] = static_cast<std::uint32_t>((bounds.high[a] - bounds.low[a] + 2 * reach) / side) + 1;
  }
  // Which cells, by runs of segments; then every cell's segments side by side.
  constexpr std::size_t run = 256;
  struct Entry {
    std::uint32_t cell, segment;
  };
  std::vector<std::vector<Entry>> found((map.segments.size() + run - 1) / run);
  parallel_for(found.size(), 1, [&](std::size_t i) {
    for (std::size_t k = i * run; k < std::min(map.segments.size(), (i + 1) * run); ++k) {
      for_each_cell(index.grid, map.segments[k], r, [&](std::uint32_t cell) {
        found[i].push_back({cell, static_cast<std::uint32_t>(k)});
      });
    }
  });
  index.start.assign(std::size_t{index.grid.cells[0]} * index.grid.cells[1] + 1, 0);
  for (const auto& entries : found) {
    for (const Entry& e : entries) ++index.start[e.cell + 1];
  }
  for (std::size_t i = 1; i < index.start.size(); ++i) index.start[i] += index.start[i - 1];
  index.segments.resize(index.start.back());
  std::vector<std::uint32_t> next(index.start.begin(), index.start.end() - 1);
  for (const auto& entries : found) {
    for (const Entry& e : entries) {
      const LineSegment& s = map.segments[e.segment];
      const std::uint32_t at = next[e.cell]++;
      index.segments[at] = {s.x, s.y, s.along_x, s.along_y, s.length, 0, s.stretch};
    }
  }
  index.set_rates(rates);
  return index;
}

}  // namespace dovetail
