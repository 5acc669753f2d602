# SPDX-License-Identifier: MIT
# Part of Dovetail.
"""Times SciPy's exact distance transform with the nearest seed of each cell.

scipy_field.py MASK.npy RUNS    MASK: 0 where a seed is. Prints one line of JSON: milliseconds, medians of RUNS.
"""

import json
import statistics
import sys
import time


def main():
    try:
        import numpy
        import scipy
        from scipy import ndimage
    except ImportError as error:
        print(json.dumps({"missing": str(error)}))
        return
    mask = numpy.load(sys.argv[1])
    runs = int(sys.argv[2])

    def timed(**arguments):
        spent = []
        for _ in range(runs):
            began = time.perf_counter()
            result = ndimage.distance_transform_edt(mask, return_indices=True, **arguments)
            spent.append(1e3 * (time.perf_counter() - began))
        return statistics.median(spent), result

    alone, indices = timed(return_distances=False)
    both, _ = timed()
    # To compare with: the squared distances of all cells, added up.
    total = 0
    for axis, length in enumerate(mask.shape):
        shape = [1] * mask.ndim
        shape[axis] = length
        apart = indices[axis].astype(numpy.int64) - numpy.arange(length).reshape(shape)
        total += int((apart * apart).sum())
    print(json.dumps({"name": "SciPy " + scipy.__version__, "indices_ms": alone, "distances_and_indices_ms": both,
                      "squared_sum": total}))


main()
