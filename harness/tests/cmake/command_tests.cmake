# The tests that zl_add_perf_command() makes: like those of zl_add_perf_test(), and beside them.
include(${CMAKE_CURRENT_LIST_DIR}/project.cmake)

write_project(all CXX [==[
set(ZL_BACKENDS host cuda)
file(WRITE ${CMAKE_CURRENT_SOURCE_DIR}/models.csv "model,k,n,m\na \\ ;[b;c, 4096 ,1,2\n")
add_executable(time_it kernel.cpp)
zl_add_perf_test(OP mm CASE mm.cpp SOURCES kernel.cpp TYPES f16 SHAPES 8x8x8 IMPLS own
  BACKENDS host)
zl_add_perf_command(OP mm IMPLS triton cuda:cublas TYPES f16 e4m3:e4m3:bf16 AXES m n k
  SHAPES 384x384x384 CASES models.csv HOST_SHAPES 16x8x4 LABELS nightly TIMEOUT 60
  BASELINE base TOLERANCE 7 PROPERTIES COST 5 ENVIRONMENT "A=1;B=2" TEST_NAMES_OUT names
  COMMAND time_it "two words" "a;b" --impl={impl} {case} {result})
file(WRITE ${CMAKE_BINARY_DIR}/names "${names}")
zl_add_perf_command(OP mm IMPLS script TYPES f16 SHAPES 8x8x8 BACKENDS host
  COMMAND python3 "x ${y}" {result})
]==])
# CTest lists no command whose program is not there.
foreach(program IN ITEMS zl_perf_command_host zl_perf_command_cuda)
  file(WRITE "${project_dir}/${program}" "")
  file(CHMOD "${project_dir}/${program}" PERMISSIONS OWNER_READ OWNER_EXECUTE)
endforeach()
must_configure()
read_tests()

set(expected
  perf.host.mm.triton.f16.16x8x4
  perf.host.mm.triton.e4m3-e4m3-bf16.16x8x4)
foreach(impl IN ITEMS triton cublas)
  foreach(types IN ITEMS f16 e4m3-e4m3-bf16)
    foreach(shape IN ITEMS 384x384x384 2x1x4096)
      list(APPEND expected perf.cuda.mm.${impl}.${types}.${shape})
    endforeach()
  endforeach()
endforeach()
file(READ "${build_dir}/names" names)
expect_equal(TEST_NAMES_OUT "${names}" "${expected}")
list(PREPEND expected perf.host.mm.own.f16.8x8x8)
list(APPEND expected perf.host.mm.script.f16.8x8x8)
expect_equal("names" "${tests}" "${expected}")

set(test perf.cuda.mm.cublas.e4m3-e4m3-bf16.2x1x4096)
expect_property(${test} LABELS [==[["cublas","cuda","mm","nightly","perf"]]==])
expect_property(${test} TIMEOUT 60)
expect_property(${test} RESOURCE_LOCK [==[["zl-cuda"]]==])
expect_property(${test} RESOURCE_GROUPS "")
expect_property(${test} COST 5)
expect_property(${test} ENVIRONMENT [==[["A=1","B=2"]]==])
expect_property(perf.host.mm.script.f16.8x8x8 LABELS [==[["host","mm","perf","script"]]==])
expect_property(perf.host.mm.script.f16.8x8x8 TIMEOUT 300)
expect_property(perf.host.mm.script.f16.8x8x8 RESOURCE_LOCK [==[["zl-host"]]==])
foreach(test IN LISTS tests)
  expect_property(${test} PASS_REGULAR_EXPRESSION "")
  expect_property(${test} SKIP_RETURN_CODE 77)
endforeach()

# The words of a test's command, one a line.
function(expect_command test)
  list(FIND tests ${test} index)
  string(JSON count LENGTH "${json}" tests ${index} command)
  math(EXPR last "${count} - 1")
  set(words "")
  foreach(at RANGE ${last})
    string(JSON word GET "${json}" tests ${index} command ${at})
    string(APPEND words "${word}\n")
  endforeach()
  set(expected "")
  foreach(at RANGE 1 ${ARGC})
    if(at LESS ARGC)
      string(APPEND expected "${ARGV${at}}\n")
    endif()
  endforeach()
  expect_equal("the command of ${test}" "${words}" "${expected}")
endfunction()
expect_command(perf.cuda.mm.triton.e4m3-e4m3-bf16.2x1x4096
  "${project_dir}/zl_perf_command_cuda" --zl_case=triton/e4m3-e4m3-bf16/2x1x4096 --zl_tags
  "--zl_result_dir=${build_dir}/zl-results" --zl_timeout_s=60 --zl_op=mm
  "--zl_baseline=${project_dir}/base" --zl_tolerance=7
  [==[--zl_columns={"model": "a \\ ;[b;c"}]==]
  -- "${build_dir}/time_it" "two words" "a;b" "--impl={impl}" "{case}" "{result}")
expect_command(perf.host.mm.script.f16.8x8x8
  "${project_dir}/zl_perf_command_host" --zl_case=script/f16/8x8x8 --zl_tags
  "--zl_result_dir=${build_dir}/zl-results" --zl_timeout_s=300 --zl_op=mm
  -- python3 "x " "{result}")

# A resource specification: GPU tests ask for a slot and hold no lock.
file(WRITE "${project_dir}/spec.json"
  [[{"version": {"major": 1, "minor": 0}, "local": [{"cuda": [{"id": "0"}, {"id": "1"}]}]}]])
must_configure("-DZL_RESOURCE_SPEC=${project_dir}/spec.json" -DZL_REQUIRE_DOCTOR=ON)
read_tests()
set(test perf.cuda.mm.triton.f16.384x384x384)
expect_property(${test} RESOURCE_LOCK "")
expect_property(${test} RESOURCE_GROUPS
  [==[[{"requirements":[{".type":"cuda","slots":1}]}]]==])
expect_property(${test} FIXTURES_REQUIRED "[\"zl_doctor_cuda\"]")
