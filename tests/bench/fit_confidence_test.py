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
sys.path.insert(0, str(TOOL.parent))
from confidence_fit.report import bins, wilson  # noqa: E402
from confidence_fit.rivals import RivalModel  # noqa: E402
from confidence_fit.data import Row  # noqa: E402
from confidence_fit.terms import Term, split_features  # noqa: E402


def sigmoid(z):
    return 1 / (1 + math.exp(-z))


def line_of(index, seed, kind, right, evidence, others=()):
    return {"set": "made_up", "kind": kind, "object": f"thing_{index % 30}", "index": index, "seed": seed, "method": "icp",
            "symmetric": index % 3 == 0, "right": right, "right_up_to_symmetry": right, "degrees_off": 0.5,
            "radii_off": 0.01, "evidence": evidence,
            "alternatives": [{"right": False, "right_up_to_symmetry": False, "evidence": e} for e in others]}


def answers(count, seed, constant=-2.0, weight=4.0):
    """Right with the probability of a logistic law of `a`; `b` says nothing, in large numbers."""
    draw = random.Random(seed)
    for index in range(count):
        a, b = draw.uniform(0, 1), draw.gauss(1000, 300)
        right = draw.random() < sigmoid(constant + weight * a)
        yield line_of(index, seed, "near", right, {"a": a, "b": b, "dimension": 2 + index % 2})


