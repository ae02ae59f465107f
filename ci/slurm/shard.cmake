# For the CTestTestfile.cmake of a task's test directory: of the build's tests, only those that have a
# variable `shard: <name>` are taken in. CTest looks through all of its tests whenever it sets the
# properties of one: seconds where there are ten thousand.
#
# CMake keeps a command that a function replaces under its name with a `_` before it. A build whose
# own test files replace one of these two cannot be taken in.

# Calls what the calling function replaced, with all of that function's arguments just as they are:
# named one by one, since a list of them would lose the empty ones and split at semicolons.
macro(zl_call_replaced command)
  set(arguments "")
  foreach(i RANGE ${last})
    string(APPEND arguments " \"\${ARGV${i}}\"")
  endforeach()
  cmake_language(EVAL CODE "_${command}(${arguments})")
endmacro()

function(add_test test)
  if(DEFINED "shard: ${test}")
    math(EXPR last "${ARGC} - 1")
    zl_call_replaced(add_test)
  endif()
endfunction()

# Those of several tests at once are handed on: CTest does not mind names that it does not know.
function(set_tests_properties test)
  if(DEFINED "shard: ${test}" OR NOT "${ARGV1}" STREQUAL PROPERTIES)
    math(EXPR last "${ARGC} - 1")
    zl_call_replaced(set_tests_properties)
  endif()
endfunction()
