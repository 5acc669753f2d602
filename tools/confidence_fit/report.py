# SPDX-License-Identifier: MIT
# Part of Dovetail.
"""What a fit is worth, as text."""
import math
import random

from .data import balance


def area_under_curve(values, rows, times=None):
    """The chance that a right answer has the larger value; ties count half. `times`: how often each row counts."""
    order = sorted(range(len(rows)), key=values.__getitem__)
    right = wrong = pairs = 0.0
    i = 0
    while i < len(order):
        j, right_here, wrong_here = i, 0.0, 0.0
        while j < len(order) and values[order[j]] == values[order[i]]:
            weight = times[order[j]] if times else 1.0
            if rows[order[j]].right:
                right_here += weight
            else:
                wrong_here += weight
            j += 1
        pairs += right_here * (wrong + 0.5 * wrong_here)
        right, wrong, i = right + right_here, wrong + wrong_here, j
    return pairs / (right * wrong) if right and wrong else float("nan")


def error_rates(scores, rows, threshold, times=None):
    """Shares of wrong answers at or above the threshold and of right ones below it."""
    bad, all_of = {True: 0.0, False: 0.0}, {True: 0.0, False: 0.0}
    for i, row in enumerate(rows):
        weight = times[i] if times else 1.0
        all_of[row.right] += weight
        if (scores[i] >= threshold) != row.right:
            bad[row.right] += weight
    share = {k: bad[k] / all_of[k] if all_of[k] else float("nan") for k in bad}
    return share[False], share[True]


def equal_error_threshold(rows, scores):
    """The score at which as large a share of the wrong answers lies above as of the right ones below."""
    right = sum(r.right for r in rows)
    wrong = len(rows) - right
    above, below = wrong, 0  # everything is at or above the smallest score
    for i in sorted(range(len(rows)), key=scores.__getitem__):
        if above / wrong <= below / right:
            return scores[i]
        if rows[i].right:
            below += 1
        else:
            above -= 1
    return max(scores)


def bins(scores, rows, times=None, count=10):
    """Equal numbers of answers in the order of confidence: weight, mean confidence, share right (both of the reweighted
    answers) and how many. `times`: how often each row counts."""
    times = times or [1] * len(rows)
    order = [i for i in sorted(range(len(rows)), key=scores.__getitem__) if times[i]]
    total, every = sum(rows[i].weight for i in order), sum(times)
    result, weight, sum_p, sum_right, number, reached = [], 0.0, 0.0, 0.0, 0, 0
    for i in order:
        w = rows[i].weight
        weight, number, reached = weight + w, number + times[i], reached + times[i]
        sum_p, sum_right = sum_p + w * scores[i], sum_right + w * rows[i].right
        if reached * count >= every * (len(result) + 1):
            result.append((weight / total, sum_p / weight, sum_right / weight, number))
            weight, sum_p, sum_right, number = 0.0, 0.0, 0.0, 0
    return result


def calibration_error(scores, rows, times=None):
    return sum(w * abs(p - right) for w, p, right, _ in bins(scores, rows, times))


