# For the CTestTestfile.cmake of a task's test directory: of the build's tests, only those that have a
# variable `shard: <name>` are taken in. CTest looks through all of its tests whenever it sets the
# properties of one: seconds where there are ten thousand.
#
# CMake keeps a command that a function replaces under its name with a `_` before it.

# Calls what the calling function replaced, with all arguments just as they are, semicolons and empty
# ones too. `last`: the number of the last one.
macro(zl_call_replaced command)
  set(arguments "")
  foreach(i RANGE ${last})
    string(APPEND arguments " [======[\n${ARGV${i}}]======]")
  endforeach()
  cmake_language(EVAL CODE "_${command}(${arguments})")
endmacro()

function(add_test test)
  if(DEFINED "shard: ${test}")
    math(EXPR last "${ARGC} - 1")
    zl_call_replaced(add_test)
  endif()
endfunction()

# Of several tests at once, too: it does not mind those that CTest does not know.
function(set_tests_properties)
  foreach(test IN LISTS ARGV)
    if(test STREQUAL PROPERTIES)
      return()
    elseif(DEFINED "shard: ${test}")
      break()
    endif()
  endforeach()
  math(EXPR last "${ARGC} - 1")
  zl_call_replaced(set_tests_properties)
endfunction()
