"""What functions are given: by name, and remembered by results so that a report can draw it while it is still there."""

from __future__ import annotations

import os
import weakref
from typing import Any, Callable, Mapping, TypeVar

from ._errors import InvalidArgument

Result = TypeVar("Result")
_inputs: weakref.WeakKeyDictionary[Any, dict[str, Callable[[], Any]]] = weakref.WeakKeyDictionary()


def remember(result: Result, **inputs: Any) -> Result:
    """Notes what a result was made of: files by their names, everything else only while somebody else holds it."""
    _inputs[result] = {name: _reference(value) for name, value in inputs.items()}
    return result


def recall(result: Any) -> dict[str, Any]:
    """What is still there and on the host; None in place of everything else."""
    known = {name: get() for name, get in _inputs.get(result, {}).items()}
    return {name: None if hasattr(value, "__cuda_array_interface__") else value for name, value in known.items()}


def _reference(value: Any) -> Callable[[], Any]:
    if value is None or isinstance(value, (str, os.PathLike)):
        return lambda: value
    if isinstance(value, dict):
        held = {name: _reference(one) for name, one in value.items()}
        return lambda: {name: get() for name, get in held.items()}
    try:
        return weakref.ref(value)
    except TypeError:  # lists and numbers
        return lambda: None


def by_name(objects: Any, kind: str = "object") -> dict[str, Any]:
    """Objects by name: a file's is that of the file, the others are numbered."""
    named: dict[str, Any] = {}
    if isinstance(objects, Mapping):
        named = {str(name): shape for name, shape in objects.items()}
    else:
        for number, shape in enumerate(objects if isinstance(objects, (list, tuple)) else [objects]):
            is_file = isinstance(shape, (str, os.PathLike))
            name = os.path.splitext(os.path.basename(os.fspath(shape)))[0] if is_file else f"{kind}{number}"
            named[name if name not in named else f"{name}_{number}"] = shape
    if not named:
        raise InvalidArgument(f"{kind}s: there is nothing to look for" if kind == "object" else f"{kind}s: there are none")
    return named
