# harness/examples/triton/add_kernel.py: a kernel of yours, that knows nothing of zl-bench
import triton
import triton.language as tl


@triton.jit
def add_kernel(out, x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(x + at, inside) + tl.load(y + at, inside), inside)
