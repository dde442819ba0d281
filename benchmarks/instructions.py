"""Instructions that the hot passes execute per draw, counted by valgrind's callgrind.

    python benchmarks/instructions.py [--compiler c++]

Counts do not depend on how busy the machine is, so a change can be judged by them anywhere. The
last counts are kept in results/instructions.json; the table shows the change since then.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import fangs
import r_fangs
from report import RESULTS, publish, table

PASSES = ("align", "solve", "support", "flip", "evaluate", "template")
N_DRAWS = 200
CPP = Path(__file__).parent.parent / "cpp"
# As in CMakeLists.txt.
FLAGS = ("-std=c++20", "-O3", "-ffp-contract=off", "-DNDEBUG", "-pthread")
# valgrind counts "rep stosb" and "rep movsb" once per byte; the C library is told to avoid them.
PLAIN_COPIES = {
    "GLIBC_TUNABLES": "glibc.cpu.x86_rep_stosb_threshold=1073741824:"
    "glibc.cpu.x86_rep_movsb_threshold=1073741824"
}


def problems():
    """Yield the name and the draws of each problem."""
    for name in fangs.simulate.CASE_STUDIES:
        yield name, fangs.simulate.case_study(name).draws[:N_DRAWS]
    made = fangs.simulate.posterior_like(1000, 70, 50, density=0.1, births=2, deaths=0.05, seed=0)
    yield "1000 x 70", made.draws


def count(program, path, name):
    """Return the instructions executed inside measured()."""
    out = path.with_suffix(".callgrind")
    tool = ["valgrind", "--tool=callgrind", "--toggle-collect=*measured*"]
    command = [*tool, f"--callgrind-out-file={out}", str(program), str(path), name]
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, **PLAIN_COPIES}
    )
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr}")
    return int(re.search(r"Collected\s*:\s*(\d+)", done.stderr)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", default="c++")
    compiler = parser.parse_args().compiler
    for tool in ("valgrind", compiler):
        if shutil.which(tool) is None:
            sys.exit(f"{tool} is not installed; instruction counts need it")
    kept = RESULTS / "instructions.json"
    before = json.loads(kept.read_text()) if kept.exists() else {}
    counts, rows = {}, []
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "passes"
        source = Path(__file__).with_name("passes.cpp")
        subprocess.run([compiler, *FLAGS, f"-I{CPP}", source, "-o", program], check=True)
        for problem, draws in problems():
            allocation = fangs.estimate(draws, seed=1, n_threads=1, n_iter=0).matrix
            path = Path(folder) / "problem.bin"
            r_fangs.write([allocation, *draws], path)
            # A template walks through at most 128 draws, twice; there is one flip per feature.
            shares = {"flip": len(draws) * allocation.shape[1], "template": min(len(draws), 128)}
            for name in PASSES:
                key = f"{problem}: {name}"
                counts[key] = round(count(program, path, name) / shares.get(name, len(draws)))
            size = f"{problem} ({allocation.shape[0]} x {allocation.shape[1]})"
            rows.append((size, *(cell(counts, before, f"{problem}: {name}") for name in PASSES)))
            print(*rows[-1], sep="  ", flush=True)
    RESULTS.mkdir(exist_ok=True)
    kept.write_text(json.dumps(counts, indent=1) + "\n")
    version = subprocess.run([compiler, "--version"], capture_output=True, text=True).stdout
    publish(
        "instructions",
        "Instructions per draw (and, for flips, per flip); in brackets the change since the counts "
        "kept before.\n\n" + table(("case (items x features)", *PASSES), rows),
        about=f"Compiled by {version.splitlines()[0]}, {' '.join(FLAGS)}.",
    )


def cell(counts, before, key):
    text = f"{counts[key]:,}"
    if before.get(key, counts[key]) != counts[key]:
        text += f" ({counts[key] / before[key] - 1:+.1%})"
    return text


if __name__ == "__main__":
    main()
