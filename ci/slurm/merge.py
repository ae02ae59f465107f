#!/usr/bin/env python3
"""Merges the attempts of a run over Slurm into the build folder: one set of result files in
zl-results, one Test.xml in Testing. run.py does this by itself once all is measured; with --partly
what there is can be looked at before.

  ci/slurm/merge.py build/cuda/zl-slurm/20261130-0200

exit codes: 0 merged; 2 usage, or cases are missing
"""

import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from ctest_parts import PartsError  # noqa: E402
from slurm_merge import merge  # noqa: E402
from slurm_run import Run, RunError  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=pathlib.Path, help="folder of the run, which holds run.json")
    parser.add_argument("--partly", action="store_true", help="also where cases are missing")
    arguments = parser.parse_args()
    try:
        run = Run(arguments.run)
        done = merge(run, arguments.partly)
    except (RunError, PartsError) as e:
        print(f"merge: {e}", file=sys.stderr)
        return 2
    print(f"{run.build}: {len(done.part.tests)} tests, {len(done.failed)} of them not passed, "
          f"{done.results} result files, {len(run.missing())} cases missing")
    return 0


if __name__ == "__main__":
    sys.exit(main())
