# A run of FUZZER that is the same every time. The inputs that it keeps and, where it fails, the one
# that made it fail (crash-*, timeout-*, oom-*) are in WORK_DIR, which is emptied before.
file(REMOVE_RECURSE "${WORK_DIR}")
file(MAKE_DIRECTORY "${WORK_DIR}/kept")
execute_process(
  COMMAND "${FUZZER}" -runs=${RUNS} -seed=1 -max_len=4096 -timeout=10 -rss_limit_mb=2048
    -print_final_stats=1 "-artifact_prefix=${WORK_DIR}/" "${WORK_DIR}/kept" "${SEEDS}"
  RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${FUZZER}: ${failed}; the input is in ${WORK_DIR}")
endif()
