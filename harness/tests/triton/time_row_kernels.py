#!/usr/bin/env python3
"""Times kernels of row_kernels.py by triton.testing.do_bench_cudagraph, on the GPU.

Prints one JSON object: "versions", and "times" with, for each CASE, its median in us and the
SHA-256 of the kernel's cubin.
"""

import argparse
import hashlib
import json

import torch
import triton
from row_kernels import ROW_KERNELS


def time_case(case: str) -> dict:
    name, shape = case.split("/")
    rows, cols = (int(extent) for extent in shape.split("x"))
    kernel = ROW_KERNELS[name]
    x = torch.randn((rows, cols * (2 if kernel.in_pieces else 1)), dtype=torch.bfloat16,
                    device="cuda")
    tensors = [torch.empty((rows, cols), dtype=torch.bfloat16, device="cuda"), x]
    if "weight" in kernel.pointers:
        tensors.append(torch.randn(cols, dtype=torch.bfloat16, device="cuda"))

    def launch() -> triton.compiler.CompiledKernel:
        return kernel.function[kernel.grid(rows, cols)](*tensors, cols, BLOCK=kernel.block,
                                                        num_warps=kernel.num_warps)

    cubin = launch().asm["cubin"]
    ms = triton.testing.do_bench_cudagraph(launch, rep=100, return_mode="median")
    return {"us": 1e3 * ms, "cubin": hashlib.sha256(cubin).hexdigest()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="+", metavar="CASE", help="as softmax/4096x8192")
    arguments = parser.parse_args()
    times = {case: time_case(case) for case in arguments.cases}
    versions = {"torch": torch.__version__, "triton": triton.__version__}
    print(json.dumps({"versions": versions, "times": times}))


if __name__ == "__main__":
    main()
