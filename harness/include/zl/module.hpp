#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "zl/stream.hpp"

namespace zl {

/// How many blocks, or threads of a block.
struct Extent {
  unsigned x = 1, y = 1, z = 1;
};

/// A kernel of a Module, or of Triton. A copy refers to the same kernel and keeps it loaded.
class Kernel {
 public:
  /// Enqueues a launch. The arguments are the kernel's parameters in order, each of the very type:
  /// pointers to device memory, `zl::i32` where the kernel takes 32 bits. A wrong number or size of
  /// them is a usage error where the driver can tell (CUDA 12.4 and later).
  template <class... Args>
  void launch(Stream stream, Extent grid, Extent block, unsigned shared_bytes,
              const Args&... args) const {
    const std::array<Argument, sizeof...(Args)> list{
        Argument{static_cast<const void*>(&args), sizeof(Args)}...};
    enqueue(stream, grid, block, shared_bytes, list.data(), list.size());
  }

 private:
  struct Argument {
    const void* value;
    std::size_t bytes;
  };
  void enqueue(Stream stream, Extent grid, Extent block, unsigned shared_bytes,
               const Argument* arguments, std::size_t count) const;

  struct Loaded;
  explicit Kernel(std::shared_ptr<const Loaded> loaded) : loaded_(std::move(loaded)) {}
  std::shared_ptr<const Loaded> loaded_;
  friend class Module;
};

/// Kernels compiled ahead of time, loaded by the driver: a cubin, a fat binary or PTX. For cuda.
/// Load it in the first call (which is never captured nor timed) and keep it.
class Module {
 public:
  /// Errors: the file cannot be read (usage); the driver refuses it, as a cubin for another
  /// architecture (device).
  explicit Module(const std::filesystem::path& file);
  /// By the name in the binary (`cuobjdump -symbols`): extern "C", or mangled.
  Kernel kernel(const std::string& name) const;

 private:
  struct Image;
  std::shared_ptr<const Image> image_;
  friend class Kernel;
};

/// What Triton says of a compiled kernel, in the JSON beside the cubin.
struct TritonMetadata {
  std::string name;
  unsigned threads = 0;        ///< of a block: 32 num_warps
  unsigned shared_bytes = 0;   ///< dynamic
  int scratch_parameters = 0;  ///< pointers after the kernel's own parameters; none is used

  /// Usage errors: not Triton's metadata; a kernel that needs a cluster or global work space.
  static TritonMetadata read(const std::filesystem::path& file);
};

/// A kernel compiled by Triton: `softmax.json`, its metadata, and `softmax.cubin` (or .ptx) beside
/// it, as `CompiledKernel.asm` and `.metadata` give them. Constants are compiled in, and so is an
/// integer that was 1 when it was specialized: neither is a parameter any more.
class TritonKernel {
 public:
  explicit TritonKernel(const std::filesystem::path& json);

  template <class... Args>
  void launch(Stream stream, Extent grid, const Args&... args) const {
    const Extent block{metadata_.threads};
    const void* const none = nullptr;
    switch (metadata_.scratch_parameters) {
      case 0:
        return kernel_.launch(stream, grid, block, metadata_.shared_bytes, args...);
      case 1:
        return kernel_.launch(stream, grid, block, metadata_.shared_bytes, args..., none);
      default:
        return kernel_.launch(stream, grid, block, metadata_.shared_bytes, args..., none, none);
    }
  }
  const TritonMetadata& metadata() const { return metadata_; }

 private:
  TritonMetadata metadata_;
  Kernel kernel_;
};

}  // namespace zl
