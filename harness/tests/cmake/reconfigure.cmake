include(${CMAKE_CURRENT_LIST_DIR}/project.cmake)

# Building re-configures when a file that the tests come from was edited.
write_project(edited CXX [==[
zl_add_perf_test(OP add CASE add.cpp TYPES f16 CASES sizes.csv IMPLS own)
add_custom_target(nothing)
]==])
file(WRITE "${project_dir}/sizes.csv" "n\n4\n")
must_configure()
set(cases "${build_dir}/zl_cases/zl_add_host.cpp")
file(TIMESTAMP "${cases}" written "%s.%f")

macro(build_nothing)
  execute_process(COMMAND ${CMAKE_COMMAND} --build "${build_dir}" --target nothing
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
endmacro()

# Same content: the generated source keeps its time, so nothing is compiled again.
file(WRITE "${project_dir}/sizes.csv" "# the same\nn\n4\n")
build_nothing()
if(NOT output MATCHES "Configuring done")
  fail("an edited CSV file did not re-configure: ${output}")
endif()
file(TIMESTAMP "${cases}" now "%s.%f")
expect_equal("time of unchanged cases" "${now}" "${written}")

file(WRITE "${project_dir}/sizes.csv" "n\n4\n8\n")
build_nothing()
read_tests()
expect_equal("tests after an edit of the CSV file" "${tests}"
  "perf.host.add.own.f16.4;perf.host.add.own.f16.8")
file(TIMESTAMP "${cases}" now "%s.%f")
if(now STREQUAL written)
  fail("an added row did not rewrite the cases")
endif()

file(WRITE "${project_dir}/add.cpp" "ZL_OP(add, \"rows\");\n")
build_nothing()
string(REGEX REPLACE "[ \n]+" " " output "${output}")
if(result EQUAL 0 OR NOT output MATCHES "no column for axis 'rows'")
  fail("an edited axis did not re-configure: ${output}")
endif()
