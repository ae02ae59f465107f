include(${CMAKE_CURRENT_LIST_DIR}/project.cmake)

expect_error_of(in_ZL_BACKENDS "" "ZL_BACKENDS: unknown backend 'rocm', allowed: host, cuda, musa"
  -DZL_BACKENDS=rocm)
expect_error_of(no_ZL_BACKENDS "" "ZL_BACKENDS is empty, allowed: host, cuda, musa" -DZL_BACKENDS=)
expect_error(in_BACKENDS "BACKENDS host gpu"
  "BACKENDS: unknown value 'gpu', allowed: host, cuda, musa")
expect_error(in_DENY_CAPTURE "DENY_CAPTURE npu"
  "DENY_CAPTURE: unknown value 'npu', allowed: host, cuda, musa")
foreach(keyword IN ITEMS SOURCES GPU_SOURCES CUDA_SOURCES MUSA_SOURCES HOST_SOURCES CASES)
  expect_error(no_file_${keyword} "${keyword} no.cpp" "${keyword}: there is no file 'no.cpp' in")
endforeach()
expect_error(folder_as_file "SOURCES ." "SOURCES: there is no file '.' in")

expect_error(nothing_for_host "CUDA_SOURCES kernel.cpp"
  "no backend of this build can run it: host has no sources (HOST_SOURCES or SOURCES), and \
ZL_BACKENDS is 'host'. BACKENDS <its backends> leaves it out of builds without them")
expect_error(nothing_for_host_gpu "GPU_SOURCES kernel.cpp" "no backend of this build can run it")
expect_error(named_without_sources "CUDA_SOURCES kernel.cpp BACKENDS host cuda"
  "BACKENDS names host, but host has no sources (HOST_SOURCES or SOURCES)")
expect_error_of(named_without_impl
  "zl_add_perf_test(OP mm CASE mm.cpp TYPES f16 SHAPES 1x2x3 IMPLS cuda:lt BACKENDS host)"
  "zl_add_perf_test(OP mm): BACKENDS names host, but host has no implementation (IMPLS)")
expect_error_of(no_impl_anywhere
  "zl_add_perf_test(OP mm CASE mm.cpp TYPES f16 SHAPES 1x2x3 IMPLS cuda:lt)"
  "zl_add_perf_test(OP mm): no backend of this build can run it: host has no implementation (IMPLS)")
expect_error_of(host_shapes_only "set(ZL_BACKENDS cuda)
zl_add_perf_test(OP mm CASE mm.cpp TYPES f16 HOST_SHAPES 1x2x3 IMPLS own)"
  "zl_add_perf_test(OP mm): no shapes for cuda: SHAPES or CASES is needed, HOST_SHAPES is for host")
expect_error_of(cuda_not_enabled "set(ZL_BACKENDS cuda)
zl_add_perf_test(OP mm CASE mm.cpp CUDA_SOURCES kernel.cu TYPES f16 SHAPES 1x2x3 IMPLS own)"
  "zl_add_perf_test(OP mm): CUDA is not enabled in this directory: include ZlBench.cmake above it, \
or add CUDA to the languages of project()")
expect_error_of(no_harness "set(ZL_BACKENDS musa)
zl_add_perf_test(OP mm CASE mm.cpp TYPES f16 SHAPES 1x2x3 IMPLS own)"
  "zl_add_perf_test(OP mm): ZL_BACKENDS: there is no target ZlBench::harness_musa")

expect_error_of(musa_not_enabled "add_library(ZlBench::harness_musa ALIAS harness)
set(ZL_BACKENDS musa)
zl_add_perf_test(OP mm CASE mm.cpp MUSA_SOURCES kernel.cu TYPES f16 SHAPES 1x2x3 IMPLS own)"
  "zl_add_perf_test(OP mm): MUSA is not enabled in this directory: ZL_BACKENDS needs musa where \
ZlBench.cmake is included")

expect_error_of(no_testing "unset(CMAKE_TESTING_ENABLED)
zl_add_perf_test(OP mm CASE mm.cpp TYPES f16 SHAPES 1x2x3 IMPLS own)"
  "zl_add_perf_test(OP mm): enable_testing() is missing: call it in the top CMakeLists.txt")

function(expect_spec_error name spec message)
  expect_error_of("${name}" "${spec}
set(ZL_BACKENDS cuda)
zl_add_perf_test(OP mm CASE mm.cpp TYPES f16 SHAPES 1x2x3 IMPLS own)"
    "zl_add_perf_test(OP mm): ZL_RESOURCE_SPEC: ${message}"
    "-DZL_RESOURCE_SPEC=${WORK_DIR}/${name}/spec.json")
endfunction()
expect_spec_error(no_spec "" "there is no file '${WORK_DIR}/no_spec/spec.json'")
expect_spec_error(spec_of_another
  "file(WRITE spec.json [[{\"version\": {\"major\": 1, \"minor\": 0}, \"local\": [{\"musa\": [{\"id\": \"0\"}]}]}]])"
  "no resource 'cuda' in ${WORK_DIR}/spec_of_another/spec.json")
expect_spec_error(spec_without_slots
  "file(WRITE spec.json [[{\"local\": [{\"cuda\": []}]}]])" "no resource 'cuda' in")
expect_spec_error(spec_not_json "file(WRITE spec.json gpus)" "no resource 'cuda' in")
