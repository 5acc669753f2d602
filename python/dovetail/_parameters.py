"""Keyword arguments made of the library's one table of options, with the signatures and help texts that go with them."""

from __future__ import annotations

import difflib
import functools
import inspect
import textwrap
from dataclasses import dataclass
from typing import Any, Callable, Iterable, Sequence, TypeVar

from . import _native

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Parameter:
    """One keyword argument as people, help() and type checkers see it."""

    name: str
    annotation: str
    default: Any
    help: str


@dataclass(frozen=True)
class Group:
    """Keyword arguments under one heading."""

    heading: str
    parameters: tuple[Parameter, ...]


def _annotation(option: _native.OptionInfo) -> str:
    if option.name == "machine":
        return "str"  # "cuda:1" is one, too
    if option.kind == "choice":
        return "Literal[" + ", ".join(repr(choice) for choice in option.allowed.split(", ")) + "]"
    return {"number": "float", "integer": "int", "flag": "bool", "motions": "str | Sequence[str]"}[option.kind]


def table(name: str, heading: str, *, only: Sequence[str] = (), leave_out: Sequence[str] = ()) -> Group:
    """The options of one of the library's structs: all, only those named, or all but those named."""
    options = _native.option_tables()[name]
    known = [option.name for option in options]
    for wanted in (*only, *leave_out):
        if wanted not in known:
            raise LookupError(f"the table {name} has no option {wanted}")
    chosen = [o for o in options if o.name not in leave_out and (not only or o.name in only)]
    return Group(heading, tuple(_parameter(option) for option in chosen))


def _parameter(option: _native.OptionInfo) -> Parameter:
    allowed = "" if option.kind == "flag" else f" Allowed: {option.allowed}."
    text = option.help[0].upper() + option.help[1:] + "." + allowed
    return Parameter(option.name, _annotation(option), option.default, text)


def command(*groups: Group) -> Callable[[Function], Function]:
    """Gives a function that takes **options a signature and a help text with these, and refuses others."""

    def with_options(function: Function) -> Function:
        parameters = {p.name: p for group in groups for p in group.parameters}
        own = [p for p in inspect.signature(function).parameters.values() if p.kind is not p.VAR_KEYWORD]

        @functools.wraps(function)
        def checked(*args: Any, **options: Any) -> Any:
            for name in options:
                if name not in parameters and name not in own_names:
                    raise TypeError(unknown(function.__name__, name, list(parameters)))
            return function(*args, **options)

        own_names = [p.name for p in own]
        setattr(checked, "__signature__", _signature(function, own, parameters.values()))
        checked.__doc__ = inspect.cleandoc(function.__doc__ or "") + "".join(describe(group) for group in groups)
        return checked  # type: ignore[return-value]

    return with_options


def unknown(function: str, name: str, known: Sequence[str], kind: str = "option") -> str:
    """What to say of an option, or something else, that there is not: the nearest ones, and all there are."""
    near = [k for k in known if len(name) >= 3 and (k.startswith(name) or name in k)]
    near += [k for k in difflib.get_close_matches(name, known, 3, 0.6) if k not in near]
    meant = f"did you mean {' or '.join(near[:3])}? There are" if near else "there are"
    return f"{function}() has no {kind} {name!r}; {meant}: {', '.join(known)}"


def _signature(function: Any, own: Iterable[inspect.Parameter], added: Iterable[Parameter]) -> inspect.Signature:
    keywords = [
        inspect.Parameter(p.name, inspect.Parameter.KEYWORD_ONLY, default=p.default, annotation=p.annotation) for p in added
    ]
    returns = inspect.signature(function).return_annotation
    first = [p for p in own if p.kind is not p.KEYWORD_ONLY]
    later = [p for p in own if p.kind is p.KEYWORD_ONLY]
    return inspect.Signature([*first, *later, *keywords], return_annotation=returns)


def with_more_options(function: Any) -> inspect.Signature:
    """The function's signature, and that it takes options beside those."""
    signature = inspect.signature(function)
    more = inspect.Parameter("options", inspect.Parameter.VAR_KEYWORD, annotation="Any")
    return signature.replace(parameters=[*signature.parameters.values(), more])


def describe(group: Group) -> str:
    """The arguments of a group, for a help text."""
    lines = ["", "", group.heading, "-" * len(group.heading)]
    for p in group.parameters:
        lines.append(f"{p.name} : {p.annotation} = {p.default!r}")
        lines += textwrap.wrap(p.help, 100, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(lines)
