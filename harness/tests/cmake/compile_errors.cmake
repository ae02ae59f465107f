# Mistakes that the compiler finds, told by the headers in words that say what to do.
include(${CMAKE_CURRENT_LIST_DIR}/project.cmake)

# A case whose body is `body` does not compile, with `message`, word for word.
function(expect_compile_error name body message)
  set(file "${WORK_DIR}/${name}.cpp")
  file(WRITE "${file}" "#include <zl/bench.hpp>
void function(zl::Stream, float*, const float*, int);
template <class T>
void op(zl::Case& c) {
  auto x = c.in<float>({1}, zl::normal());
  auto y = c.out<float>({1});
  ${body}
}
ZL_OP(op, \"n\");\n")
  execute_process(COMMAND ${CXX_COMPILER} -std=c++20 -fsyntax-only
      "-DZL_OP_TYPES=zl::Types<zl::f32>" "-I${ZL_SOURCE_DIR}/harness/include" "${file}"
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(FIND "${output}" "${message}" at)
  if(message STREQUAL "")
    if(NOT result EQUAL 0)
      fail("${name}: ${output}")
    endif()
  elseif(result EQUAL 0 OR at EQUAL -1)
    fail("${name}: expected: ${message}\n  got: ${output}")
  endif()
endfunction()

expect_compile_error(right "c.impl(\"own\", function, y, x, 5);" "")
expect_compile_error(element_type "c.out<short>({1});" "no element type of zl-bench: take f16, \
bf16, e4m3, f32, f64, i32, i64 or u8 of namespace zl; a function's __half* is given a zl::f16* by itself")
expect_compile_error(written_input "c.impl(\"own\", function, x, x, 5);"
  "an input's pointer is const: declare the operand with out() or inout()")
expect_compile_error(other_size "c.impl(\"own\", function, c.out<double>({1}), x, 5);"
  "the function's element type has another size than the operand's")
expect_compile_error(one_argument_less "c.impl(\"own\", function, y, x);"
  "impl() needs one argument for each parameter after the stream")
