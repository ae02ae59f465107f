#!/usr/bin/env bash
# Regenerates docs/h200.md on a machine with an H200, about 30 minutes. In this order:
#   build      the cuda preset with its tests
#   doctor     zl_doctor_cuda
#   gpu        the tests of the backend and of the ops' results, then the kernels that fail
#   perf       ctest --preset cuda
#   musa       the ops under the musa preset over its stand-in
#   triton     kernels of Triton beside its own timing, operators of PyTorch; without both it is left out
#   ab         A/A verdicts over the ops, and a kernel that was slowed by 3 %
#   accuracy   ci/accuracy.sh, about 8 minutes
#   page       writes docs/h200.md from what the others left under build/cuda
# Only where it is named, before `page`:
#   memcheck   compute-sanitizer's memcheck over one case of each op and implementation, about 4 minutes
#   gpus_one gpus_other gpus_both gpus_spread gpus_table   on a machine with 2 H200s: all cases with
#              ctest -j1 on the first one, on the second one (may be left out), and with -j2 on both;
#              then 5 times more, alone, those that changed by more than their samples' spread; 7, 6, 3
#              and 2 minutes. ZL_GPUS_TESTS is a regular expression for fewer of them
# usage: ci/h200.sh [STAGE...]    only these; a machine may not be lent for all of them at once
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
stages=(build doctor gpu perf musa triton ab accuracy page)
named=(memcheck gpus_one gpus_other gpus_both gpus_spread gpus_table)
case "${1:-}" in
  --help | -h)
    sed -n '2,/^set/s/^# //p' "$0"
    exit 0
    ;;
esac
for wanted in "$@"; do
  [[ " ${stages[*]} ${named[*]} " == *" $wanted "* ]] || {
    echo "ci/h200.sh: unknown stage '$wanted', allowed: ${stages[*]} ${named[*]}" >&2
    exit 2
  }
