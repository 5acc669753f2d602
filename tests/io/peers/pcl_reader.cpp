// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <pcl/PolygonMesh.h>
#include <pcl/console/print.h>
#include <pcl/conversions.h>
#include <pcl/io/obj_io.h>
#include <pcl/io/pcd_io.h>
#include <pcl/io/ply_io.h>
#include <pcl/point_types.h>

#include "peer_reader.h"

namespace dovetail::test {

std::optional<PeerPoints> read_with_pcl(const std::string& file) {
  pcl::console::setVerbosityLevel(pcl::console::L_ALWAYS);
  pcl::PointCloud<pcl::PointXYZ> cloud;
  int status = -1;
  if (file.ends_with(".ply")) status = pcl::io::loadPLYFile(file, cloud);
  if (file.ends_with(".pcd")) status = pcl::io::loadPCDFile(file, cloud);
  if (file.ends_with(".obj")) status = pcl::io::loadOBJFile(file, cloud);
  if (status != 0) return std::nullopt;
  PeerPoints points;
  for (const pcl::PointXYZ& p : cloud) points.push_back({p.x, p.y, p.z});
  return points;
}

}  // namespace dovetail::test
