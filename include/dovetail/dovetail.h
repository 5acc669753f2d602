// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/chamfer.h"
#include "dovetail/distance_field.h"
#include "dovetail/em_icp.h"
#include "dovetail/error.h"
#include "dovetail/find.h"
#include "dovetail/geo_frame.h"
#include "dovetail/gpicp.h"
#include "dovetail/icp.h"
#include "dovetail/io.h"
#include "dovetail/machines.h"
#include "dovetail/mesh_check.h"
#include "dovetail/options.h"
#include "dovetail/points.h"
#include "dovetail/pose_file.h"
#include "dovetail/prepare.h"
#include "dovetail/reference.h"
#include "dovetail/registration.h"
#include "dovetail/report.h"
#include "dovetail/run.h"
#include "dovetail/softassign.h"
#include "dovetail/symmetry.h"
#include "dovetail/transform.h"
#include "dovetail/workspace.h"
