# SPDX-License-Identifier: MIT
# Part of Dovetail.
"""The second stage: what other poses that fit as well take from an answer's confidence."""
import math
from itertools import product

from .data import balance, log_odds, logistic

MOST_LOG_ODDS = 7  # as in src/judge/confidence.cpp
EQUAL = 1  # log-odds that differ by less are equal: of two surfaces, in src/judge/confidence_weights.h
GRID = ((0.5, 0.7, 0.85, 1.0, 1.2, 1.5), (-1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0), (0.0, 0.4, 0.6, 0.8, 1.0, 1.3))
FIRST_STEPS = (0.1, 0.25, 0.1)  # half of the grid's
LOWEST = (0.0, -math.inf, 0.0)
ROUNDS = 8  # the step is halved after each


def clamped(z):
    return max(-MOST_LOG_ODDS, min(MOST_LOG_ODDS, z))


def share(z, others, k):
    """The answer's part of all that fits."""
    ahead = [other - z for other in others]
    return 1 / (1 + sum(1 if abs(a) < EQUAL else math.exp(min(500.0, k * a)) for a in ahead))


class RivalModel:
    """Weights of the evidence, then slope, offset and the weight of rivals."""

    def __init__(self, weights, second):
        self.weights, self.second = weights, second

    def alone(self, row):
        return logistic(clamped(log_odds(self.weights, row.x)))

    def confidence(self, row):
        slope, offset, k = self.second
        z, others = all_log_odds(self.weights, row)
        return logistic(slope * z + offset) * share(z, others, k)


def all_log_odds(weights, row):
    return clamped(log_odds(weights, row.x)), [clamped(log_odds(weights, x)) for x in row.rivals]


class Loss:
    """The balanced log-loss of slope, offset and k; shares are kept, as they follow from k alone."""

    def __init__(self, weights, rows):
        balance(rows)
        self.answers = [(*all_log_odds(weights, r), r.right, r.weight / len(rows)) for r in rows]
        self.shares = {}

    def shares_at(self, k):
        if k not in self.shares:
            self.shares[k] = [share(z, others, k) for z, others, _, _ in self.answers]
        return self.shares[k]

    def __call__(self, point):
        slope, offset, k = point
        total = 0.0
        for (z, _, right, weight), part in zip(self.answers, self.shares_at(k)):
            p = min(1 - 1e-4, max(1e-4, logistic(slope * z + offset) * part))
            total -= weight * math.log(p if right else 1 - p)
        return total


def best_along(loss, best, axis, step):
    """Goes along an axis as long as that pays; best: the loss and the point."""
    for direction in (step, -step):
        start = best
        while True:
            point = list(best[1])
            point[axis] += direction
            value = loss(point) if point[axis] >= LOWEST[axis] else math.inf
            if value >= best[0]:
                break
            best = (value, point)
        if best is not start:
            break
    return best


def fit_second(weights, rows):
    """Slope, offset and k: the best of a coarse grid, then steps along each in turn."""
    loss = Loss(weights, rows)
    best = min((loss(point), list(point)) for point in product(*GRID))
    for halvings in range(ROUNDS):
        for axis, step in enumerate(FIRST_STEPS):
            best = best_along(loss, best, axis, step / 2 ** halvings)
    return best[1]
