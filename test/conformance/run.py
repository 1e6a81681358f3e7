"""Runs the conformance data against an implementation: python3 run.py conformance.json.gz COMMAND...

The command reads one case a line, {"blocks": [...], "resolvers": {...}}, and answers each with one line,
{"trees": [...], "html": "...", "text": "...", "dialect": [...]}; what it leaves out is not compared. A node's "position" is
[start, end], in UTF-16 code units.
"""
import gzip
import json
import subprocess
import sys


def questions(cases):
    return "".join(json.dumps({key: case[key] for key in ("blocks", "resolvers") if key in case}) + "\n" for case in cases)


def differences(case, answer):
    # What is written as it came is left out.
    return [key for key in ("trees", "html", "text", "dialect") if key in answer and answer[key] != case.get(key, case["blocks"])]


def main(file, *command):
    with gzip.open(file) as data:
        cases = json.load(data)["cases"]
    run = subprocess.run(command, input=questions(cases), stdout=subprocess.PIPE, encoding="utf-8", check=True)
    answers = [json.loads(line) for line in run.stdout.split("\n") if line]
    assert len(answers) == len(cases), f"{len(cases)} cases, {len(answers)} answers"
    failures = [(case, found) for case, answer in zip(cases, answers) if (found := differences(case, answer))]
    for case, found in failures:
        print(f"{case['chapter']} {case['name']}: {', '.join(found)}")
    print(f"{len(cases) - len(failures)} of {len(cases)} cases pass")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
