# Files for CASES that no person wrote with care: each either is refused by file and line, or its
# texts reach a test's command as they stand in it, whatever they mean to CMake.
include(${CMAKE_CURRENT_LIST_DIR}/project.cmake)

# `bytes` as printf takes them: CMake can write no zero.
function(write_csv_project name bytes)
  write_project("${name}" NONE [==[
set(ZL_BACKENDS host)
zl_add_perf_command(OP mm IMPLS own TYPES f16 AXES m n k CASES list.csv COMMAND true {result})
]==])
  execute_process(COMMAND printf "${bytes}" OUTPUT_FILE "${project_dir}/list.csv"
    COMMAND_ERROR_IS_FATAL ANY)
  set(project_dir "${project_dir}" PARENT_SCOPE)
  set(build_dir "${build_dir}" PARENT_SCOPE)
endfunction()

function(expect_refused name bytes message)
  write_csv_project("${name}" "${bytes}")
  configure_project()
  string(FIND "${output}" "zl_add_perf_command(OP mm): CASES ${project_dir}/list.csv${message}" at)
  if(result EQUAL 0 OR at EQUAL -1)
    fail("${name}: expected: ${message}\n  got: ${output}")
  endif()
endfunction()

# What the test of case 1x2x3 is given of column x.
function(expect_text name bytes text)
  write_csv_project("${name}" "${bytes}")
  file(WRITE "${project_dir}/zl_perf_command_host" "")  # CTest lists no command that is not there
  file(CHMOD "${project_dir}/zl_perf_command_host" PERMISSIONS OWNER_READ OWNER_EXECUTE)
  must_configure()
  read_tests()
  expect_equal("${name}: tests" "${tests}" perf.host.mm.own.f16.1x2x3)
  string(JSON got GET "${json}" tests 0 command 6)
  string(REGEX REPLACE "^--zl_columns=" "" got "${got}")
  string(JSON got GET "${got}" x)
  expect_equal("${name}: column" "${got}" "${text}")
endfunction()

expect_refused(zero_in_text [[m,n,k,x\n1,2,3,a\0b\n4,5,6,c\n]] ": a zero byte in it")
expect_refused(zero_in_value [[m,n,k\n1,2,3\0\n4,5,6\n]] ": a zero byte in it")
expect_refused(utf16 [[\377\376m\0,\0n\0,\0k\0\n\0]] ": a zero byte in it")
expect_refused(escape [[m,n,k,x\n1,2,3,a\033[31m\n]] ":2: control characters are not allowed")
expect_refused(delete [[m,n,k,x\n1,2,3,\177\n]] ":2: control characters are not allowed")
expect_refused(old_line_ends [[m,n,k\r1,2,3\r]] ":1: control characters are not allowed")
expect_refused(list_in_header [[m,n,k;x\n1,2,3\n]] ":1: column: 'k;x', allowed:")
expect_refused(comma_at_end [[m,n,k,\n1,2,3,\n]] ":1: column: '', allowed:")
foreach(value IN ITEMS 0x1 010 +1 -1 1e3 1.0 1_000 "1 0" TRUE m "\\357\\274\\221")
  string(MAKE_C_IDENTIFIER "value_${value}" name)
  expect_refused(${name} "m,n,k\\n${value},2,3\\n" ":2: m: '")
endforeach()
expect_refused(value_long [[m,n,k\n1234567890123456789,2,3\n]] ":2: m: '1234567890123456789', allowed:")

expect_text(windows [[\357\273\277m,n,k,x\r\n1,2,3,\303\251 ~\r\n]] "é ~")
expect_text(references [[m,n,k,x\n1,2,3,${text} $ENV{HOME} @CMAKE_VERSION@\n]]
  [[${text} $ENV{HOME} @CMAKE_VERSION@]])
expect_text(generator_expression "m,n,k,x\\n1,2,3,$<0:a>$<NONE>b>$<\\n" [[$<0:a>$<NONE>b>$<]])
expect_text(brackets "m,n,k,x\\n1,2,3,a]];[==[ ;b;]=]\\n" "a]];[==[ ;b;]=]")
expect_text(backslashes [[m,n,k,x\n1,2,3,\\;\\n\\\n]] [[\;\n\]])
expect_text(names_of_variables [[m,n,k,x\n1,2,3,line\n]] line)
