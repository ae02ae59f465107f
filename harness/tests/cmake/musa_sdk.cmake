# Where the musa backend looks for Moore Threads' SDK, and what it says without one.
include(${CMAKE_CURRENT_LIST_DIR}/project.cmake)

set(ENV{MUSA_HOME} "${WORK_DIR}/nowhere")
set(ENV{MUSA_PATH} "${WORK_DIR}/nor here")
expect_error_of(no_sdk "" "ZL_BACKENDS has musa, but there is no MUSA SDK. Looked for bin/mcc and \
include/musa_runtime_api.h in: ${WORK_DIR}/nowhere ${WORK_DIR}/nor here /usr/local/musa Install \
Moore Threads' MUSA SDK; where it lies elsewhere, say so: MUSA_HOME=/path/to/musa cmake --preset \
musa" -DZL_BACKENDS=musa)

# An SDK without CMake modules and without its library, then with it: found under MUSA_PATH, which
# has a space.
file(WRITE "${WORK_DIR}/nor here/bin/mcc" "")
file(WRITE "${WORK_DIR}/nor here/include/musa_runtime_api.h" "")
expect_error_of(no_library "" "The MUSA SDK in ${WORK_DIR}/nor here has no library musart in lib or \
lib64, and no cmake/FindMUSAToolkit.cmake that tells where it is" -DZL_BACKENDS=musa)

file(WRITE "${WORK_DIR}/nor here/lib/libmusart.so" "")
write_project(without_modules CXX "get_target_property(at MUSA::musart IMPORTED_LOCATION)
message(STATUS \"musart: '\${at}'\")
add_library(ZlBench::harness_musa ALIAS harness)
zl_add_perf_test(OP add CASE add.cpp GPU_SOURCES kernel.cu CUDA_SOURCES no_cuda.cpp TYPES f16 SHAPES 64
  IMPLS own LIBRARIES CUDA::cublasLt)")
file(WRITE "${project_dir}/no_cuda.cpp" "")
must_configure(-DZL_BACKENDS=musa)
string(FIND "${output}" "musart: '${WORK_DIR}/nor here/lib/libmusart.so'" at)
if(at EQUAL -1)
  fail("found another library: ${output}")
endif()
read_tests()
expect_equal("tests" "${tests}" "perf.musa.add.own.f16.64")
expect_property(perf.musa.add.own.f16.64 RESOURCE_LOCK "[\"zl-musa\"]")

# A module of the SDK's own goes before.
file(WRITE "${WORK_DIR}/nor here/cmake/FindMUSAToolkit.cmake"
  "add_library(MUSA::musart INTERFACE IMPORTED GLOBAL)\nmessage(STATUS \"the SDK's module\")\n")
write_project(with_module CXX "")
must_configure(-DZL_BACKENDS=musa)
string(FIND "${output}" "the SDK's module" at)
if(at EQUAL -1)
  fail("did not use the SDK's module: ${output}")
endif()
