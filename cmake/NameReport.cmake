# Run by CTest after its tests (CTestCustom.cmake.in): where perf tests were among them, names the
# command that makes a report of their results. Never fails: that would fail the run.
#   SOURCE, BUILD: zl-bench's source folder and the build folder
cmake_policy(VERSION 3.25)

# The log of the run that is ending; CTest takes the .tmp off afterwards.
file(GLOB logs "${BUILD}/Testing/Temporary/LastTest*.log.tmp")
set(measured "")
foreach(log IN LISTS logs)
  file(STRINGS "${log}" measured LIMIT_COUNT 1 REGEX "^[0-9]+/[0-9]+ Testing: perf\\.")
  if(measured)
    break()
  endif()
endforeach()
file(GLOB results "${BUILD}/zl-results/*.json")
if(NOT measured OR NOT results)
  return()
endif()

set(build "${BUILD}")
set(report "${SOURCE}/ci/report.py")
cmake_path(IS_PREFIX SOURCE "${BUILD}" NORMALIZE inside)
if(inside)  # as one types it in the source folder
  cmake_path(RELATIVE_PATH build BASE_DIRECTORY "${SOURCE}")
  set(report ci/report.py)
endif()
if("${report}${build}" MATCHES " ")
  set(quote "'")
endif()
message("\nA page of these results, with samples and history:\n  \
${quote}${report}${quote} ${quote}${build}${quote} -o ${quote}${build}/report.html${quote}")
