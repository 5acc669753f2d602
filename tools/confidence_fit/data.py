# SPDX-License-Identifier: MIT
# Part of Dovetail.
"""Lines of a corpus as rows of numbers."""
import json
import math
import re
from dataclasses import dataclass, field


def value_at(line, key):
    """The value under a name with dots; None where there is none."""
    for name in key.split("."):
        if not isinstance(line, dict) or name not in line:
            return None
        line = line[name]
    return line


class Term:
    """A feature: a product of values, each plain or its logarithm."""

    def __init__(self, text):
        self.text = text.strip()
        self.factors = []
        for factor in self.text.split("*"):
            logarithm = re.fullmatch(r"log\((.+)\)", factor.strip())
            self.factors.append((logarithm.group(1) if logarithm else factor.strip(), bool(logarithm)))

    def __call__(self, answer):
        product = 1.0
        for name, logarithm in self.factors:
            value = value_at(answer.get("evidence") or {}, name)
            if value is None:
                value = value_at(answer, name)
            if value is None or isinstance(value, (str, list, dict)):
                return None
            value = float(value)
            if logarithm:
                value = math.log(max(value, 1e-12))
            product *= value
        return product if math.isfinite(product) else None


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
    """An answer: its features, whether it is right, and by what it is found again."""

    x: list
    right: bool
    objects: tuple
    line: dict
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
    for name in files:
        with open(name, encoding="utf-8") as file:
            for line in file:
                if line.strip():
                    yield json.loads(line)


def answers_of(line, alternatives):
    yield line
    if alternatives:
        shared = {k: line[k] for k in ("set", "kind", "object", "index", "seed", "method", "dimension") if k in line}
        for other in line.get("alternatives", []):
            yield {**shared, **other}


def load(files, terms, where, equivalent, alternatives):
    rows = Rows()
    for line in lines_of(files):
        if not all(condition.holds(line) for condition in where):
            continue
        for answer in answers_of(line, alternatives):
            right = answer["right"]
            if answer.get("right_up_to_symmetry", right) != right:
                if equivalent == "skip":
                    rows.skipped += 1
                    continue
                right = equivalent == "right"
            x = [term(answer) for term in terms]
            if None in x:
                for term, value in zip(terms, x):
                    if value is None:
                        rows.missing[term.text] = rows.missing.get(term.text, 0) + 1
                continue
            rows.kept.append(Row(x, right, tuple(answer["object"].split("+")), answer))
    balance(rows.kept)
    return rows


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


def confidence(model, x):
    """model: the constant, then a weight a feature."""
    return logistic(model[0] + sum(w * v for w, v in zip(model[1:], x)))


def logistic(z):
    return 1 / (1 + math.exp(-z)) if z >= 0 else math.exp(z) / (1 + math.exp(z))
