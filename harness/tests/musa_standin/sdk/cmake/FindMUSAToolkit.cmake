# As the SDK's module of that name: MUSA::musart. Here it is the stand-in over the CUDA runtime.
find_package(CUDAToolkit REQUIRED GLOBAL)
get_filename_component(sdk ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
add_library(zl_musart_on_cuda STATIC ${sdk}/musart_on_cuda.cpp)
target_include_directories(zl_musart_on_cuda SYSTEM PUBLIC ${sdk}/include)
target_compile_features(zl_musart_on_cuda PRIVATE cxx_std_20)
target_link_libraries(zl_musart_on_cuda PUBLIC CUDA::cudart_static)
# Imported, as an SDK's are: what links to it is installed without it.
add_library(MUSA::musart INTERFACE IMPORTED GLOBAL)
target_link_libraries(MUSA::musart INTERFACE zl_musart_on_cuda)
set(MUSAToolkit_FOUND TRUE)
