include(${CMAKE_CURRENT_LIST_DIR}/project.cmake)

write_project(all CXX [==[
set(ZL_BACKENDS host cuda)
file(WRITE models.csv "model,k,n,m\nllama, 4096 ,1,2\n")
zl_add_perf_test(OP mm CASE mm.cpp HOST_SOURCES kernel.cpp CUDA_SOURCES kernel.cpp
  TYPES f16 e4m3:e4m3:bf16 SHAPES 384x384x384 0x1x2 CASES models.csv HOST_SHAPES 16x8x4
  IMPLS own cuda:cublaslt VERSUS cublaslt LABELS nightly own TIMEOUT 60
  PROPERTIES COST 5 ENVIRONMENT "A=1;B=2" TEST_NAMES_OUT names)
file(WRITE ${CMAKE_BINARY_DIR}/names "${names}")
zl_add_perf_test(OP add CASE add.cpp TYPES f32 SHAPES 4096 IMPLS own BACKENDS host
  TEST_NAMES_OUT add_names)
set_tests_properties(${add_names} PROPERTIES COST 7)
]==])
must_configure()
read_tests()

# Names: backend, op, implementation, types, shape; CSV rows follow SHAPES.
set(expected
  perf.host.mm.own.f16.16x8x4
  perf.host.mm.own.e4m3-e4m3-bf16.16x8x4)
foreach(impl IN ITEMS own cublaslt)
  foreach(types IN ITEMS f16 e4m3-e4m3-bf16)
    foreach(shape IN ITEMS 384x384x384 0x1x2 2x1x4096)
      list(APPEND expected perf.cuda.mm.${impl}.${types}.${shape})
    endforeach()
  endforeach()
endforeach()
file(READ "${build_dir}/names" names)
expect_equal(TEST_NAMES_OUT "${names}" "${expected}")
list(APPEND expected perf.host.add.own.f32.4096)
expect_equal("names" "${tests}" "${expected}")

set(test perf.cuda.mm.cublaslt.e4m3-e4m3-bf16.2x1x4096)
expect_property(${test} LABELS [==[["cublaslt","cuda","mm","nightly","own","perf"]]==])
expect_property(${test} TIMEOUT 60)
expect_property(${test} SKIP_RETURN_CODE 77)
expect_property(${test} RESOURCE_LOCK [==[["zl-cuda"]]==])
expect_property(${test} RESOURCE_GROUPS "")
expect_property(${test} COST 5)
expect_property(${test} ENVIRONMENT [==[["A=1","B=2"]]==])
set(test perf.host.mm.own.f16.16x8x4)
expect_property(${test} LABELS [==[["host","mm","nightly","own","perf"]]==])
expect_property(${test} RESOURCE_LOCK [==[["zl-host"]]==])
set(test perf.host.add.own.f32.4096)
expect_property(${test} LABELS [==[["add","host","own","perf"]]==])
expect_property(${test} TIMEOUT 300)
expect_property(${test} COST 7)
foreach(test IN LISTS tests)
  expect_property(${test} PASS_REGULAR_EXPRESSION "")
  expect_property(${test} SKIP_RETURN_CODE 77)
endforeach()

# The command names its case and where the result goes; the program's own flags are not in it.
file(STRINGS "${build_dir}/CTestTestfile.cmake" commands REGEX "^add_test.*cublaslt.e4m3.*0x1x2")
set(expected "add_test([=[perf.cuda.mm.cublaslt.e4m3-e4m3-bf16.0x1x2]=] \"${build_dir}/zl_mm_cuda\" \
\"--zl_case=cublaslt/e4m3-e4m3-bf16/0x1x2\" \"--zl_tags\" \
\"--zl_result_dir=${build_dir}/zl-results\" \"--zl_timeout_s=60\")")
expect_equal(command "${commands}" "${expected}")

# A resource specification: GPU tests ask for a slot and hold no lock, host tests as before.
file(WRITE "${project_dir}/spec.json"
  [[{"version": {"major": 1, "minor": 0}, "local": [{"cuda": [{"id": "0"}, {"id": "1"}]}]}]])
must_configure("-DZL_RESOURCE_SPEC=${project_dir}/spec.json")
read_tests()
set(test perf.cuda.mm.own.f16.0x1x2)
expect_property(${test} RESOURCE_LOCK "")
expect_property(${test} RESOURCE_GROUPS
  [==[[{"requirements":[{".type":"cuda","slots":1}]}]]==])
set(test perf.host.mm.own.f16.16x8x4)
expect_property(${test} RESOURCE_LOCK [==[["zl-host"]]==])
expect_property(${test} RESOURCE_GROUPS "")
