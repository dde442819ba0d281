"""python -m fuzz [--seconds 60] [--seed 0] [module ...]: run the core, the readers, or both."""

import argparse
import importlib
from time import perf_counter

import fuzz

MODULES = ("core", "files")


def main():
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=fuzz.__doc__)
    parser.add_argument("modules", nargs="*", choices=[[], *MODULES], default=[])
    parser.add_argument("--seconds", type=float, default=60.0, help="for each module")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    for name in given.modules or MODULES:
        since = perf_counter()
        n_problems = importlib.import_module(f"fuzz.{name}").run(given.seconds, given.seed)
        print(f"{name}: {n_problems} problems in {perf_counter() - since:.0f} s, none wrong")


if __name__ == "__main__":
    main()
