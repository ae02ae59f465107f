#include "zl/module.hpp"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "zl/error.hpp"

namespace zl {
namespace {

/// The functions of the driver, which is not linked to: a machine without one must still list
/// cases.
struct Driver {
  decltype(&cuModuleLoadData) module_load_data;
  decltype(&cuModuleUnload) module_unload;
  decltype(&cuModuleGetFunction) module_get_function;
  decltype(&cuFuncSetAttribute) func_set_attribute;
  decltype(&cuLaunchKernel) launch_kernel;
  decltype(&cuGetErrorName) get_error_name;
  decltype(&cuGetErrorString) get_error_string;
  CUresult (*func_get_param_info)(CUfunction, std::size_t, std::size_t*, std::size_t*);
};

void* entry_point(const char* name, int version) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
#if CUDART_VERSION >= 12050
  const cudaError_t code = cudaGetDriverEntryPointByVersion(
      name, &found, static_cast<unsigned>(version), cudaEnableDefault, &result);
#else
  static_cast<void>(version);
  const cudaError_t code = cudaGetDriverEntryPoint(name, &found, cudaEnableDefault, &result);
#endif
  return code == cudaSuccess && result == cudaDriverEntryPointSuccess ? found : nullptr;
}

template <class F>
void find(F& function, const char* name, int version = 12000) {
  function = reinterpret_cast<F>(entry_point(name, version));
  if (function == nullptr) {
    throw Error(Errc::device, std::string(name) + ": the CUDA driver does not have it");
  }
}

const Driver& driver() {
  static const Driver found = [] {
    Driver d{};
    find(d.module_load_data, "cuModuleLoadData");
    find(d.module_unload, "cuModuleUnload");
    find(d.module_get_function, "cuModuleGetFunction");
    find(d.func_set_attribute, "cuFuncSetAttribute");
    find(d.launch_kernel, "cuLaunchKernel");
    find(d.get_error_name, "cuGetErrorName");
    find(d.get_error_string, "cuGetErrorString");
    d.func_get_param_info = reinterpret_cast<decltype(d.func_get_param_info)>(
        entry_point("cuFuncGetParamInfo", 12040));  // none in older drivers
    return d;
  }();
  return found;
}

void check(CUresult code, const char* call, const std::string& of) {
  if (code == CUDA_SUCCESS) return;
  const char* name = "?";
  const char* text = "?";
  driver().get_error_name(code, &name);
  driver().get_error_string(code, &text);
  const Errc errc = code == CUDA_ERROR_OUT_OF_MEMORY ? Errc::out_of_memory : Errc::device;
  throw Error(errc, static_cast<int>(code), name, call, of + ": " + text);
}

std::vector<char> contents(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::vector<char> bytes((std::istreambuf_iterator<char>(in)), {});
  if (!in || bytes.empty())
    throw Error(Errc::usage, file.string() + ": cannot be read, or is empty");
  bytes.push_back('\0');  // PTX is text
  return bytes;
}

std::filesystem::path image_beside(const std::filesystem::path& json) {
  for (const char* extension : {".cubin", ".ptx"}) {
    std::filesystem::path file = json;
    file.replace_extension(extension);
    if (std::filesystem::exists(file)) return file;
  }
  throw Error(Errc::usage, json.string() + ": there is no .cubin or .ptx of that name beside it");
}

}  // namespace

struct Module::Image {
  Image(const std::filesystem::path& from) : file(from.string()) {
    const std::vector<char> bytes = contents(from);
    check(driver().module_load_data(&module, bytes.data()), "cuModuleLoadData", file);
  }
  Image(const Image&) = delete;
  ~Image() { driver().module_unload(module); }

  std::string file;
  CUmodule module = nullptr;
};

struct Kernel::Loaded {
  std::shared_ptr<const Module::Image> image;
  std::string name;
  CUfunction function = nullptr;
  std::vector<std::size_t> parameters;  ///< their sizes in bytes
  bool knows_parameters = false;
};

Module::Module(const std::filesystem::path& file) : image_(std::make_shared<Image>(file)) {}

Kernel Module::kernel(const std::string& name) const {
  auto loaded = std::make_shared<Kernel::Loaded>();
  loaded->image = image_;
  loaded->name = name;
  check(driver().module_get_function(&loaded->function, image_->module, name.c_str()),
        "cuModuleGetFunction", image_->file + ": " + name);
  if (driver().func_get_param_info != nullptr) {
    loaded->knows_parameters = true;
    std::size_t offset = 0;
    std::size_t bytes = 0;
    while (driver().func_get_param_info(loaded->function, loaded->parameters.size(), &offset,
                                        &bytes) == CUDA_SUCCESS) {
      loaded->parameters.push_back(bytes);
    }
  }
  return Kernel(std::move(loaded));
}

void Kernel::enqueue(Stream stream, Extent grid, Extent block, unsigned shared_bytes,
                     const Argument* arguments, std::size_t count) const {
  const Loaded& kernel = *loaded_;
  if (kernel.knows_parameters) {
    bool fits = count == kernel.parameters.size();
    for (std::size_t i = 0; fits && i < count; ++i) {
      fits = arguments[i].bytes == kernel.parameters[i];
    }
    if (!fits) {
      std::string wanted;
      for (const std::size_t bytes : kernel.parameters) wanted += " " + std::to_string(bytes);
      std::string given;
      for (std::size_t i = 0; i < count; ++i) given += " " + std::to_string(arguments[i].bytes);
      throw Error(Errc::usage, kernel.name + ": its parameters have" + wanted +
                                   " bytes, the arguments of launch()" + given);
    }
  }
  constexpr unsigned without_asking = 48 << 10;
  if (shared_bytes > without_asking) {
    check(driver().func_set_attribute(kernel.function,
                                      CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                      static_cast<int>(shared_bytes)),
          "cuFuncSetAttribute", kernel.name);
  }
  std::vector<void*> values;
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(const_cast<void*>(arguments[i].value));  // the driver reads it
  }
  check(driver().launch_kernel(kernel.function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                               shared_bytes, stream, values.data(), nullptr),
        "cuLaunchKernel", kernel.name);
}

TritonKernel::TritonKernel(const std::filesystem::path& json)
    : metadata_(TritonMetadata::read(json)),
      kernel_(Module(image_beside(json)).kernel(metadata_.name)) {}

}  // namespace zl
