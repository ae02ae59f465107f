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


def compile_ahead(kernel: triton.JITFunction, signature: dict[str, str], constants: dict[str, int],
                  num_warps: int, architecture: int, file: pathlib.Path) -> None:
    """`signature`: the types of the parameters that are left, pointers and multiples of 16."""
    source = ASTSource(
        fn=kernel,
        signature=signature | {name: "constexpr" for name in constants},
        constexprs=constants,
        # As a launch from Python would find out by itself: aligned pointers, n a multiple of 16.
        attrs={(i,): [["tt.divisibility", 16]] for i in range(len(signature))},
    )
    compiled = triton.compile(source, target=GPUTarget("cuda", architecture, 32),
                              options={"num_warps": num_warps})
    metadata = compiled.metadata._asdict()
    file.with_suffix(".cubin").write_bytes(compiled.asm["cubin"])
    file.with_suffix(".json").write_text(
        json.dumps({key: metadata[key] for key in KEPT if key in metadata}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--architecture", type=int, required=True, help="90 for compute 9.0")
    parser.add_argument("--block", type=int, default=1024)
    parser.add_argument("file", type=pathlib.Path, metavar="FILE")
    arguments = parser.parse_args()
    signature = {"out": "*fp32", "x": "*fp32", "y": "*fp32", "n": "i32"}
    compile_ahead(add_kernel, signature, {"BLOCK": arguments.block}, 4, arguments.architecture,
                  arguments.file)


if __name__ == "__main__":
    main()
