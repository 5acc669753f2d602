// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <pcl/console/print.h>
#include <pcl/io/pcd_io.h>
#include <pcl/io/ply_io.h>
#include <pcl/pcl_config.h>
#include <pcl/point_types.h>

#include "peers/peer.h"

namespace dovetail::bench {
namespace {

class PclFiles final : public Peer {
 public:
  PclFiles() { pcl::console::setVerbosityLevel(pcl::console::L_ALWAYS); }
  std::string name() const override { return std::string("PCL ") + PCL_VERSION_PRETTY; }

  std::size_t read(const std::string& file) override {
    pcl::PointCloud<pcl::PointXYZ> cloud;
    int status = -1;
    if (file.ends_with(".ply")) status = pcl::io::loadPLYFile(file, cloud);
    if (file.ends_with(".pcd")) status = pcl::io::loadPCDFile(file, cloud);
    return status == 0 ? cloud.size() : 0;
  }
};

}  // namespace
}  // namespace dovetail::bench

extern "C" dovetail::bench::Peer* dovetail_make_peer() { return new dovetail::bench::PclFiles; }
