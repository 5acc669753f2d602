"""Arrays in a GPU's memory without CuPy or PyTorch: the driver through ctypes, told as __cuda_array_interface__."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np


class Driver:
    """The first GPU's primary context, which everything in the process shares. Raises OSError where there is none."""

    def __init__(self) -> None:
        self.cuda = ctypes.CDLL("libcuda.so.1")
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)

    def call(self, name: str, *arguments: Any) -> None:
        failed = getattr(self.cuda, name)(*arguments)
        if failed != 0:
            raise OSError(f"{name}: CUDA's error {failed}")


class DeviceArray:
    """A copy of an array in the GPU's memory."""

    def __init__(self, driver: Driver, array: np.ndarray, columns: int | None = None, stream: int | None = 1) -> None:
        array = np.ascontiguousarray(array)
        self.driver = driver
        self.pointer = ctypes.c_uint64()
        driver.call("cuMemAlloc_v2", ctypes.byref(self.pointer), ctypes.c_size_t(array.nbytes))
        driver.call("cuMemcpyHtoD_v2", self.pointer, array.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(array.nbytes))
        self.__cuda_array_interface__ = {
            "shape": (array.shape[0], columns or array.shape[1]),
            "typestr": array.dtype.str,
            "data": (self.pointer.value, False),
            "strides": array.strides if columns else None,
            "stream": stream,
            "version": 3,
        }

    def __del__(self) -> None:
        self.driver.cuda.cuMemFree_v2(self.pointer)


def free_memory(driver: Driver) -> int:
    """Bytes that the GPU has left."""
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    driver.call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
    return free.value
