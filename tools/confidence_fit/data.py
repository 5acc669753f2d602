# SPDX-License-Identifier: MIT
# Part of Dovetail.
"""Lines of a corpus as rows of numbers."""
import json
import math
import re
from dataclasses import dataclass, field

from .terms import value_at


class Condition:
    """KEY=VALUE, KEY!=VALUE, KEY<NUMBER or KEY>NUMBER."""

    def __init__(self, text):
        match = re.fullmatch(r"([^=!<>]+)(!=|=|<|>)(.*)", text)
        if not match:
            raise SystemExit(f"fit_confidence: --where {text}: expected KEY=VALUE, also with !=, < or >")
        self.key, self.sign, self.value = match.groups()

    def holds(self, line):
        value = value_at(line, self.key)
        if self.sign in "<>":
            if not isinstance(value, (int, float)):
                return False
            return value < float(self.value) if self.sign == "<" else value > float(self.value)
        return same(value, self.value) == (self.sign == "=")


def same(value, text):
    if isinstance(value, bool) or value is None:
        return json.dumps(value) == text
    if isinstance(value, (int, float)):
        try:
            return float(value) == float(text)
        except ValueError:
            return False
    return value == text


@dataclass
class Row:
    """An answer: its features, whether it is right, by what it is found again, and the features of its rivals."""

    x: list
    right: bool
    objects: tuple
    line: dict
    rivals: list = field(default_factory=list)
    weight: float = 1.0

    def name(self):
        line = self.line
        off = ""
        if line.get("degrees_off") is not None:
            off = f", {line['degrees_off']:.1f} degrees and {line['radii_off']:.2f} radii off"
        return (f"{line['object']}{off}: --set {line['set']} --kind {line['kind']} --method {line['method']} "
                f"--seed {line['seed']} --index {line['index']}")


@dataclass
class Rows:
    kept: list = field(default_factory=list)
    missing: dict = field(default_factory=dict)  # how often a feature was not there
    skipped: int = 0  # equivalent answers of symmetric objects


def lines_of(files):
    """A last line that is still being written is left out."""
    for name in files:
        with open(name, encoding="utf-8") as file:
            for line in file:
                try:
                    if line.strip():
                        yield json.loads(line)
                except json.JSONDecodeError:
                    if line.endswith("\n"):
                        raise


def answers_of(line):
    """The answer of a line, then its alternatives."""
    shared = {k: line[k] for k in ("set", "kind", "object", "index", "seed", "method", "dimension") if k in line}
    return [line] + [{**shared, **other} for other in line.get("alternatives", [])]


def verdict(answer, equivalent):
    """Whether it counts as right; None: it does not count."""
    right = answer["right"]
    if answer.get("right_up_to_symmetry", right) == right:
        return right
    return None if equivalent == "skip" else equivalent == "right"


def rivals_of(chosen, answers, terms):
    """Features of the other answers of the line that have evidence."""
    features = [[term(a) for term in terms] for a in answers if a is not chosen and a.get("evidence")]
    return [x for x in features if None not in x]


def load(files, terms, where, equivalent, alternatives):
    rows = Rows()
    for line in lines_of(files):
        if all(condition.holds(line) for condition in where):
            answers = answers_of(line)
            for answer in answers if alternatives else answers[:1]:
                add_row(rows, answer, answers, terms, equivalent)
    balance(rows.kept)
    return rows


def add_row(rows, answer, answers, terms, equivalent):
    right = verdict(answer, equivalent)
    if right is None:
        rows.skipped += 1
        return
    x = [term(answer) for term in terms]
    for term, value in zip(terms, x):
        if value is None:
            rows.missing[term.text] = rows.missing.get(term.text, 0) + 1
    if None not in x:
        rows.kept.append(Row(x, right, tuple(answer["object"].split("+")), answer, rivals_of(answer, answers, terms)))


def balance(rows):
    """Right and wrong answers weigh the same in all."""
    count = {True: 0, False: 0}
    for row in rows:
        count[row.right] += 1
    for row in rows:
        row.weight = 0.5 * len(rows) / count[row.right]


def values_of(files, key, where):
    found = {json.dumps(value_at(line, key)).strip('"') for line in lines_of(files)
             if all(condition.holds(line) for condition in where)}
    return sorted(found)


def log_odds(weights, x):
    """weights: the constant, then one a feature."""
    return weights[0] + sum(w * v for w, v in zip(weights[1:], x))


def logistic(z):
    return 1 / (1 + math.exp(-z)) if z >= 0 else math.exp(z) / (1 + math.exp(z))
