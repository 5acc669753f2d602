# SPDX-License-Identifier: MIT
# Part of Dovetail.
"""Logistic regression by Newton's method, with a small penalty on the weights of standardised values."""
import math

from .data import balance, log_odds, logistic


def solve(matrix, right_side):
    """Gaussian elimination with pivoting."""
    n = len(matrix)
    rows = [list(row) + [b] for row, b in zip(matrix, right_side)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(i + 1, n):
            factor = rows[r][i] / rows[i][i]
            if factor:
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i])]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (rows[i][n] - sum(rows[i][j] * x[j] for j in range(i + 1, n))) / rows[i][i]
    return x


def standards(rows):
    """Mean and deviation of each feature, classes weighted alike; a constant feature has deviation 1."""
    total = sum(r.weight for r in rows)
    means, deviations = [], []
    for k in range(len(rows[0].x)):
        mean = sum(r.weight * r.x[k] for r in rows) / total
        variance = sum(r.weight * (r.x[k] - mean) ** 2 for r in rows) / total
        means.append(mean)
        deviations.append(math.sqrt(variance) if variance > 1e-24 * (1 + mean * mean) else 1.0)
    return means, deviations


def fit(rows, l2):
    """The constant and a weight a feature, for plain values."""
    balance(rows)
    means, deviations = standards(rows)
    data = [([1.0] + [(v - m) / d for v, m, d in zip(r.x, means, deviations)], 1.0 if r.right else 0.0, r.weight)
            for r in rows]
    size = len(means) + 1
    total = sum(w for _, _, w in data)
    penalty = l2 * total
    beta = [0.0] * size
    for _ in range(40):
        gradient = [0.0] + [-penalty * b for b in beta[1:]]
        hessian = [[0.0] * size for _ in range(size)]
        for i in range(1, size):
            hessian[i][i] = penalty
        for z, y, w in data:
            p = logistic(sum(a * b for a, b in zip(beta, z)))
            error, curvature = w * (y - p), w * max(p * (1 - p), 1e-9)
            for i in range(size):
                gradient[i] += error * z[i]
                c, row = curvature * z[i], hessian[i]
                for j in range(i + 1):
                    row[j] += c * z[j]
        for i in range(size):
            for j in range(i):
                hessian[j][i] = hessian[i][j]
        step = solve(hessian, gradient)
        largest = max(abs(s) for s in step)
        beta = [b + s * min(1.0, 5 / largest if largest else 1.0) for b, s in zip(beta, step)]
        if largest < 1e-8:
            break
    plain = [b / d for b, d in zip(beta[1:], deviations)]
    return [beta[0] - sum(w * m for w, m in zip(plain, means))] + plain


class Model:
    """Weights of the evidence, and nothing else."""

    def __init__(self, weights):
        self.weights = weights

    def confidence(self, row):
        return logistic(log_odds(self.weights, row.x))


class Told:
    """What the answers told of themselves; all else is another model's."""

    def __init__(self, model):
        self.model, self.weights = model, model.weights

    def confidence(self, row):
        return row.line["confidence"] or 0.0

    def alone(self, row):
        return self.model.alone(row)


def both_sorts(rows):
    return any(r.right for r in rows) and any(not r.right for r in rows)


def held_out_models(rows, fit_model, folds):
    """For each row a fit without its object; of a row of strangers, without the first of the two."""
    objects = sorted({o for r in rows for o in r.objects})
    count = folds or (len(objects) if len(objects) <= 20 else 10)
    fold_of = {o: i % count for i, o in enumerate(objects)}
    models = [None] * len(rows)
    for fold in range(count):
        held = [i for i, r in enumerate(rows) if fold_of[r.objects[0]] == fold]
        train = [r for r in rows if all(fold_of[o] != fold for o in r.objects)]
        if not held:
            continue
        model = fit_model(train) if both_sorts(train) else None
        if model is None:
            raise SystemExit("fit_confidence: too few objects to leave some out; --folds takes another number of groups")
        for i in held:
            models[i] = model
    balance(rows)
    return models
