# SPDX-License-Identifier: MIT
# Part of Dovetail.
"""What the two clouds leave open, which no judge of them alone could tell.

A right answer is open where a pose that is not right fits as well, or where what the clouds share does not hold it; a wrong
one where the truth fits no better. As well means both by the evidence (log-odds within EQUAL) and by the score (at least
SCORE of the other's), which the weights do not know. Whoever lets no open answer pass refuses that share of the right ones.
"""
from .data import log_odds
from .report import area_under_curve, error_rates, wilson
from .rivals import EQUAL, clamped

SCORE = 0.95


def as_good(odds, answer, other):
    """Whether the other pose fits as well as the answer."""
    if not other.get("evidence"):
        return False
    own, others = odds(answer), odds(other)
    return None not in (own, others) and others > own - EQUAL and other["score"] >= SCORE * answer["score"]


def why_open(odds, line, right):
    """None where the clouds tell; a stranger has no truth to compare with, nor have opposite sides."""
    if right:
        if any(as_good(odds, line, other) for other in line.get("alternatives", []) if not other["right"]):
            return "as good"
        return "not held" if line.get("weak_directions") else None
    truth = line.get("at_truth")
    return "as good" if truth and as_good(odds, truth, line) else None


def tell(rows, scores, threshold, weights, terms):
    def odds(answer):
        x = [term(answer) for term in terms]
        return None if None in x else clamped(log_odds(weights, x))

    print("  what the clouds leave open:")
    why = [why_open(odds, row.line, row.right) for row in rows]
    for right in (True, False):
        chosen = [i for i, row in enumerate(rows) if row.right == right]
        missed = [why[i] for i in chosen if (scores[i] >= threshold) != right]
        still = sum(why[i] is not None for i in chosen)
        low, high = wilson(still, len(chosen))
        print(f"    {'right' if right else 'wrong'} answers: {still} of {len(chosen)} open ({100 * low:.1f} to "
              f"{100 * high:.1f}%); misjudged {len(missed)}, of these {missed.count('as good')} with "
              f"{'another pose as good' if right else 'a truth no better'}, {missed.count('not held')} not held, "
              f"{missed.count(None)} not open")
    told = [i for i in range(len(rows)) if why[i] is None]
    some, theirs = [rows[i] for i in told], [scores[i] for i in told]
    above, below = error_rates(theirs, some, threshold)
    print(f"    without the open ones: area under the curve {area_under_curve(theirs, some):.3f}, "
          f"wrong taken for right {above:.3f}, right taken for wrong {below:.3f}")
