"""Kernels over the rows of bf16 tensors, as inference engines have them in Triton."""

from dataclasses import dataclass

import triton
import triton.language as tl

BLOCK = 8192  # of a row that one program reads whole
PIECE = 1024  # of a row that several programs share


@triton.jit
def silu_and_mul_kernel(y, x, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = at < cols
    gate = tl.load(x + 2 * row * cols + at, inside).to(tl.float32)
    up = tl.load(x + (2 * row + 1) * cols + at, inside).to(tl.float32)
    tl.store(y + row * cols + at, (gate / (1 + tl.exp(-gate)) * up).to(tl.bfloat16), inside)


@triton.jit
def softmax_kernel(y, x, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    inside = at < cols
    values = tl.load(x + row * cols + at, inside, other=-float("inf")).to(tl.float32)
    values = tl.exp(values - tl.max(values, 0))
    tl.store(y + row * cols + at, (values / tl.sum(values, 0)).to(tl.bfloat16), inside)


@triton.jit
def rms_norm_kernel(y, x, weight, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    inside = at < cols
    values = tl.load(x + row * cols + at, inside, other=0.0).to(tl.float32)
    scale = tl.rsqrt(tl.sum(values * values, 0) / cols + 1e-6)
    values = values * scale * tl.load(weight + at, inside, other=0.0).to(tl.float32)
    tl.store(y + row * cols + at, values.to(tl.bfloat16), inside)


@dataclass(frozen=True)
class RowKernel:
    function: triton.JITFunction
    pointers: tuple[str, ...]
    block: int
    num_warps: int
    in_pieces: bool = False

    @property
    def signature(self) -> dict[str, str]:
        return {name: "*bf16" for name in self.pointers} | {"cols": "i32"}

    def grid(self, rows: int, cols: int) -> tuple[int, ...]:
        return (rows, triton.cdiv(cols, self.block)) if self.in_pieces else (rows,)


ROW_KERNELS = {
    "silu_and_mul": RowKernel(silu_and_mul_kernel, ("y", "x"), PIECE, 4, in_pieces=True),
    "softmax": RowKernel(softmax_kernel, ("y", "x"), BLOCK, 8),
    "rms_norm": RowKernel(rms_norm_kernel, ("y", "x", "weight"), BLOCK, 8),
}
