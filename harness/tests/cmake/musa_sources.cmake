# The musa backend over the stand-in SDK, which is nvcc underneath: the harness, the doctor and some
# ops, of them those with code of their own for MUSA, compile and link without a warning. Needs no
# GPU. ci/h200.sh builds and runs all of them.
#   CONFIGURE_ONLY  only that the preset's build, with its package, can be generated
set(ENV{MUSA_HOME} "${ZL_SOURCE_DIR}/harness/tests/musa_standin/sdk")
set(build_dir "${WORK_DIR}/build")
file(REMOVE_RECURSE "${WORK_DIR}")
foreach(step IN ITEMS
    "-S|${ZL_SOURCE_DIR}|-B|${build_dir}|-G|${GENERATOR}|-DCMAKE_CXX_COMPILER=${CXX_COMPILER}|-DZL_BACKENDS=musa|-DZL_BUILD_TESTS=OFF|-DCMAKE_BUILD_TYPE=Release"
    "--build|${build_dir}|--target|zl_doctor_musa|zl_known_musa|zl_mm_musa|zl_softmax_musa")
  string(REPLACE "|" ";" arguments "${step}")
  execute_process(COMMAND ${CMAKE_COMMAND} ${arguments}
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0 OR output MATCHES "warning")
    message(FATAL_ERROR "${output}")
  endif()
  if(CONFIGURE_ONLY)
    break()
  endif()
endforeach()
