# SPDX-License-Identifier: MIT
# Part of Dovetail.
"""Features: what of an answer's numbers enters the log-odds, and in which shape."""
import math
import re
from dataclasses import dataclass

NAME = r"([A-Za-z_][\w.]*)"
NUMBER = r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)"
LEAST = 1e-9  # logarithms are taken of no less, as in src/judge/confidence.cpp


def value_at(line, key):
    """The value under a name with dots; None where there is none."""
    for name in key.split("."):
        if not isinstance(line, dict) or name not in line:
            return None
        line = line[name]
    return line


def split_features(text):
    """Parts between commas, but for those inside parentheses."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


@dataclass
class Factor:
    """A value in its shape; `at` is the shape's number as it was written."""

    name: str
    shape: str
    at: str = "0"

    def text(self):
        return {"ln_above": f"ln({self.name} + {self.at})", "ln_below": f"ln({self.at} - {self.name})",
                "up_to": f"min({self.name}, {self.at})", "log": f"log({self.name})"}.get(self.shape, self.name)

    def __call__(self, value):
        at = float(self.at)
        if self.shape == "ln_above":
            return math.log(max(value + at, LEAST))
        if self.shape == "ln_below":
            return math.log(max(at - value, LEAST))
        if self.shape == "up_to":
            return min(value, at)
        return math.log(max(value, 1e-12)) if self.shape == "log" else value


def factor_of(text):
    for shape, pattern in (("ln_above", rf"ln\(\s*{NAME}\s*\+\s*{NUMBER}\s*\)"),
                           ("up_to", rf"min\(\s*{NAME}\s*,\s*{NUMBER}\s*\)"),
                           ("log", rf"log\(\s*{NAME}\s*\)"),
                           ("plain", NAME)):
        match = re.fullmatch(pattern, text.strip())
        if match:
            return Factor(match.group(1), shape, *match.groups()[1:])
    match = re.fullmatch(rf"ln\(\s*{NUMBER}\s*-\s*{NAME}\s*\)", text.strip())
    if match:
        return Factor(match.group(2), "ln_below", match.group(1))
    raise SystemExit(f"fit_confidence: feature {text.strip()}: expected NAME, ln(NAME + C), ln(C - NAME), min(NAME, C), "
                     "log(NAME) or a product of such")


class Term:
    """A feature: a product of values in their shapes, nearly always of one."""

    def __init__(self, text):
        self.factors = [factor_of(part) for part in text.split("*")]
        self.text = "*".join(factor.text() for factor in self.factors)

    def __call__(self, answer):
        product = 1.0
        for factor in self.factors:
            value = value_at(answer.get("evidence") or {}, factor.name)
            if value is None:
                value = value_at(answer, factor.name)
            if value is None or isinstance(value, (str, list, dict)):
                return None
            product *= factor(float(value))
        return product if math.isfinite(product) else None

    def table_row(self, weight):
        """As in src/judge/confidence_weights.h, which has no products and no log()."""
        factor = self.factors[0]
        if len(self.factors) > 1 or factor.shape == "log":
            return f"// {self.text}, which the program has no shape for: {weight:.4g}"
        return f'{{"{factor.name}", Shape::{factor.shape}, {factor.at}, {weight:.4g}}},'
