# The package that find_package(ZlBench) finds. Each backend has an export of its own, so that build
# trees of different backends install into one prefix.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ZlBench)

install(DIRECTORY harness/include/zl DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
set_target_properties(zl_headers PROPERTIES EXPORT_NAME headers)
install(TARGETS zl_headers EXPORT ZlBench-headers
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT ZlBench-headers NAMESPACE ZlBench:: DESTINATION ${package_dir})

foreach(backend IN LISTS ZL_BACKENDS)
  set(targets zl_harness_${backend})
  foreach(target IN ITEMS zl_harness_${backend}_device zl_perf_command_${backend}
      zl_doctor_${backend})
    if(TARGET ${target})
      list(APPEND targets ${target})
    endif()
  endforeach()
  foreach(target IN LISTS targets)
    string(REGEX REPLACE "^zl_" "" name ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  endforeach()
  install(TARGETS ${targets} EXPORT ZlBench-${backend})
  install(EXPORT ZlBench-${backend} NAMESPACE ZlBench:: DESTINATION ${package_dir})
endforeach()

configure_package_config_file(cmake/ZlBenchConfig.cmake.in ZlBenchConfig.cmake
  INSTALL_DESTINATION ${package_dir}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/ZlBenchConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)  # from 1.0 on: SameMajorVersion
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/ZlBenchConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/ZlBenchConfigVersion.cmake
  cmake/ZlBench.cmake
  cmake/ZlBenchArguments.cmake
  cmake/ZlBenchCases.cpp.in
  cmake/ZlBenchCommand.cmake
  cmake/ZlBenchCuda.cmake
  cmake/ZlBenchMusa.cmake
  cmake/ZlBenchResources.cmake
  cmake/ZlBenchShapes.cmake
  cmake/ZlBenchTargets.cmake
  DESTINATION ${package_dir})
