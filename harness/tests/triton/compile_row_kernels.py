#!/usr/bin/env python3
"""Compiles the kernels of row_kernels.py ahead of time: FOLDER/NAME.cubin and FOLDER/NAME.json."""

import argparse
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "examples" / "triton"))
from compile import compile_ahead  # noqa: E402

from row_kernels import ROW_KERNELS  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--architecture", type=int, required=True, help="90 for compute 9.0")
    parser.add_argument("folder", type=pathlib.Path, metavar="FOLDER")
    arguments = parser.parse_args()
    for name, kernel in ROW_KERNELS.items():
        compile_ahead(kernel.function, kernel.signature, {"BLOCK": kernel.block}, kernel.num_warps,
                      arguments.architecture, arguments.folder / name)


if __name__ == "__main__":
    main()
