// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dovetail/range_image.h"
#include "dovetail/registration.h"

namespace dovetail {

/// A box along the axes of a scene, in its units.
struct Box {
  Vec3 low{}, high{};
};

/// How far a search for objects is: what is looked for now.
struct FindProgress {
  std::string object;
  std::size_t index = 0, objects = 1;  ///< its number among all
  int round = 0;                       ///< what the rounds before left unexplained is searched again
  std::size_t found = 0;               ///< so far
};

/// How objects are looked for in a scene. Lengths are in the scene's units, which must be the objects' too; a value of
/// 0 means "automatic" where the field says so. docs/find.md tells how it works and where it ends.
struct Find {
  /// The most instances of each object that are returned; 0: all that are found.
  int instances = 1;

  /// Whether planes much larger than an object (a table, a wall, the bottom of a bin) are taken as what objects stand
  /// on or before, not as a part of one.
  bool planes_are_background = true;

  /// Only what lies in this box of the scene is looked at. Absent: everything.
  std::optional<Box> region;

  /// Where the sensor stood that saw the scene, in the scene's frame: it tells what an object hides and what it cannot
  /// hide. Absent: the origin, where the cloud is organised (rows and columns, as depth cameras give) or looks like
  /// what one sensor sees from there; of other clouds nothing is known.
  std::optional<Vec3> viewpoint;

  /// Whether the origin may be taken for the viewpoint.
  bool may_be_from_origin = true;

  /// Starting poses that are refined for each object; 0: automatic.
  int starts = 0;

  /// Neighbours from which the normal of a point is estimated where its file has none.
  int normal_neighbours = 16;
};

/// Something to look for. The cloud must stay until the call it is given to returns.
struct ObjectToFind {
  std::string name;
  const PointCloud* shape = nullptr;  ///< a mesh, or points on its surface
};

/// Another pose, of the same object or another, that explains much of the same.
struct FoundRival {
  std::string object;
  std::size_t index = 0;
  Transform scene_from_object;
  double log_odds = 0;
  double share = 0;  ///< of what the object explains that it explains too
  double worse = 0;  ///< how much worse it fits where both are seen; 0: alike, docs/pose_find.md (2)
  std::vector<Evidence> evidence;
};

/// What an image shows of a found part, in pixels.
struct SeenInImage {
  long pixels = 0;                      ///< that the part would have alone
  long explained = 0;                   ///< where it is seen
  long hidden = 0;                      ///< where something is before it
  long contradicted = 0;                ///< where something farther away is seen
  long unknown = 0;                     ///< where nothing was measured
  bool on_top = true;                   ///< no other found part hides any of it
  std::vector<std::size_t> covered_by;  ///< those of Found::objects that hide some of it, what hides most first
  /// The other poses that look the same, scene_from_object. Parts that turn freely: about this line besides.
  std::vector<Transform> equivalents;
  struct Line {
    Vec3 through{}, direction{};
  };
  std::optional<Line> turns_about;
};

/// An object that was found. `Quality` is that of the object's points on the scene.
struct FoundObject : Quality {
  std::string object;     ///< its name
  std::size_t index = 0;  ///< among those that were looked for
  Transform scene_from_object;
  std::optional<Transform> frame_from_object;  ///< where the poses were asked for in another frame
  double visible_ratio = 0;                    ///< share of its surface that the scene shows
  double support = 0;                          ///< scene points that it alone explains
  std::vector<double> covariance;              ///< as Registration::covariance, in the scene's frame
  Vec3 covariance_center{};
  std::optional<double> expected_error;
  std::optional<double> margin;      ///< how clearly it beats the best other pose that explains the same points, 0 to 1
  std::vector<FoundRival> rivals;    ///< of parts in images: those poses, the most likely first
  std::optional<SeenInImage> image;  ///< of parts in images
};

struct FindParts;

/// What was found, the most likely first.
struct Found {
  std::vector<FoundObject> objects;
  std::vector<FoundObject> doubtful;  ///< the best of what was not likely enough: less than min_confidence
  std::string message;                ///< one sentence for a person
  std::vector<std::string> warnings;  ///< what looks wrong with the input
  std::string machine, build, version;
  bool stopped = false;          ///< by the time limit or the caller: what was found so far
  std::size_t scene_points = 0;  ///< that were looked at
  std::string scene_file;        ///< what was read; whoever read it sets these two
  std::vector<std::string> object_files;
  /// Of a range image, by whoever read it: what it was seen by, and millimetres in a unit of it (0: told by the
  /// depths).
  std::optional<DepthCamera> camera;
  double depth_unit = 0;
  std::optional<Transform> frame_from_scene;
  struct Times {
    double read = 0, prepare = 0, search = 0, total = 0;
  } time_ms;
  Find options;
  Run run;
  std::shared_ptr<const FindParts> part_options;  ///< of parts in images, in the place of the two above
};

/// Looks for objects in a scene, with no idea of where they are; poses in `run.starts`, if there are any, are tried for
/// every object as well. `on_progress` hears of each step. Throws InvalidArgument for an option out of range, an
/// object or a scene without points, and a region with nothing in it; MachineError for a machine that is not there.
Found find_objects(std::span<const ObjectToFind> objects, const PointCloud& scene, const Find& options = {},
                   const Run& run = {}, const std::function<void(const FindProgress&)>& on_progress = {});

/// The points by which an object is looked for: some thousand on the surface of a mesh, with normals, or the cloud.
PointCloud sample_object(const ObjectToFind& object);

/// Tells poses in another frame as well, a robot's say.
void set_frame(Found& found, const Transform& frame_from_scene);

/// The scene's points, those that a found object explains in a colour of its own, the others grey; an attribute
/// "object" (int32) has the number of the object in Found::objects, -1 for the others.
PointCloud coloured_scene(const Found& found, const PointCloud& scene, std::span<const ObjectToFind> objects);

/// What was found as JSON, schema "dovetail.found/1": docs/found_json.md.
std::string to_json(const Found& found, int indent = 2);

}  // namespace dovetail
