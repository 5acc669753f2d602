"""Writes the package's stubs, from what the module says of itself: make_stubs.py FOLDER.

Signatures of what is compiled stand in its docstrings, those of the commands in their __signature__, which is made of the
library's table of options.
"""

from __future__ import annotations

import inspect
import re
import sys
import textwrap
from pathlib import Path
from typing import Any, Iterator

import dovetail._commands as commands
import dovetail._native as native

HEADER = '''"""Made by make_stubs.py: do not edit."""

import os
from typing import Any, Callable, Iterator, Literal, Mapping, Optional, Sequence, overload

import numpy as np
import numpy.typing as npt

'''
# What a signature cannot say of itself.
RETURNS = {"Found.__iter__": "Iterator[FoundObject]"}
SPECIAL = ("__init__", "__len__", "__getitem__", "__iter__", "__array__", "__eq__", "__hash__", "__repr__")


def translated(kind: str) -> str:
    """A type as the compiled part writes it, as typing has it."""
    kind = re.sub(r"numpy\.ndarray\[numpy\.(\w+)\]", r"npt.NDArray[np.\1]", kind)
    kind = re.sub(r"\bnumpy\.ndarray\b", "npt.NDArray[Any]", kind)
    kind = re.sub(r"\bdovetail\.(?:_native\.)?", "", kind)
    kind = kind.replace("os.PathLike", "FileName")
    kind = re.sub(r"List\[(\w+)\[\d+\]\]", r"list[\1]", kind)
    for typing, builtin in (("List[", "list["), ("Dict[", "dict["), ("Tuple[", "tuple[")):
        kind = kind.replace(typing, builtin)
    kind = {"object": "Any", "handle": "Any", "dict": "dict[str, Any]", "list": "list[Any]"}.get(kind, kind)
    return kind.replace("Optional[object]", "Optional[Any]")


def split_arguments(text: str) -> Iterator[str]:
    """At commas that are in no brackets and no quotes."""
    depth, start, quote = 0, 0, ""
    for i, c in enumerate(text):
        if quote:
            quote = "" if c == quote else quote
        elif c in "'\"":
            quote = c
        elif c in "[({":
            depth += 1
        elif c in "])}":
            depth -= 1
        elif c == "," and depth == 0:
            yield text[start:i].strip()
            start = i + 1
    if text[start:].strip():
        yield text[start:].strip()


def argument(text: str) -> str:
    name, colon, rest = text.partition(":")
    if not colon:
        return text  # a lone *
    kind, equals, default = rest.partition(" = ")
    kind = translated(kind.strip())
    if equals and default == "None" and not kind.startswith("Optional") and kind != "Any":
        kind = f"Optional[{kind}]"
    return f"{name}: {kind}" + (f" = {default}" if equals else "")


def docstring(text: str, indent: str) -> str:
    text = inspect.cleandoc(text)
    if not text:
        return f"{indent}...\n"
    quoted = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return textwrap.indent(f'"""{quoted}"""', indent) + f"\n{indent}...\n"


def function(name: str, doc: str, indent: str, owner: str = "") -> str:
    """A compiled function's stub, from the first line of its docstring."""
    first, _, rest = doc.partition("\n")
    match = re.fullmatch(r"\w+\((.*)\) -> (.*)", first)
    if match is None:
        raise SystemExit(f"{owner}.{name}: no signature in {first!r}")
    arguments = [argument(a) for a in split_arguments(match[1])]
    if owner:
        arguments[0] = "self"
    if name == "__eq__":
        arguments[1] = "other: object"
    elif owner and name.startswith("__") and name not in ("__init__",):  # a name of pybind11's own
        arguments[1:] = [re.sub(r"^arg(\d)", r"__arg\1", a) for a in arguments[1:]]
    returns = RETURNS.get(f"{owner}.{name}", translated(match[2]))
    return f"{indent}def {name}({', '.join(arguments)}) -> {returns}:\n" + docstring(rest, indent + "    ")


