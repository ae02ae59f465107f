#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "device/device.hpp"
#include "measure/guards.hpp"

namespace zl {

inline constexpr DType all_types[] = {DType::f16, DType::bf16, DType::e4m3, DType::f32,
                                      DType::f64, DType::i32,  DType::i64,  DType::u8};

/// The first visible device and a stream. Without a device the test fails: it says so by label.
class OnDevice : public testing::Test {
 protected:
  std::unique_ptr<Device> device = backend().open(backend().devices().front());
  OwnedStream owned_stream{*device};
  Stream stream = owned_stream.get();

  std::vector<unsigned char> host_bytes(const void* from, std::size_t bytes) {
    std::vector<unsigned char> host(bytes);
    device->copy_to_host(host.data(), from, bytes);
    return host;
  }
};

/// The zl::Error that `action` throws.
inline Error error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no zl::Error was thrown";
  return Error(Errc::internal, "none");
}

}  // namespace zl
