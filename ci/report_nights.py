"""Result sets for the tests of the report page: nights of 200 results, a few of them what a page
must not hide, and with texts that are made to break it."""

import itertools
import random

import result_files

NASTY = "a\"b'c</script><script>alert(1)</script>&amp;<img src=x onerror=alert(2)>\n" + "é漢😀"
OPS = ("add", "dropout", "embedding", "fused_add_rms_norm", "mm", "rms_norm", "rope", "softmax",
       "topk_softmax", "w8a8_block_fp8_mm")
TYPES = ("bf16", "e4m3-e4m3-bf16", "f16", "f32")
SHAPES = ("16x4096x7168", "64x4096x7168", "1024x1024", "4096x4096", "1x1048576")

# By place; the rest is ok.
SPECIAL: dict[int, dict] = {
    0: {"impl": NASTY, "notes": [NASTY]},
    1: {"impl": "x" * 300},
    20: {"untrusted": ["heat slowed the device: HwThermalSlowdown", NASTY]},
    21: {"implausible": "5,200 GB/s exceeds the peak of 4,814 GB/s"},
    22: {"method": "direct", "capture": "fallback", "capture_reason": "capture:cudaErrorX"},
    23: {"cache": "warm", "cold_by": "", "cache_note": "rotation needs more than 10,000 nodes"},
    24: {"latency": None, "verdict": "wrong_result", "message": NASTY},
    25: {"device_name": "MUSA stand-in", "device_uuid": ""},
}


def night(number: int) -> list[dict]:
    """200 results; some of them are what a page must not hide."""
    results = []
    for place, (op, types, shape) in enumerate(itertools.product(OPS, TYPES, SHAPES)):
        draw = random.Random(1000 * number + place)
        latency = (2 + place) * draw.gauss(1, 0.004)
        count = 1500 if place % 10 == 0 else 60
        special = SPECIAL.get(place, {})
        if special.get("latency", 0) is None:
            results.append(result_files.result(
                op, **special, id={"types": types, "shape": shape}))
            continue
        metrics = {"cv_pct": draw.uniform(0.05, 2), "ci_pct": draw.uniform(0.02, 0.3),
                   "eager_us": latency + 2.5, "host_enqueue_us": 3.2, "min_us": 0.99 * latency,
                   "peak_pct": draw.uniform(1, 97), "bandwidth_GBps": 3000.0,
                   "n_repeat": 20.0, "samples": float(count)}
        if op == "mm":
            metrics["speedup"] = draw.uniform(0.8, 1.2)
        ids = {"types": types, "shape": shape, "impl": special.get("impl", "own")}
        results.append(result_files.result(
            op, latency, id=ids, metrics=metrics,
            samples_ms=[latency / 1e3 * draw.gauss(1, 0.003) for _ in range(count)],
            **{k: v for k, v in special.items() if k != "impl"}))
    return results