def class_stub(cls: Any) -> str:
    base = cls.__mro__[1].__name__
    text = f"class {cls.__name__}{'' if base == 'pybind11_object' else f'({base})'}:\n" + docstring(
        cls.__doc__ or "", "    "
    ).replace("    ...\n", "")
    for name, member in vars(cls).items():
        if isinstance(member, property):
            returns = translated(re.search(r"-> (.*)", member.fget.__doc__ or "-> object")[1])  # type: ignore[index]
            text += f"    @property\n    def {name}(self) -> {returns}:\n" + docstring(member.__doc__ or "", "        ")
        elif callable(member) and (not name.startswith("__") or name in SPECIAL) and "(" in (member.__doc__ or ""):
            if name == "__init__" and "__init__(self: " not in member.__doc__:
                continue  # nobody makes one
            text += function(name, member.__doc__, "    ", cls.__name__)
    return text + "\n"


def native_stub() -> str:
    types = "from ._types import FileName, PointsLike, PoseLike, ReferenceLike\n\n__version__: str\n\n"
    members = [m for name, m in vars(native).items() if not name.startswith("_")]
    classes = "".join(class_stub(m) for m in members if inspect.isclass(m))
    functions = "".join(function(m.__name__, m.__doc__, "") for m in members if not inspect.isclass(m))
    return HEADER + types + classes + functions


def parameters(signature: inspect.Signature, replaced: dict[str, str]) -> str:
    text, seen_star = [], False
    for p in signature.parameters.values():
        if p.kind is p.KEYWORD_ONLY and not seen_star:
            seen_star = True
            text.append("*")
        default = "" if p.default is p.empty else f" = {p.default!r}"
        text.append(f"{p.name}: {replaced[p.name]}" if p.name in replaced else f"{p.name}: {p.annotation}{default}")
    return ", ".join(text)


def command_stub(name: str, command: Any, **replaced: str) -> str:
    signature = inspect.signature(command)
    text = f"def {name}({parameters(signature, replaced)}) -> {signature.return_annotation}:\n"
    return text + docstring(command.__doc__ or "", "    ") + "\n"


def register_stub() -> str:
    """One overload for each method, with the options that it has."""
    text = ""
    for name, method in commands._METHODS.items():
        first, second = list(inspect.signature(method).parameters.values())[:2]
        spelled = sorted({name, name.replace("_", "-")})
        literal = f"method: Literal[{', '.join(map(repr, spelled))}]" + (" = 'icp'" if name == "icp" else "")
        rest = parameters(inspect.signature(method), {}).split("*, ", 1)[1]
        text += f"@overload\ndef register(source: {first.annotation}, target: {second.annotation}, {literal}, *, {rest}) -> Registration:\n"
        text += docstring(commands.register.__doc__ or "" if name == "icp" else method.__doc__ or "", "    ")
    return text + "\n"


def commands_stub() -> str:
    names = (
        "Bin, BinDataset, DatasetParts, DepthCamera, DistanceField, FindProgress, Found, FoundObject, Iteration, OptionInfo, PoseDatabase, "
        "PoseEvaluation, Registration, RestingPoses, Symmetry, Workspace"
    )
    text = HEADER + f"from ._native import {names}\nfrom ._types import FileName, PointsLike, PoseLike, PosesLike, RangeImageLike, ReferenceLike\n\n"
    for name, member in vars(commands).items():
        public = inspect.isfunction(member) and member.__module__ == commands.__name__ and not name.startswith("_")
        if public:
            text += register_stub() if name == "register" else command_stub(name, member)
    return text


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    native_text = native_stub()
    unknown = re.search(r"def (\w+)\(.*\w::(\w+)", native_text)
    if unknown:
        raise SystemExit(f"{unknown[1]}(): {unknown[2]} is bound after it; call its add_...() earlier in module.cpp")
    (folder / "_native.pyi").write_text(native_text, encoding="utf-8")
    (folder / "_commands.pyi").write_text(commands_stub(), encoding="utf-8")
