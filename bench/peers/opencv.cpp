// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include "peers/peer.h"
#include "stopwatch.h"

namespace dovetail::bench {
namespace {

class OpenCvPeer final : public Peer {
 public:
  std::string name() const override { return std::string("OpenCV ") + CV_VERSION; }
  std::vector<std::string> field_methods() const override {
    return {"distances only, exact", "labels, 5 x 5 mask (not exact)"};
  }

  double distance_field(const std::string& method, const PeerMask& mask, int threads) override {
    cv::setNumThreads(threads);
    const cv::Mat image(mask.height, mask.width, CV_8U, const_cast<unsigned char*>(mask.zero_at_seeds));
    const bool labelled = method.starts_with("labels");
    const Stopwatch watch;
    if (labelled) {  // it has no exact distances with labels
      cv::distanceTransform(image, distances_, labels_, cv::DIST_L2, cv::DIST_MASK_5, cv::DIST_LABEL_PIXEL);
    } else {
      cv::distanceTransform(image, distances_, cv::DIST_L2, cv::DIST_MASK_PRECISE);
    }
    return watch.milliseconds();
  }

 private:
  cv::Mat distances_, labels_;
};

}  // namespace
}  // namespace dovetail::bench

extern "C" dovetail::bench::Peer* dovetail_make_peer() { return new dovetail::bench::OpenCvPeer; }
