execute_process(COMMAND "${PROGRAM}" ${ARGS} RESULT_VARIABLE code OUTPUT_VARIABLE out
  ERROR_VARIABLE err)
if(NOT code MATCHES "^${CODE}$")
  message(FATAL_ERROR "exit code ${code}, expected ${CODE}\n${out}${err}")
endif()
if(NOT "${out}${err}" MATCHES "${OUTPUT}")
  message(FATAL_ERROR "no match for '${OUTPUT}' in\n${out}${err}")
endif()