def answers_with_rivals(count, seed):
    """Right with sigmoid(z) over what rivals make of it, z = 4 a - 1.4: about as many as not. Near ones have no rivals,
    repeated ones up to two; an alternative without evidence is none."""
    draw = random.Random(seed)
    for index in range(count):
        a, repeated = draw.uniform(0, 1), index % 2 == 1
        others = [draw.uniform(0, 1) for _ in range(index // 2 % 3)] if repeated else []
        share = 1 / (1 + sum(math.exp(0.8 * 4 * (other - a)) for other in others))
        right = draw.random() < sigmoid(4 * a - 1.4) * share
        yield line_of(index, seed, "repeated" if repeated else "near", right, {"a": a},
                      [{"a": other} for other in others] + [None])


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
        self.assertAlmostEqual(float(re.search(r'{"a", Shape::plain, 0, (\S+)},', text).group(1)), 4.0, delta=0.65)
        self.assertLess(abs(float(re.search(r'{"b", Shape::plain, 0, (\S+)},', text).group(1))), 6e-4)
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

    def test_conditions_repeat_and_hold_for_truth_values(self):
        lines = list(answers(600, 3))
        for index, line in enumerate(lines):
            line["kind"], line["method"] = ("slice" if index % 2 else "near"), ("evaluate" if index % 5 == 0 else "icp")
        with open(write(self.folder.name, "fit.jsonl", lines), "a", encoding="utf-8") as file:
            file.write('{"set": "still being wri')
        wanted = [line for line in lines
                  if not line["symmetric"] and line["kind"] != "slice" and line["method"] != "evaluate"]
        text = run("--fit", file.name, "--features", "a", "--where", "symmetric=false", "--where", "kind!=slice",
                   "--where", "method!=evaluate", "--bootstrap", "5", "--folds", "3")
        self.assertIn(f"fit: {len(wanted)} answers", text)

    def test_rivals_are_weighed(self):
        fit = write(self.folder.name, "fit.jsonl", answers_with_rivals(4000, 1))
        test = write(self.folder.name, "test.jsonl", answers_with_rivals(4000, 2))
        common = ["--rivals", "--features", "min(a, 2)", "--bootstrap", "5", "--worst", "2"]
        # The penalty makes the weight too small, for which the slope has to make up.
        text = run("--fit", fit, "--test", test, "--l2", "0.05", "--folds", "3", *common)
        weight = float(re.search(r'{"a", Shape::up_to, 2, (\S+)},', text).group(1))
        constant = float(re.search(r"^ +constant (\S+)$", text, re.M).group(1))
        slope, offset, rival = map(float, re.search(r"slope (\S+), offset (\S+), rival (\S+)", text).groups())
        self.assertLess(weight, 3.5)
        # Four deviations, as found over eight seeds (0.22, 0.09 and 0.32).
        self.assertAlmostEqual(slope * weight, 4.0, delta=0.9)
        self.assertAlmostEqual(slope * constant + offset, -1.4, delta=0.36)
        self.assertAlmostEqual(rival * weight, 3.2, delta=1.3)
        for error in re.findall(r"calibration error +(\S+)", text):
            self.assertLess(float(error), 0.05)  # as above
        for with_rivals, alone in re.findall(r"  area under the curve +(0\S+)[^@]*?the same without rivals +(\S+)", text):
            self.assertGreater(float(with_rivals), float(alone) + 0.02)
        self.assertEqual(text.count("threshold 0.500"), 2)
        # The weights as printed, given back, make the same report of the other answers.
        model = re.search(r"--model '(.+)'", text).group(1)
        again = run("--test", test, "--model", model, *common)
        calibration = re.compile(r"calibration error +(\S+)")
        self.assertAlmostEqual(float(calibration.findall(again)[0]), float(calibration.findall(text)[1]), delta=0.002)

    def test_kinds_may_be_kept_out_of_the_weights_of_evidence(self):
        lines = list(answers(1500, 4))
        turned = [{**line, "kind": "repeated"} for line in answers(1500, 5, 2.0, -4.0)]
        fit = write(self.folder.name, "fit.jsonl", lines + turned)
        weight = {}
        for kinds in ("repeated", ""):
            text = run("--fit", fit, "--rivals", "--not-first", kinds, "--features", "a", "--bootstrap", "5", "--folds", "2")
            weight[kinds] = float(re.search(r'{"a", Shape::plain, 0, (\S+)},', text).group(1))
        self.assertGreater(weight["repeated"], 3)
        self.assertLess(abs(weight[""]), 1)

    def test_strangers_are_counted(self):
        lines = list(answers(400, 6))
        for line in lines[:100]:
            line.update(kind="stranger", right=False, right_up_to_symmetry=False)
        fit = write(self.folder.name, "fit.jsonl", lines)
        text = run("--fit", fit, "--features", "a", "--bootstrap", "5", "--threshold", "0")
        self.assertRegex(text, r"strangers +100 of +100  1\.000  \(0\.963 to 1\.000\)")
        wrong = sum(not line["right"] for line in lines)
        self.assertRegex(text, rf"all wrong +{wrong} of +{wrong} ")
        self.assertRegex(text, rf"all right +{400 - wrong} of +{400 - wrong} ")

    def test_what_the_clouds_leave_open_is_told(self):
        # Right ones have a = 2: three have another pose, one is not held. Wrong ones have a = 1: three have a truth, one of
        # which fits no better.
        lines = [line_of(i, 7, "near", i < 10, {"a": 2.0 if i < 10 else 1.0}, [{"a": 1.5}] if i < 3 else ())
                 for i in range(20)]
        for line in lines:
            line.update(score=0.5, weak_directions=0)
        for line, score, right in zip(lines, (0.49, 0.4, 0.49), (False, False, True)):
            line["alternatives"][0].update(score=score, right=right)
        lines[3]["weak_directions"] = 1
        for line, a, score in ((lines[10], 1.1, 0.5), (lines[11], 3.0, 0.5), (lines[12], 1.1, 0.6)):
            line["at_truth"] = {"evidence": {"a": a}, "score": score}
        test = write(self.folder.name, "open.jsonl", lines)
        text = run("--rivals", "--bound", "--test", test, "--features", "a", "--model", "1=-1.5,a=1,slope=1,offset=0,rival=1",
                   "--bootstrap", "5")
        # The first three are refused: another pose is as likely, but only one of them fits as well and is not right.
        self.assertRegex(text, r"right answers: 2 of 10 open .*misjudged 3, of these 1 with another pose as good, 0 not held, "
                               r"2 not open")
        self.assertRegex(text, r"wrong answers: 1 of 10 open .*misjudged 0, of these 0 with a truth no better")
        self.assertRegex(text, r"without the open ones: area under the curve 0\.\d+, wrong taken for right 0\.000, right "
                               r"taken for wrong 0\.250")


class Parts(unittest.TestCase):
    def test_features_have_shapes(self):
        text = "ln(1.02 - agreement),ln(held+1e-4), min(parallel,0.87),score,log(x)*y.z"
        terms = [Term(part) for part in split_features(text)]
        self.assertEqual([term.text for term in terms], ["ln(1.02 - agreement)", "ln(held + 1e-4)", "min(parallel, 0.87)",
                                                         "score", "log(x)*y.z"])
        # What evidence has comes before what the line has.
        answer = {"score": 0.5, "held": 7, "x": math.e, "y": {"z": 3},
                  "evidence": {"agreement": 0.52, "held": 0.0009, "parallel": 0.9}}
        for term, value in zip(terms, (math.log(0.5), math.log(0.001), 0.87, 0.5, 3.0)):
            self.assertAlmostEqual(term(answer), value)
        self.assertAlmostEqual(terms[0]({"agreement": 2}), math.log(1e-9))
        self.assertIsNone(terms[0]({"evidence": None}))
        for wrong in ("ln(x)", "min(0.87, x)", "ln(x - 1)", "", "max(x, 1)"):
            self.assertRaises(SystemExit, Term, wrong)

    def test_rows_are_those_of_the_table(self):
        for text, weight, row in (("ln(1.02-agreement)", -1.30412, '{"agreement", Shape::ln_below, 1.02, -1.304},'),
                                  ("ln(held + 1e-4)", 1.045, '{"held", Shape::ln_above, 1e-4, 1.045},'),
                                  ("min(parallel, 0.87)", 19.55, '{"parallel", Shape::up_to, 0.87, 19.55},'),
                                  ("score", 2.9, '{"score", Shape::plain, 0, 2.9},')):
            self.assertEqual(Term(text).table_row(weight), row)

    def test_confidence_with_rivals(self):
        model = RivalModel([0.0, 1.0], [1.2, 1.5, 0.8])
        self.assertAlmostEqual(model.confidence(Row([1.0], True, (), {})), sigmoid(2.7))
        self.assertAlmostEqual(model.confidence(Row([1.0], True, (), {}, [[1.0], [0.0]])),
                               sigmoid(2.7) / (2 + math.exp(-0.8)))
        # Log-odds end at 7, a rival's too.
        self.assertAlmostEqual(model.confidence(Row([50.0], True, (), {}, [[90.0]])), sigmoid(9.9) / 2)

    def test_wilson(self):
        # Values of the formula worked out by hand: 0 of 10 is z² / (10 + z²) at the top.
        self.assertAlmostEqual(wilson(0, 10)[1], 1.96 ** 2 / (10 + 1.96 ** 2))
        self.assertAlmostEqual(wilson(0, 10)[0], 0)
        low, high = wilson(5, 10)
        self.assertAlmostEqual(low + high, 1)
        self.assertAlmostEqual(low, 0.2366, places=4)

    def test_bins_have_equal_numbers(self):
        rows = [Row([], i >= 90, (), {}, weight=0.5 / (10 if i >= 90 else 90)) for i in range(100)]
        found = bins([i / 100 for i in range(100)], rows)
        self.assertEqual([number for _, _, _, number in found], [10] * 10)
        self.assertAlmostEqual(found[-1][0], 0.5)  # the ten right answers weigh half
        self.assertAlmostEqual(sum(weight for weight, _, _, _ in found), 1)


if __name__ == "__main__":
    unittest.main()
