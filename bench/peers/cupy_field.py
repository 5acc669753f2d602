#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Part of Dovetail.
"""Times CuPy's exact distance transform with indices: one line of JSON a case.

The cases are those of field_bench. Needs CuPy and a GPU; says so and ends where they are missing.
    bench/peers/cupy_field.py [--quick]
"""
import json
import sys

try:
    import cupy
    from cupyx.scipy.ndimage import distance_transform_edt

    cupy.cuda.runtime.getDeviceCount()
except Exception as why:  # not installed, or no device
    print(f"cupy_field: left out, CuPy cannot be used here: {why}", file=sys.stderr)
    sys.exit(0)


def cases():
    """Name and seeds, as an array that is zero at the seeds."""
    random = cupy.random.RandomState(1)
    for shape in ((256, 256, 256), (4096, 4096)):
        side, name = shape[0], "x".join(map(str, shape))
        yield f"{name} random 1%", random.random_sample(shape) > 0.01
        yield f"{name} random 0.01%", random.random_sample(shape) > 0.0001
        single = cupy.ones(shape, dtype=bool)
        single[tuple(s // 3 for s in shape)] = False
        yield f"{name} single seed", single
        at = cupy.indices(shape, dtype=cupy.float32) - side / 2
        radius = cupy.sqrt((at * at).sum(axis=0))
        yield f"{name} {'sphere' if len(shape) == 3 else 'circle'}", cupy.abs(radius - 0.4 * side) > 0.5


def milliseconds(cells, repeats):
    times = []
    for i in range(repeats + 1):
        before, after = cupy.cuda.Event(), cupy.cuda.Event()
        before.record()
        distance_transform_edt(cells, return_distances=False, return_indices=True)
        after.record()
        after.synchronize()
        if i > 0:
            times.append(cupy.cuda.get_elapsed_time(before, after))
    return sorted(times)[len(times) // 2]


def main():
    repeats = 3 if "--quick" in sys.argv[1:] else 21
    for name, cells in cases():
        seeds = int((~cells).sum())
        line = {"benchmark": "field", "what": name, "peer": f"CuPy {cupy.__version__}", "machine": "cuda:0",
                "cells": int(cells.size), "seeds": seeds, "value": round(milliseconds(cells, repeats), 4), "unit": "ms"}
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
