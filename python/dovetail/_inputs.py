"""What results were made of: remembered, not kept, so that a report can draw it while it is still there."""

from __future__ import annotations

import os
import weakref
from typing import Any, Callable, TypeVar

Result = TypeVar("Result")
_inputs: weakref.WeakKeyDictionary[Any, dict[str, Callable[[], Any]]] = weakref.WeakKeyDictionary()


def remember(result: Result, **inputs: Any) -> Result:
    """Notes what a result was made of: files by their names, everything else only while somebody else holds it."""
    _inputs[result] = {name: _reference(value) for name, value in inputs.items()}
    return result


def recall(result: Any) -> dict[str, Any]:
    """What is still there; None in place of what is gone."""
    return {name: get() for name, get in _inputs.get(result, {}).items()}


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
