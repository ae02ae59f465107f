# Runs one fault and compares what came out with what docs/how-a-number-is-made.md promises:
#   cmake -DNAME=... -DPROGRAM=... -DCASE=IMPL/TYPES/SHAPE -DARGS=... -DEXIT=N -DVERDICT=...
#         -DMARKER=<regex, or none> [-DSAYS=<regex>] -P run.cmake
# Prints a row of a Markdown table: fault, marker, verdict, exit code, seconds.
foreach(required NAME PROGRAM CASE EXIT VERDICT MARKER)
  if(NOT DEFINED ${required})
    message(FATAL_ERROR "run.cmake needs -D${required}=")
  endif()
endforeach()

# The fault decides, not what the caller's environment says about capture and colours.
unset(ENV{ZL_ENABLE_CUDAGRAPH})
unset(ENV{FLAGGEMS_PERF_CURRENT_OP})
set(ENV{NO_COLOR} 1)
set(ENV{ZL_REQUIRE_DEVICE} 1)  # a skip for want of a device is not the one that is looked for

string(TIMESTAMP start "%s%f")
execute_process(
  COMMAND ${PROGRAM} --zl_case=${CASE} --zl_tags ${ARGS}
  OUTPUT_VARIABLE out ERROR_VARIABLE err RESULT_VARIABLE exit_code)
string(TIMESTAMP end "%s%f")
math(EXPR tenths "(${end} - ${start} + 50000) / 100000")
math(EXPR whole "${tenths} / 10")
math(EXPR tenth "${tenths} % 10")

set(marker none)
if(out MATCHES "(BENCHMARK_[A-Z_]+ op=[^\n]*)")
  set(marker "${CMAKE_MATCH_1}")
endif()
set(verdict none)
if(out MATCHES "name=\"verdict\">([a-z_]+)<")
  set(verdict "${CMAKE_MATCH_1}")
endif()
set(has_latency FALSE)
if(out MATCHES "name=\"latency_us\">")
  set(has_latency TRUE)
endif()

string(REPLACE "|" "\\|" marker_cell "${marker}")
execute_process(COMMAND ${CMAKE_COMMAND} -E echo
  "| ${NAME} | ${marker_cell} | ${verdict} | ${exit_code} | ${whole}.${tenth} |")

set(wrong "")
if(NOT exit_code STREQUAL EXIT)
  string(APPEND wrong "\n  exit code ${exit_code}, want ${EXIT}")
endif()
if(NOT verdict STREQUAL VERDICT)
  string(APPEND wrong "\n  verdict ${verdict}, want ${VERDICT}")
endif()
if(NOT marker MATCHES "^(${MARKER})$")
  string(APPEND wrong "\n  marker: ${marker}\n  want:   ${MARKER}")
endif()
if(SAYS AND NOT out MATCHES "${SAYS}")
  string(APPEND wrong "\n  nothing says: ${SAYS}")
endif()
if(has_latency AND NOT VERDICT STREQUAL "ok")
  string(APPEND wrong "\n  a latency was printed")
endif()
if(NOT has_latency AND VERDICT STREQUAL "ok")
  string(APPEND wrong "\n  no latency was printed")
endif()
if(wrong)
  message("stdout:\n${out}\nstderr:\n${err}\n${NAME}:${wrong}")
  message(FATAL_ERROR "${NAME} did not end as promised")
endif()
