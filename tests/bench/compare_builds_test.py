#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Part of Dovetail.
"""bench/compare_builds on made-up programs: what it marks, what it leaves out, how it ends."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

COMPARE = Path(__file__).resolve().parent.parent.parent / "bench" / "compare_builds"

# Prints its file 0 in the first run, file 1 in the second, and so on round its files.
PROGRAM = """#!/bin/sh
case "$*" in *--help*) echo 'usage: made_up [--quick]{more_usage}' >&2; exit 2 ;; esac
echo "$*" >"$0.arguments"
run=$(cat "$0.count")
echo $((run + 1)) >"$0.count"
cat "$0.$((run % {count}))"
"""


def line(value, unit="ms", **fields):
    return {"benchmark": "icp", "what": "total", "points": 5000, "machine": "cpu", "threads": 2, **fields,
            "fastest": 0.9 * value, "slowest": 1.2 * value, "runs": 15, "value": value, "unit": unit}


class Compare(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.old, self.new = Path(folder.name) / "old", Path(folder.name) / "new"
        self.report = Path(folder.name) / "report.json"
        for build in (self.old, self.new):
            build.mkdir()

    def program(self, build, runs, name="icp_bench", more_usage=""):
        """Runs: the lines of the first run, of the second, ..."""
        self.script(build, PROGRAM.format(count=len(runs), more_usage=more_usage), name)
        (build / (name + ".count")).write_text("0")
        for i, lines in enumerate(runs):
            (build / f"{name}.{i}").write_text("".join(json.dumps(one) + "\n" for one in lines))

    def script(self, build, text, name):
        (build / name).write_text(text)
        os.chmod(build / name, 0o755)

    def compare(self, *arguments):
        """Its exit code, what it printed and complained of; its rows of the made-up lines lie in self.rows."""
        done = subprocess.run([sys.executable, COMPARE, self.old, self.new, "--json", self.report, *arguments],
                              capture_output=True, text=True, check=False)
        report = json.loads(self.report.read_text()) if self.report.exists() else {"rows": []}
        self.rows = {(r["key"], r["measure"]): r for r in report["rows"] if r["measure"] != "peak_mb"}
        self.peaks = [r for r in report["rows"] if r["measure"] == "peak_mb"]
        return done.returncode, done.stdout, done.stderr

    def verdicts(self):
        return sorted(r["verdict"] for r in self.rows.values() if r["verdict"])

    def test_the_same_is_not_slower(self):
        for build in (self.old, self.new):
            self.program(build, [[line(100)], [line(101)], [line(99)]])
        status, printed, errors = self.compare("--pairs", "6")
        self.assertEqual((status, errors), (0, ""))
        (row,) = self.rows.values()
        self.assertEqual(row["cost"], 1)
        self.assertEqual(len(row["old"]), 6)
        self.assertEqual(self.peaks, [])  # a shell takes less than Python, so that it cannot be told
        self.assertIn("1 rows compared: 0 slower, 0 larger, 0 faster, 0 smaller; geometric mean of times 1.000", printed)

    def test_what_is_slower_beyond_limit_and_noise_is_marked(self):
        self.program(self.old, [[line(100)], [line(101)]])
        self.program(self.new, [[line(106)], [line(107)]])
        status, printed, _ = self.compare("--pairs", "4")
        self.assertEqual(status, 1)
        self.assertEqual(self.verdicts(), ["SLOWER"])
        self.assertIn("1 slower", printed)
        self.assertEqual(self.compare("--pairs", "4", "--limit", "0.08")[0], 0)

    def test_noise_hides_what_it_must(self):
        self.program(self.old, [[line(100)], [line(110)]])
        self.program(self.new, [[line(106)], [line(116)]])
        self.assertEqual(self.compare("--pairs", "4")[0], 0)
        (row,) = self.rows.values()
        self.assertAlmostEqual(row["noise"], 0.1)

    def test_one_disturbed_run_in_ten_hides_nothing(self):
        calm = [[line(100)], [line(100.5)]]
        self.program(self.old, calm + [[line(300)]] + [[line(100)]] * 7)
        self.program(self.new, [[line(105)]])
        self.assertEqual(self.compare()[0], 1)

    def test_what_a_third_of_the_pairs_do_not_show_is_not_marked(self):
        self.program(self.old, [[line(100)], [line(100.5)]])
        self.program(self.new, [[line(99)], [line(110)], [line(111)]])
        self.assertEqual(self.compare("--pairs", "6")[0], 0)
        (row,) = self.rows.values()
        self.assertGreater(row["cost"], 1.03)

    def test_a_rate_is_better_when_it_grows(self):
        for unit in ("GB/s", "GB/s written", "pairs per second", "pairs/s"):
            with self.subTest(unit):
                self.program(self.old, [[line(100, unit)]])
                self.program(self.new, [[line(120, unit)]])
                self.assertEqual(self.compare("--pairs", "2")[0], 0)
                self.assertEqual(self.verdicts(), ["faster"])
                self.program(self.new, [[line(80, unit)]])
                self.assertEqual(self.compare("--pairs", "2")[0], 1)
        for unit in ("us per start", "us per query", "calls a loop"):
            with self.subTest(unit):
                self.program(self.old, [[line(100, unit)]])
                self.program(self.new, [[line(120, unit)]])
                self.assertEqual(self.compare("--pairs", "2")[0], 1)

    def test_times_and_memory_beside_the_value_are_rows_and_rates_are_not(self):
        fields = {"prepare_ms": 30, "memory_mb": 50, "device_bytes": 0, "megabytes_per_second": 9, "of_copy": 0.5}
        self.program(self.old, [[line(100, **fields)]])
        self.program(self.new, [[line(100, **{**fields, "prepare_ms": 30.1, "memory_mb": 60, "of_copy": 0.4})]])
        self.assertEqual(self.compare("--pairs", "2")[0], 1)
        self.assertEqual(sorted(measure for _, measure in self.rows), ["memory_mb", "prepare_ms", "value"])
        self.assertEqual(self.verdicts(), ["LARGER"])

    def test_what_takes_more_memory_is_marked(self):
        for build, bytes_kept in ((self.old, 60_000_000), (self.new, 80_000_000)):
            self.program(build, [[line(100)]])
            with open(build / "icp_bench", "a") as script:
                script.write(f"head -c {bytes_kept} /dev/zero | tail -c {bytes_kept} >/dev/null\n")
        self.assertEqual(self.compare("--pairs", "2")[0], 1)
        (peak,) = self.peaks
        self.assertEqual(peak["verdict"], "LARGER")
        self.assertGreater(peak["old"][0], 57)  # MiB
        self.assertLess(peak["old"][0], 70)

    def test_results_of_the_work_are_no_part_of_the_key(self):
        self.program(self.old, [[line(100, iterations=12, error_degrees=0.25)]])
        self.program(self.new, [[line(100, iterations=14, error_degrees=0.25)]])
        status, printed, _ = self.compare("--pairs", "2")
        self.assertEqual((status, len(self.rows)), (0, 1))
        self.assertIn("not the same work: icp total, cpu, points 5000, threads 2: iterations 12 -> 14", printed)
        self.assertNotIn("error_degrees", printed)

    def test_settings_tell_rows_apart_and_like_lines_are_numbered(self):
        lines = [line(100), line(50, threads=1), line(20, method="default"), line(10)]
        self.program(self.old, [lines])
        self.program(self.new, [lines])
        self.assertEqual(self.compare("--pairs", "2")[0], 0)
        self.assertEqual(len(self.rows), 4)
        self.assertIn(("icp total, cpu, points 5000, threads 2 #2", "value"), self.rows)

    def test_peers_are_left_out(self):
        self.program(self.old, [[line(100), line(100, peer="PCL")]])
        self.program(self.new, [[line(100), line(200, peer="PCL")]])
        self.assertEqual(self.compare("--pairs", "2")[0], 0)
        self.assertEqual(len(self.rows), 1)

    def test_peers_are_not_even_run_where_both_can_leave_them_out(self):
        for old_knows, expected in (("", "--quick"), (" [--no-peers]", "--quick --no-peers")):
            self.program(self.old, [[line(100)]], more_usage=old_knows)
            self.program(self.new, [[line(100)]], more_usage=" [--no-peers]")
            self.compare("--pairs", "2", "--quick")
            for build in (self.old, self.new):
                self.assertEqual((build / "icp_bench.arguments").read_text().strip(), expected)

    def test_says_what_is_in_one_build_only(self):
        self.program(self.old, [[line(100), line(100, method="gone")]])
        self.program(self.new, [[line(100), line(100, method="come")]])
        self.program(self.old, [[line(100)]], "soft_bench")
        status, printed, errors = self.compare("--pairs", "2")
        self.assertEqual(status, 0)
        self.assertIn(f"soft_bench: only in {self.old.resolve()}", errors)
        self.assertIn("only in old: icp total, cpu, gone, points 5000, threads 2: value ms", printed)
        self.assertIn("only in new: icp total, cpu, come, points 5000, threads 2: value ms", printed)

    def test_only_picks_programs_or_rows(self):
        for build in (self.old, self.new):
            self.program(build, [[line(100, prepare_ms=10)]])
            self.program(build, [[{**line(100), "benchmark": "soft"}]], "soft_bench")
        for only, count in (("icp", 2), ("icp_bench,soft", 3), ("soft total|prepare_ms$", 2)):
            with self.subTest(only):
                self.assertEqual(self.compare("--pairs", "2", "--only", only)[0], 0)
                self.assertEqual(len(self.rows), count)
        for only in ("no such row", "no_such_bench", "("):
            with self.subTest(only):
                status, _, errors = self.compare("--pairs", "2", "--only", only)
                self.assertEqual(status, 2)
                self.assertTrue(errors.startswith("compare_builds: "), errors)

    def test_a_program_that_fails_is_shown_and_the_others_are_compared(self):
        for build in (self.old, self.new):
            self.program(build, [[line(100)]])
            self.program(build, [[line(100)]], "soft_bench")
        self.script(self.new, "#!/bin/sh\necho out of memory >&2\nexit 7\n", "icp_bench")
        status, printed, errors = self.compare("--pairs", "2")
        self.assertEqual(status, 2)
        self.assertIn("icp_bench ended with status 7:\nout of memory", errors)
        self.assertIn("1 rows compared", printed)

    def test_a_folder_without_benchmarks(self):
        self.program(self.old, [[line(100)]])
        status, _, errors = self.compare()
        self.assertEqual(status, 2)
        self.assertIn(f"{self.new.resolve()} holds no benchmarks", errors)

    def test_commands(self):
        result = '{"usable": false, "time_ms": {"read": 1, "prepare": 20, "loop": %d, "total": 90}}'
        for build, loop in ((self.old, 50), (self.new, 60)):
            self.script(build, f"#!/bin/sh\n[ \"$4\" = 'b c.ply' ] || exit 3\necho '{result % loop}'\nexit 1\n", "dovetail")
        self.assertEqual(self.compare("--pairs", "3", "--command", "register icp a.ply 'b c.ply' --json -")[0], 1)
        rows = {measure: row for (_, measure), row in self.rows.items()}
        self.assertEqual(sorted(rows), ["loop", "prepare", "total", "wall"])
        self.assertAlmostEqual(rows["loop"]["cost"], 1.2)
        self.assertEqual(rows["loop"]["verdict"], "SLOWER")
        self.assertEqual(self.compare("--pairs", "2", "--command", "register")[0], 2)


if __name__ == "__main__":
    unittest.main()
