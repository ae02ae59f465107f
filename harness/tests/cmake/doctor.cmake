# ZL_REQUIRE_DOCTOR: perf tests need the doctor's fixture, beside those that they ask for.
include(${CMAKE_CURRENT_LIST_DIR}/project.cmake)

set(call [==[
zl_add_perf_test(OP add CASE add.cpp TYPES f32 SHAPES 64 IMPLS own)
zl_add_perf_test(OP mm CASE mm.cpp TYPES f32 SHAPES 1x2x3 IMPLS own
  PROPERTIES FIXTURES_REQUIRED data)
]==])
write_project(asked CXX "${call}")
must_configure(-DZL_REQUIRE_DOCTOR=ON)
read_tests()
expect_property(perf.host.add.own.f32.64 FIXTURES_REQUIRED "[\"zl_doctor_host\"]")
expect_property(perf.host.mm.own.f32.1x2x3 FIXTURES_REQUIRED "[\"data\",\"zl_doctor_host\"]")

write_project(unasked CXX "${call}")
must_configure()
read_tests()
expect_property(perf.host.add.own.f32.64 FIXTURES_REQUIRED "")

# The harness brings the fixture into a project that is not its own.
write_project(foreign CXX "")
file(WRITE "${project_dir}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES CXX)
enable_testing()
add_subdirectory(\"${ZL_SOURCE_DIR}\" zl-bench)
include(\"${ZL_SOURCE_DIR}/cmake/ZlBench.cmake\")
${call}")
must_configure(-DZL_REQUIRE_DOCTOR=ON)
read_tests()
expect_property(doctor.host FIXTURES_SETUP "[\"zl_doctor_host\"]")
expect_property(perf.host.add.own.f32.64 FIXTURES_REQUIRED "[\"zl_doctor_host\"]")
