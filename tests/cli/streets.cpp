// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "cli/streets.h"

#include <cmath>
#include <sstream>

#include "core/random.h"

namespace dovetail::test {

Streets streets() {
  Streets made;
  std::ostringstream features;
  features.precision(12);
  RandomStream random(5, 1);
  for (int line = 0; line < 25; ++line) {
    double x = random.uniform(-800, 800), y = random.uniform(-800, 800), heading = random.uniform(0, 6.28);
    features << (line == 0 ? "" : ",") << R"({"type":"Feature","geometry":{"type":"LineString","coordinates":[)";
    Vec2 last{x, y};
    for (int k = 0; k < 12; ++k) {
      const Vec2 at = unproject(made.frame, x, y);
      features << (k == 0 ? "" : ",") << '[' << at[0] << ',' << at[1] << ']';
      for (int i = 0; i < 12 && k > 0; ++i) {
        const double t = random.uniform();
        made.seen.positions.push_back(
            {last[0] + t * (x - last[0]) + random.normal(), last[1] + t * (y - last[1]) + random.normal(), 0});
      }
      last = {x, y};
      x += 40 * std::cos(heading), y += 40 * std::sin(heading);
      heading += random.uniform(-0.3, 0.3);
    }
    features << "]}}";
  }
  made.geojson = R"({"type":"FeatureCollection","features":[)" + features.str() + "]}";
  made.seen.dimension = 2;
  return made;
}

std::string degrees_table(const GeoFrame& frame, const PointCloud& points, const std::string& header) {
  std::ostringstream table;
  table.precision(12);
  table << header << '\n';
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec2 at = unproject(frame, points.positions[i][0], points.positions[i][1]);
    std::istringstream names(header);
    const char* separator = "";
    for (std::string name; std::getline(names, name, ',');) {
      table << separator;
      separator = ",";
      if (name.starts_with("lon")) {
        table << at[0];
      } else if (name.starts_with("lat")) {
        table << at[1];
      } else if (name == "name") {
        table << "\"street, " << i << '"';
      } else {
        table << i;
      }
    }
    table << '\n';
  }
  return table.str();
}

}  // namespace dovetail::test
