# SPDX-License-Identifier: MIT
# Part of Dovetail.
"""tools/fit_confidence, on made-up answers whose law is known."""
import json
import math
import random
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "fit_confidence"


def answers(count, seed, constant=-2.0, weight=4.0):
    """Right with the probability of a logistic law of `a`; `b` says nothing, in large numbers."""
    draw = random.Random(seed)
    for index in range(count):
        a, b = draw.uniform(0, 1), draw.gauss(1000, 300)
        right = draw.random() < 1 / (1 + math.exp(-(constant + weight * a)))
        yield {"set": "made_up", "kind": "near", "object": f"thing_{index % 30}", "index": index, "seed": seed,
               "method": "icp", "right": right, "right_up_to_symmetry": right, "degrees_off": 0.5, "radii_off": 0.01,
               "evidence": {"a": a, "b": b, "dimension": 2 + index % 2}, "alternatives": []}


def write(folder, name, lines):
    path = Path(folder) / name
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return str(path)


def run(*arguments):
    done = subprocess.run([sys.executable, str(TOOL), *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


class FitConfidence(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def test_finds_the_law_and_is_calibrated_on_other_answers(self):
        fit = write(self.folder.name, "fit.jsonl", answers(4000, 1))
        test = write(self.folder.name, "test.jsonl", answers(4000, 2))
        text = run("--fit", fit, "--test", test, "--features", "a,b", "--bootstrap", "20", "--l2", "1e-6")
        # The law is even between the classes, so that weighing them alike changes nothing. Five standard errors of 4,000
        # answers: about 0.13 each for the weight of a, and 1e-4 for that of b.
        self.assertAlmostEqual(float(re.search(r'{"a", (\S+)}', text).group(1)), 4.0, delta=0.65)
        self.assertLess(abs(float(re.search(r'{"b", (\S+)}', text).group(1))), 6e-4)
        # Ten bins of 400 answers each scatter by about 0.02.
        errors = [float(e) for e in re.findall(r"calibration error +(\S+)", text)]
        self.assertEqual(len(errors), 2)
        for error in errors:
            self.assertLess(error, 0.05)

    def test_turned_labels_are_found_out(self):
        fit = write(self.folder.name, "fit.jsonl", answers(2000, 1))
        turned = write(self.folder.name, "turned.jsonl", answers(2000, 2, 2.0, -4.0))
        text = run("--fit", fit, "--test", turned, "--features", "a", "--bootstrap", "20")
        areas = [float(a) for a in re.findall(r"  area under the curve +(\d\S+)", text)]
        self.assertGreater(areas[0], 0.7)
        self.assertLess(areas[1], 0.3)

    def test_rows_without_a_feature_are_counted_and_filters_choose(self):
        lines = list(answers(600, 3))
        for line in lines[:50]:
            line["evidence"]["a"] = None
        fit = write(self.folder.name, "fit.jsonl", lines)
        self.assertIn("50 left out without a", run("--fit", fit, "--features", "a", "--bootstrap", "5"))
        self.assertIn("fit: 275 answers",
                      run("--fit", fit, "--features", "a", "--where", "evidence.dimension=2", "--bootstrap", "5"))
        both = run("--fit", fit, "--features", "a", "--kind-of", "evidence.dimension", "--bootstrap", "5")
        self.assertIn("== evidence.dimension=2", both)
        self.assertIn("== evidence.dimension=3", both)


if __name__ == "__main__":
    unittest.main()
