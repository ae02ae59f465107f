#!/usr/bin/env bash
# Measures kernels of known length in fresh processes and tells how accurate the numbers are.
set -uo pipefail

usage() {
  cat <<'TXT'
usage: ci/accuracy.sh [--build DIR] [--processes N] [--out FOLDER] [--help]
Measures known kernels, each case in processes of its own, on a machine with an NVIDIA GPU, and
writes what ci/accuracy.py makes of them: FOLDER/accuracy.json and FOLDER/accuracy.md.
  --build DIR      the build folder (build/cuda)
  --processes N    processes a case; reference schedule and CUPTI take at most 3 (10)
  --out FOLDER     where the result files go, as MODE/PROCESS; must hold none yet (DIR/accuracy)
Exit codes: 0 all processes measured; 1 some failed; 2 usage, or nothing to report on.
TXT
}

die() {
  printf 'ci/accuracy.sh: %s\n' "$1" >&2
  exit 2
}

here=$(cd "$(dirname "$0")" && pwd) || exit 2
command="ci/accuracy.sh${*:+ $*}"
build=${here%/ci}/build/cuda
out=
processes=10
while [ $# -gt 0 ]; do
  case "$1" in
    --help | -h)
      usage
      exit 0
      ;;
    --build | --processes | --out)
      [ -n "${2:-}" ] || die "$1 needs a value"
      case "$1" in
        --build) build=$2 ;;
        --processes) processes=$2 ;;
        --out) out=$2 ;;
      esac
      shift 2
      ;;
    *) die "unknown option '$1'; --help lists them" ;;
  esac
done
[[ $processes =~ ^[1-9][0-9]{0,3}$ ]] || die "--processes $processes: not a number from 1 to 9999"
out=${out:-$build/accuracy}

modes=(warm cold direct reference cupti)
axpy_and_copy=({axpy,copy}/own/f32/{262144,4194304,67108864,268435456})  # 1 to 1024 MiB a buffer
known=(empty/own/f32/1 spin/own/f32/{1000,2000,5000,10000,50000,500000} "${axpy_and_copy[@]}")
mm=(cublaslt/bf16/{512x512x512,4096x4096x4096,8192x8192x8192})

program() {  # program NAME: its path below the build folder
  local found
  found=$(find "$build" -name "$1" -type f -print -quit 2>/dev/null)
  [ -n "$found" ] ||
    die "no $1 below $build; to build it: cmake --preset cuda && cmake --build --preset cuda"
  printf '%s' "$found"
}
zl_known=$(program zl_known_cuda) || exit 2
zl_mm=$(program zl_mm_cuda) || exit 2
for mode in "${modes[@]}"; do
  [ ! -e "$out/$mode" ] || die "$out holds results already: remove it or give another --out"
done
mkdir -p "$out" && printf '%s\n' "$command" >"$out/command" || exit 2

# Without a device nothing is measured, which must not look like a skip.
export ZL_REQUIRE_DEVICE=1
count=0
failed=0

measure() {  # measure MODE PROCESS PROGRAM CASE
  local mode=$1 cache=cold output status flags
  case "$4" in
    empty/* | spin/*) cache=warm ;;  # no operands
  esac
  case "$mode" in
    warm) flags=(--zl_method=graph --zl_cache=warm) ;;
    cold) flags=(--zl_method=graph --zl_cache=cold) ;;
    direct) flags=(--zl_method=direct "--zl_cache=$cache") ;;
    reference) flags=(--zl_method=graph --zl_schedule=reference) ;;
    cupti) flags=(--zl_method=graph --zl_verify=cupti "--zl_cache=$cache") ;;
  esac
  [ "$mode/$cache" != cold/warm ] || return 0
  count=$((count + 1))
  output=$("$3" "--zl_case=$4" "${flags[@]}" "--zl_result_dir=$out/$mode/$2" 2>&1 </dev/null)
  status=$?
  [ "$status" -ne 0 ] || return 0
  failed=$((failed + 1))
  printf 'ci/accuracy.sh: exit code %d: %s --zl_case=%s %s\n' \
    "$status" "$3" "$4" "${flags[*]}" >&2
  tail -n 20 <<<"$output" >&2
}

# The process is the outermost loop: a drift of the machine then spreads over all cases.
for ((process = 1; process <= processes; process++)); do
  for mode in "${modes[@]}"; do
    case "$mode" in
      reference | cupti) [ "$process" -le 3 ] || continue ;;
    esac
    mkdir -p "$out/$mode/$process" || exit 2
    for name in "${known[@]}"; do measure "$mode" "$process" "$zl_known" "$name"; done
    for name in "${mm[@]}"; do measure "$mode" "$process" "$zl_mm" "$name"; done
  done
  printf 'ci/accuracy.sh: process %d of %d, %d failed so far, %d s\n' \
    "$process" "$processes" "$failed" "$SECONDS" >&2
done

"$here/accuracy.py" "$out" --json "$out/accuracy.json" --markdown "$out/accuracy.md" || exit
cat "$out/accuracy.md"
if [ "$failed" -gt 0 ]; then
  printf 'ci/accuracy.sh: %d of %d processes failed\n' "$failed" "$count" >&2
  exit 1
fi