def wilson(hits, number, z=1.96):
    """The 95% interval of a share by Wilson; it is sound for shares near 0 and 1 as well."""
    if not number:
        return 0.0, 1.0
    share, spread = hits / number, z * z / number
    middle = (share + spread / 2) / (1 + spread)
    half = z * math.sqrt(share * (1 - share) / number + spread / (4 * number)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def intervals(scores, rows, threshold, draws):
    """95% of AUC, of either error rate and of the calibration error, over draws of objects."""
    objects = sorted({"+".join(r.objects) for r in rows})
    choose = random.Random(1)
    by_statistic = [[], [], [], []]
    weights = [r.weight for r in rows]
    for _ in range(draws):
        times = dict.fromkeys(objects, 0)
        for _ in objects:
            times[choose.choice(objects)] += 1
        counts = [times["+".join(r.objects)] for r in rows]
        total = {right: sum(c for c, r in zip(counts, rows) if r.right == right) for right in (True, False)}
        if not total[True] or not total[False]:
            continue
        for row, count in zip(rows, counts):
            row.weight = count / total[row.right]
        values = (area_under_curve(scores, rows, counts), *error_rates(scores, rows, threshold, counts),
                  calibration_error(scores, rows, counts))
        for into, value in zip(by_statistic, values):
            into.append(value)
    for row, weight in zip(rows, weights):
        row.weight = weight

    def ends(values):
        values.sort()
        return (values[int(0.025 * len(values))], values[int(0.975 * (len(values) - 1))]) if values else (0, 1)

    return [ends(values) for values in by_statistic]


def counts(title, rows):
    right = sum(r.right for r in rows.kept)
    print(f"\n{title}: {len(rows.kept)} answers, {right} right, {len(rows.kept) - right} wrong"
          + (f"; {rows.skipped} right but for symmetry left out" if rows.skipped else ""))
    for name, number in sorted(rows.missing.items()):
        print(f"  {number} left out without {name}")


def single_features(rows, terms):
    print("  area under the curve of each feature alone:")
    for k, term in enumerate(terms):
        values = [r.x[k] for r in rows]
        print(f"    {term.text:32s} {area_under_curve(values, rows):.3f}")


def weights(model, terms, second=None):
    print("  weights, for plain values:")
    for term, weight in zip(terms, model[1:]):
        print(f"    {term.table_row(weight)}")
    print(f"    constant {model[0]:.4g}")
    pairs = [f"1={model[0]:.6g}"] + [f"{t.text}={w:.6g}" for t, w in zip(terms, model[1:])]
    if second:
        slope, offset, k = second
        print(f"    slope {slope:.4g}, offset {offset:.4g}, rival {k:.4g}")
        pairs += [f"slope={slope:.6g}", f"offset={offset:.6g}", f"rival={k:.6g}"]
    print(f"  --model '{','.join(pairs)}'")


def by_key(scores, rows, threshold, key):
    groups = {}
    for i, row in enumerate(rows):
        groups.setdefault(str(row.line.get(key)), []).append(i)
    print(f"  by {key}:{'':14s} wrong  taken for right   right  taken for wrong")
    for name, members in sorted(groups.items()):
        chosen = [rows[i] for i in members]
        above, below = error_rates([scores[i] for i in members], chosen, threshold)
        right = sum(r.right for r in chosen)
        print(f"    {name:20s} {len(chosen) - right:6d}  {above:15.3f}  {right:6d}  {below:15.3f}")


def passing(scores, rows, threshold):
    print("  share that passes (95% by Wilson):")
    for name, chosen in (("strangers", lambda r: "stranger" in str(r.line.get("kind"))),
                         ("all wrong", lambda r: not r.right), ("all right", lambda r: r.right)):
        members = [score for score, row in zip(scores, rows) if chosen(row)]
        hits = sum(score >= threshold for score in members)
        if members:
            low, high = wilson(hits, len(members))
            print(f"    {name:20s} {hits:6d} of {len(members):6d}  {hits / len(members):.3f}  ({low:.3f} to {high:.3f})")
        else:
            print(f"    {name:20s}   none")


def whole(title, rows, scores, threshold, options, alone=None):
    """alone: the scores that there would be without rivals."""
    balance(rows)
    above, below = error_rates(scores, rows, threshold)
    ranges = intervals(scores, rows, threshold, options.bootstrap)
    print(f"  -- {title}, threshold {threshold:.3f} (95% over objects)")
    names = ("area under the curve", "wrong taken for right", "right taken for wrong", "calibration error")
    values = (area_under_curve(scores, rows), above, below, calibration_error(scores, rows))
    for name, value, (low, high) in zip(names, values, ranges):
        print(f"    {name:24s} {value:.3f}  ({low:.3f} to {high:.3f})")
    if alone:
        print(f"    {'the same without rivals':24s} {area_under_curve(alone, rows):.3f} area under the curve")
    print("  confidence, share right (classes weighted alike), answers:")
    for _, p, right, number in bins(scores, rows):
        print(f"    {p:.3f}  {right:.3f}  {number}")
    for key in ("kind", "method"):
        by_key(scores, rows, threshold, key)
        if key == "kind":
            passing(scores, rows, threshold)
    order = sorted(range(len(rows)), key=scores.__getitem__)
    print("  wrong answers with the most confidence:")
    for i in [i for i in reversed(order) if not rows[i].right][: options.worst]:
        print(f"    {scores[i]:.3f} {rows[i].name()}")
    print("  right answers with the least:")
    for i in [i for i in order if rows[i].right][: options.worst]:
        print(f"    {scores[i]:.3f} {rows[i].name()}")
