include(${CMAKE_CURRENT_LIST_DIR}/project.cmake)

function(expect_cases target expected)
  file(READ "${build_dir}/zl_cases/${target}.cpp" got)
  string(REPLACE "${project_dir}/" "<project>/" got "${got}")
  string(REGEX REPLACE "\n// Compiled as.*#endif\n" "<build>" got "${got}")  # unoptimized.cmake
  expect_equal(${target} "${got}" "${expected}")
endfunction()

write_project(all CXX [==[
set(ZL_BACKENDS host cuda)
file(WRITE models.csv "model,k,n,layer,m\r
# from the model cards\r
Llama \\ 3; [8B],4096,1, down ,2\r
,1,1,,1")
zl_add_perf_test(OP mm CASE mm.cpp HOST_SOURCES kernel.cpp CUDA_SOURCES kernel.cpp
  TYPES f16 SHAPES 3x4x5 CASES models.csv
  IMPLS own cuda:cublaslt host:blas cuda:cublas VERSUS cublaslt
  METHOD graph CACHE cold SCHEDULE reference SUSTAINED OFF WARMUP_MS 10 REP_MS 50.5
  QUANTILES 0.5 0.2 1 RETURN_MODE max DENY_CAPTURE cuda musa
  BASELINE baselines TOLERANCE 2.5)
zl_add_perf_test(OP add CASE add.cpp TYPES f16 SHAPES 8 HOST_SHAPES 4 IMPLS own cuda:cub VERSUS own)
]==])
must_configure()

expect_cases(zl_mm_cuda [==[
// Written by zl_add_perf_test(OP mm): the cases of zl_mm_cuda.
#include "zl/registry.hpp"
<build>
[[maybe_unused]] static const bool zl_cases = zl::detail::declare_cases({
    .op = "mm",
    .test_prefix = "perf.cuda.mm",
    .impls = {"own", "cublaslt", "cublas"},
    .versus = {"cublaslt"},
    .shapes =
        {
         {"3x4x5", {}},
         {"2x1x4096", {{"model", "Llama \\ 3; [8B]"}, {"layer", "down"}}},
         {"1x1x1", {{"model", ""}, {"layer", ""}}},
        },
    .flags = {"--zl_method=graph", "--zl_cache=cold", "--zl_schedule=reference", "--zl_sustained=off", "--zl_warmup_ms=10", "--zl_rep_ms=50.5", "--zl_quantiles=0.5,0.2,1", "--zl_return_mode=max", "--zl_baseline=<project>/baselines", "--zl_tolerance=2.5", "--zl_deny_capture"},
    .unoptimized = ZL_UNOPTIMIZED,
});
]==])

# A backend without the VERSUS implementation compares with nothing; the deny list is cuda's.
file(READ "${build_dir}/zl_cases/zl_mm_host.cpp" host)
foreach(part IN ITEMS ".impls = {\"own\", \"blas\"}," ".versus = {}," "--zl_tolerance=2.5\"},")
  string(FIND "${host}" "${part}" at)
  if(at EQUAL -1)
    fail("zl_mm_host: no ${part} in ${host}")
  endif()
endforeach()

# HOST_SHAPES; an implementation that is alone would only be compared with itself.
expect_cases(zl_add_host [==[
// Written by zl_add_perf_test(OP add): the cases of zl_add_host.
#include "zl/registry.hpp"
<build>
[[maybe_unused]] static const bool zl_cases = zl::detail::declare_cases({
    .op = "add",
    .test_prefix = "perf.host.add",
    .impls = {"own"},
    .versus = {},
    .shapes =
        {
         {"4", {}},
        },
    .flags = {},
    .unoptimized = ZL_UNOPTIMIZED,
});
]==])
