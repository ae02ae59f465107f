# install_from(<build>...): the package, installed from build trees and then moved to `prefix`, which
# has a space. Nothing is compiled.
function(run_command)
  execute_process(COMMAND ${ARGN}
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}: ${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

set(prefix "${WORK_DIR}/moved prefix")
function(install_from)
  foreach(build IN LISTS ARGN)
    run_command(${CMAKE_COMMAND} --install "${build}" --prefix "${WORK_DIR}/first prefix")
  endforeach()
  file(RENAME "${WORK_DIR}/first prefix" "${prefix}")
endfunction()
