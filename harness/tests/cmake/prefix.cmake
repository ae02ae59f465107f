# The package of the build tree ZL_BUILD_DIR, installed and then moved -> prefix, which has a space.
# Nothing is compiled.
function(run_command)
  execute_process(COMMAND ${ARGN}
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}: ${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

set(prefix "${WORK_DIR}/moved prefix")
function(install_from build)
  run_command(${CMAKE_COMMAND} --install "${build}" --prefix "${WORK_DIR}/first prefix")
  file(RENAME "${WORK_DIR}/first prefix" "${prefix}")
endfunction()
