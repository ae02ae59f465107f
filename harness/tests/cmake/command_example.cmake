# The example of zl_add_perf_command(), in a path with a space: found by find_package() in what this
# build tree installs, run, and its results read by the scripts in ci/. Nothing is compiled.
include(${CMAKE_CURRENT_LIST_DIR}/project.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/prefix.cmake)
file(COPY "${ZL_SOURCE_DIR}/harness/examples/perf_command" DESTINATION "${WORK_DIR}/their scripts")
set(project_dir "${WORK_DIR}/their scripts/perf_command")
set(build_dir "${WORK_DIR}/the build")
install_from("${ZL_BUILD_DIR}")
set(ENV{ZL_LOCK_DIR} "${WORK_DIR}/locks")  # whoever else measures here has its own

# include(CTest) writes what ctest -T Test reads.
file(READ "${project_dir}/CMakeLists.txt" lists)
string(REPLACE "enable_testing()" "include(CTest)" lists "${lists}")
file(WRITE "${project_dir}/CMakeLists.txt" "${lists}")
must_configure("-DCMAKE_PREFIX_PATH=${prefix}" "-DPython3_EXECUTABLE=${PYTHON}")
read_tests()
expect_equal("tests" "${tests}" "perf.host.sum.builtin.f64.1000;perf.host.sum.builtin.f64.100000;\
perf.host.sum.fsum.f64.1000;perf.host.sum.fsum.f64.100000")

run_command(${CMAKE_COMMAND} -E chdir "${build_dir}"
  ${CMAKE_CTEST_COMMAND} -T Test --output-on-failure -L "^perf$")
if(NOT output MATCHES "0 tests failed out of 4")
  fail("it does not measure: ${output}")
endif()
file(GLOB results RELATIVE "${build_dir}/zl-results" "${build_dir}/zl-results/*.json")
string(REPLACE ";" ".json;" files "${tests}.json")
expect_equal("results" "${results}" "${files}")

set(ci "${ZL_SOURCE_DIR}/ci")
run_command("${PYTHON}" "${ci}/check_tags.py" "${build_dir}")
if(NOT output MATCHES "4 perf tests compared, 0 problems")
  fail("tags and result files: ${output}")
endif()

# A busy machine makes results untrusted, which are neither compared nor part of a baseline: of copies
# that are not, two runs.
foreach(test IN LISTS tests)
  file(READ "${build_dir}/zl-results/${test}.json" result)
  string(JSON result SET "${result}" zl result untrusted "[]")
  foreach(run earlier later)
    file(WRITE "${WORK_DIR}/${run}/zl-results/${test}.json" "${result}")
  endforeach()
endforeach()
run_command("${PYTHON}" "${ci}/compare.py" "${WORK_DIR}/earlier" "${WORK_DIR}/later")
if(NOT output MATCHES "sum/builtin/f64/1000 .*4 same")
  fail("compare.py: ${output}")
endif()
run_command("${PYTHON}" "${ci}/report.py" "${build_dir}" -o "${WORK_DIR}/report.html")
file(MAKE_DIRECTORY "${WORK_DIR}/baselines")
run_command("${PYTHON}" "${ci}/baseline.py" make "${WORK_DIR}/later" -o "${WORK_DIR}/baselines")
file(GLOB baselines "${WORK_DIR}/baselines/*.json")
file(READ "${baselines}" baseline)
string(JSON count LENGTH "${baseline}" cases)
expect_equal("cases of the baseline" "${count}" 4)
foreach(test IN LISTS tests)
  string(JSON runs LENGTH "${baseline}" cases "${test}/perf_counter/auto" runs)
  expect_equal("runs of ${test}" "${runs}" 1)
endforeach()
# What ab.py does for each of its numbers; a verdict of it takes too long here.
run_command("${PYTHON}" -c "import pathlib, sys
sys.path.insert(0, sys.argv[1])
from ab_cases import list_cases
from ab_measure import run_case
found = run_case(list_cases(pathlib.Path(sys.argv[2]))['perf.host.sum.fsum.f64.1000'])
assert found.latency_us > 0, found" "${ci}" "${build_dir}")
