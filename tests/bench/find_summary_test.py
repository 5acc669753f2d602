#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Part of Dovetail.
"""tools/find_summary on made-up cases."""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "find_summary"


def answer(placed, right, usable=True, mssd=0.01):
    return {"object": 0, "placed": placed, "right": right, "usable": usable, "mssd": mssd, "degrees": 100 * mssd,
            "shift": mssd}


def case(index, answers, shares=(0.5,), asked=None, name="rooms", milliseconds=10.0):
    asked = len(shares) if asked is None else asked
    placed = [{"name": f"part_{i}", "asked": i < asked, "visible_share": share} for i, share in enumerate(shares)]
    right = [a for a in answers if a["right"]]
    found, false = len(right), sum(a["usable"] and not a["right"] for a in answers)
    return {"set": name, "method": "icp", "index": index, "objects": [{"name": "part"}], "placed": placed,
            "answers": answers, "asked": asked, "found": found, "found_usable": sum(a["usable"] for a in right),
            "false_usable": false, "right": found == asked if asked else false == 0, "milliseconds": milliseconds}


def summary(cases, *options):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "cases.jsonl"
        file.write_text("".join(json.dumps(one) + "\n" for one in cases))
        run = subprocess.run([sys.executable, str(TOOL), str(file), *options], capture_output=True, text=True)
    return run


class FindSummary(unittest.TestCase):
    def test_counts_and_times(self):
        told = summary([case(0, [answer(0, True)], milliseconds=5), case(1, [answer(0, True, usable=False)], milliseconds=7),
                        case(2, [answer(0, False, mssd=0.4)], milliseconds=90)]).stdout
        self.assertIn("rooms, icp", told)
        self.assertIn("right         2 of 3 (66.7%)", told)
        self.assertIn("sure          1 of 3 (33.3%)", told)
        self.assertIn("wrong, usable 1", told)
        self.assertIn("median 7.0, most 90.0", told)
        self.assertNotIn("instances", told)

    def test_names_what_was_not_found(self):
        told = summary([case(4, [answer(0, True), answer(1, False, usable=False, mssd=0.25)], shares=(0.9, 0.35))]).stdout
        self.assertIn("instances     1 of 2 (50.0%)", told)
        self.assertIn("4  part_1, visible 0.35: off by 25.00 degrees, 0.25, mssd 0.250, not usable", told)
        self.assertNotIn("part_0,", told)
        self.assertIn("7  part_0, visible 0.50: no answer", summary([case(7, [])]).stdout)

    def test_absent_objects(self):
        told = summary([case(0, [], asked=0), case(1, [answer(None, False)], asked=0)]).stdout
        self.assertIn("right         1 of 2 (50.0%)", told)
        self.assertIn("1  part: not there, yet found", told)

    def test_names_no_more_failures_than_asked_for(self):
        told = summary([case(i, []) for i in range(5)], "--failures", "2").stdout
        self.assertIn("and 3 more", told)

    def test_a_line_that_is_none(self):
        run = summary([{"set": "rooms"}])
        self.assertEqual(run.returncode, 1)
        self.assertIn("line 1", run.stderr)


if __name__ == "__main__":
    unittest.main()