done
[ $# -eq 0 ] || stages=("$@")

logs=build/cuda/h200-logs
slowed=build/slowed
export ZL_REQUIRE_DEVICE=1
# The musa preset's SDK: a stand-in that forwards to CUDA.
export MUSA_HOME=$PWD/harness/tests/musa_standin/sdk
# Where this python3 has PyTorch, the examples that need it are built.
torch=$(python3 -c 'import torch; print(torch.utils.cmake_prefix_path)' 2>/dev/null)
[ -z "$torch" ] || export CMAKE_PREFIX_PATH=$torch${CMAKE_PREFIX_PATH:+:$CMAKE_PREFIX_PATH}
export TORCH_CUDA_ARCH_LIST=${TORCH_CUDA_ARCH_LIST:-9.0}
failed=0
run() {  # run LOG COMMAND...
  local log=$logs/$1
  shift
  printf '== %s (at %d s)\n' "$*" "$SECONDS"
  "$@" >"$log" 2>&1 || { failed=1; tail -n 40 "$log"; }
}

build() {
  cmake --preset cuda -DZL_BUILD_TESTS=ON "-DPython3_EXECUTABLE=$(command -v python3)" &&
    cmake --build --preset cuda || exit 1
  mkdir -p "$logs"
}
doctor() { run doctor.log build/cuda/harness/doctor/zl_doctor_cuda; }
gpu() {
  run gpu.log ctest --test-dir build/cuda -L '^gpu$' --output-on-failure
  run fault.log ctest --test-dir build/cuda -L '^gpu-fault$' -V
}
perf() { run perf.log ctest --preset cuda; }
musa() {
  run musa-configure.log cmake --preset musa
  run musa-build.log cmake --build --preset musa
  run musa.log ctest --preset musa
}

# The first case of each op and implementation: its program and its name there. What comes out of a
# checker, which makes kernels many times slower, is no measurement: an untimeable one (9) is well too.
# Every GPU takes its share.
memcheck() {
  local gpus gpu
  gpus=$(nvidia-smi -L | wc -l)
  rm -f "$logs"/memcheck-*
  ctest --test-dir build/cuda -N -L '^perf$' |
    sed -nE 's/^ *Test +#[0-9]+: (perf\.cuda\.[^ ]+)$/\1/p' | awk -F. '!seen[$3 "." $4]++' \
    >"$logs/memcheck-cases"
  for ((gpu = 0; gpu < gpus; gpu++)); do
    awk -v all="$gpus" -v this="$gpu" 'NR % all == this' "$logs/memcheck-cases" |
      CUDA_VISIBLE_DEVICES=$gpu check_memory >"$logs/memcheck-$gpu.log" 2>&1 &
  done
  wait
  grep -h '^memcheck: exit code' "$logs"/memcheck-*.log
  local checked faulty
  checked=$(cat "$logs"/memcheck-*.log | grep -c '^== ')
  faulty=$(cat "$logs"/memcheck-*.log | grep -c '^memcheck: exit code')
  printf '%s cases, one of each op and implementation; %s with errors\n' "$checked" "$faulty" |
    tee "$logs/memcheck-total"
  [ "$checked" -gt 0 ] && [ "$faulty" -eq 0 ] || failed=1
}
check_memory() {  # of the cases on stdin
  local program op impl types shape status
  while IFS=. read -r _ _ op impl types shape; do
    printf '== %s/%s/%s/%s\n' "$op" "$impl" "$types" "$shape"
    program=$(find build/cuda/ops build/cuda/harness -name "zl_${op}_cuda" -type f -perm -u+x)
    timeout 120 compute-sanitizer --tool memcheck --report-api-errors no --error-exitcode 99 \
      "$program" "--zl_case=$impl/$types/$shape" --zl_in_process --zl_sustained=off \
      --zl_warmup_ms=1 --zl_versus= </dev/null
    status=$?
    [[ $status -eq 0 || $status -eq 9 ]] ||
      printf 'memcheck: exit code %s of %s/%s/%s/%s\n' "$status" "$op" "$impl" "$types" "$shape"
  done
}

triton() {
  rm -f "$logs/triton.md"
  if [ -z "$torch" ]; then
    echo 'triton: left out, this python3 has no torch'
    return
  fi
  run triton.log ci/triton_compare.py
  cp "$logs/triton.log" "$logs/triton.md"
}

# The first case of each op whose processes take less than about a second: 300 verdicts need 14
# processes or more of each.
ab_cases() {
  ctest --test-dir build/cuda -N -L '^perf$' |
    sed -nE 's/^ *Test +#[0-9]+: (perf\.cuda\.[^ ]+)$/\1/p' | grep '\.own\.' |
    grep -vE '\.(attention|bmm|fused_experts|grouped_mm|w8a8_block_fp8_mm|allocating|fork_join|noise|relu)\.' |
    awk -F. '!seen[$3]++'
}

# This tree with 3 % more blocks in add's launch, each of which does again what another one does.
slow_add() {
  rm -rf "$slowed" && mkdir -p "$slowed" &&
    cp -r CMakeLists.txt CMakePresets.json CTestPresets.json cmake harness ops ci "$slowed" &&
    sed -i -e 's/<<<blocks, threads/<<<blocks + blocks * 3 \/ 100, threads/' \
      -e 's/static_cast<zl::i64>(blockIdx.x) \* (threads/(blockIdx.x % ((vectors + threads * Unroll - 1) \/ (threads * Unroll))) * (threads/' \
      "$slowed/ops/add/add.cu" && ! cmp -s ops/add/add.cu "$slowed/ops/add/add.cu" &&
    cd "$slowed" && cmake --preset cuda '-DZL_OPS=add;silu_and_mul' && cmake --build --preset cuda
}

ab() {
  ab_cases >"$logs/ab-cases"
  run ab-self.log ci/ab.py --self build/cuda --suspects "$logs/ab-cases" \
    --markdown "$logs/ab-self.md" --json "$logs/ab-self.json"
  (run slowed-build.log slow_add; exit "$failed") || failed=1
  run ab-slowed.log found ci/ab.py --base build/cuda --new "$slowed/build/cuda" \
    --filter '\.(add\.own\.f16\.16777216|silu_and_mul\.own\.f16\.4096x14336)$' \
    --markdown "$logs/ab-slowed.md" --json "$logs/ab-slowed.json"
}
found() {  # exits with 0 if COMMAND says that it found something
  "$@"
  [ $? -eq 1 ]
}

all_gpu_tests=${ZL_GPUS_TESTS:-^perf\.cuda\.}
two_gpus() { ci/two_gpus.py run build/cuda "$logs/$1" --tests "${@:2}"; }
# Another card is then the only one, and its ordinal 0; newer versions of CTest find that out.
alone() {  # alone CARD NAME TESTS
  local specify=(build/cuda/harness/doctor/zl_doctor_cuda --resource-spec=build/cuda/zl-resources.json)
  (
    export CUDA_VISIBLE_DEVICES=$1
    run gpus-specification.log "${specify[@]}"
    run "$2.log" two_gpus "$2" "$3" --jobs 1
    exit "$failed"
  ) || failed=1
  run gpus-specification.log "${specify[@]}"
}
gpus_one() { run gpus-one.log two_gpus gpus-one "$all_gpu_tests" --jobs 1; }
gpus_other() { alone 1 gpus-other "$all_gpu_tests"; }
gpus_both() {
  local costs=()
  [ ! -s "$logs/gpus-one/run.json" ] || costs=(--costs "$logs/gpus-one")
  rm -rf "$logs"/gpus-again-*  # chosen by an earlier one
  run gpus-both.log two_gpus gpus-both "$all_gpu_tests" --jobs 2 "${costs[@]}"
}
runs_of() {  # runs_of OPTION RUN...: those that there are, into `runs`
  local option=$1 run
  shift
  for run in "$@"; do
    [ ! -s "$run/run.json" ] || runs+=("$option" "$run")
  done
}
gpus_spread() {
  local card cards tests again runs=()
  rm -rf "$logs"/gpus-again-*
  runs_of --one "$logs"/gpus-{one,other}
  cards=$(nvidia-smi --query-gpu=uuid --format=csv,noheader) && [ -n "$cards" ] || failed=1
  for card in $cards; do
    tests=$(ci/two_gpus.py beyond "${runs[@]}" --several "$logs/gpus-both" --card "$card") || {
      failed=1
      return
    }
    [ -n "$tests" ] || continue
    for again in 1 2 3 4 5; do alone "$card" "gpus-again-$card-$again" "$tests"; done
  done
}
gpus_table() {
  local runs=()
  rm -f "$logs/gpus.md"
  runs_of --one "$logs"/gpus-{one,other}
  runs_of --again "$logs"/gpus-again-*
  run gpus-table.log ci/two_gpus.py table "${runs[@]}" --several "$logs/gpus-both" -o "$logs/gpus.md"
  [ ! -s "$logs/gpus.md" ] || cat "$logs/gpus.md"
}
accuracy() { run accuracy.log ci/accuracy.sh; }

page() {
  {
    printf '# Measured on an H200\n\nRegenerated by ci/h200.sh on %s.\n' "$(date -u +%F)"
    ci/gpu_tables.py build/cuda/zl-results --perf-log "$logs/perf.log" --gpu-log "$logs/gpu.log" \
      --fault-log "$logs/fault.log" --stand-in build/musa/zl-results \
      --stand-in-log "$logs/musa.log" || exit 1
    printf '\n## The doctor\n\n`build/cuda/harness/doctor/zl_doctor_cuda`:\n\n```\n'
    cat "$logs/doctor.log"
    printf '```\n\n'
    [ ! -s "$logs/memcheck-total" ] ||
      printf 'Under `compute-sanitizer --tool memcheck`: %s.\n\n' "$(cat "$logs/memcheck-total")"
    if [ -s "$logs/gpus.md" ]; then
      printf '## Two GPUs at once\n\n'
      cat "$logs/gpus.md"
      printf '\n'
    fi
    if [ -s "$logs/triton.md" ]; then
      printf '## Kernels of Triton\n\n`ci/triton_compare.py`: compiled ahead of time, launched by `zl::TritonKernel`, '
      printf 'beside\n`triton.testing.do_bench_cudagraph` of the same kernels.\n\n'
      cat "$logs/triton.md"
      printf '\n'
    fi
    printf '## A build against itself\n\n'
    printf '`ci/ab.py --self build/cuda` over the first case of each op that is quick to measure:\n\n'
    cat "$logs/ab-self.md"
    printf '\n## A kernel slowed by 3 %%\n\n'
    printf '`ci/ab.py --base build/cuda --new build/slowed/build/cuda`: the launch of add has 3 %% more '
    printf 'blocks there, which do work\nagain that others do; silu_and_mul is the same.\n\n'
    cat "$logs/ab-slowed.md"
    printf '\n'
    sed 's/^#/##/' build/cuda/accuracy/accuracy.md
  } >build/cuda/h200.md && mv build/cuda/h200.md docs/h200.md || exit 1
}

for stage in "${stages[@]}"; do "$stage"; done
grep -hs 'tests passed' "$logs"/*.log
exit "$failed"
