#!/usr/bin/env python3
# harness/examples/triton/compile.py
"""Compiles add_kernel ahead of time: FILE.cubin, and FILE.json, its metadata. Needs no GPU."""

import argparse
import json
import pathlib

import triton
from add_kernel import add_kernel
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

KEPT = ("name", "num_warps", "num_ctas", "shared", "warp_size", "global_scratch_size",
        "profile_scratch_size")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--architecture", type=int, required=True, help="90 for compute 9.0")
    parser.add_argument("--block", type=int, default=1024)
    parser.add_argument("file", type=pathlib.Path, metavar="FILE")
    arguments = parser.parse_args()
    source = ASTSource(
        fn=add_kernel,
        signature={"out": "*fp32", "x": "*fp32", "y": "*fp32", "n": "i32", "BLOCK": "constexpr"},
        constexprs={"BLOCK": arguments.block},
        # As a launch from Python would find out by itself: aligned pointers, n a multiple of 16.
        attrs={(i,): [["tt.divisibility", 16]] for i in range(4)},
    )
    kernel = triton.compile(source, target=GPUTarget("cuda", arguments.architecture, 32),
                            options={"num_warps": 4})
    metadata = kernel.metadata._asdict()
    arguments.file.with_suffix(".cubin").write_bytes(kernel.asm["cubin"])
    arguments.file.with_suffix(".json").write_text(
        json.dumps({key: metadata[key] for key in KEPT if key in metadata}))


if __name__ == "__main__":
    main()
