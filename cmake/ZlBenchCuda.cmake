# The CUDA rules of zl-bench: included where cuda is in ZL_BACKENDS, at file scope, because that is
# where a language can be enabled.
include_guard(DIRECTORY)  # each directory that includes this may have to enable CUDA for itself

# Before the language is enabled, which would set its own default: the device that is here, else
# Hopper, so that a builder without a GPU makes what the GPU machines run.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
  set(architectures 90)
  find_program(ZL_NVIDIA_SMI nvidia-smi)
  mark_as_advanced(ZL_NVIDIA_SMI)
  if(ZL_NVIDIA_SMI)
    execute_process(COMMAND ${ZL_NVIDIA_SMI} -L OUTPUT_VARIABLE devices ERROR_QUIET)
    if(devices MATCHES "GPU [0-9]+:")
      set(architectures native)
    endif()
  endif()
  set(CMAKE_CUDA_ARCHITECTURES ${architectures} CACHE STRING "Architectures of CUDA code")
endif()

if(NOT CMAKE_CUDA_COMPILER)
  if(NOT DEFINED ENV{CUDACXX})
    # The toolkit's own place is often not in PATH.
    find_program(ZL_NVCC nvcc HINTS ENV CUDA_PATH ENV CUDA_HOME PATHS /usr/local/cuda
      PATH_SUFFIXES bin)
    mark_as_advanced(ZL_NVCC)
    if(ZL_NVCC)
      set(CMAKE_CUDA_COMPILER ${ZL_NVCC})
    endif()
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(NOT CMAKE_CUDA_COMPILER)
    message(FATAL_ERROR "ZL_BACKENDS has cuda, but no CUDA compiler works: install the CUDA Toolkit, \
set CUDACXX to its nvcc, or leave cuda out")
  endif()
endif()
enable_language(CUDA)

# Global: zl-bench's libraries link to it, and are linked to from other directories.
find_package(CUDAToolkit REQUIRED GLOBAL)

# CMake 3.25 has no CUDA C++20, hence the option.
if(NOT TARGET ZlBench::cuda_options)
  add_library(zl_cuda_options INTERFACE)
  add_library(ZlBench::cuda_options ALIAS zl_cuda_options)
  target_compile_options(zl_cuda_options INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>)
endif()

# One runtime in a process, the static one: mixing it with the shared one splits the last error.
function(_zl_set_cuda_rules target)
  set_target_properties(${target} PROPERTIES CUDA_RUNTIME_LIBRARY Static)
  set_property(TARGET ${target} PROPERTY CUDA_STANDARD)  # a parent project's would contradict ours
  target_link_libraries(${target} PRIVATE ZlBench::cuda_options)
endfunction()
