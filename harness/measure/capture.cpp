#include "measure/capture.hpp"

#include "zl/error.hpp"

namespace zl {

namespace {

void end_and_destroy(Device& device, Stream stream) noexcept {
  try {
    const OwnedGraph abandoned(device, device.end_capture(stream));
  } catch (const Error&) {
    // A broken capture reports itself again when it ends; the first error is the one to tell.
  }
  device.clear_last_error();
}

/// Ends the capture on every path, from the thread that began it.
class OpenCapture {
 public:
  OpenCapture(Device& device, Stream stream) : device_(device), stream_(stream) {
    device_.begin_capture(stream_);
  }
  ~OpenCapture() {
    if (open_) end_and_destroy(device_, stream_);
  }
  OpenCapture(const OpenCapture&) = delete;
  OpenCapture& operator=(const OpenCapture&) = delete;
  OwnedGraph end() {
    open_ = false;
    return {device_, device_.end_capture(stream_)};
  }

 private:
  Device& device_;
  Stream stream_;
  bool open_ = true;
};

}  // namespace

OwnedGraph capture_calls(Device& device, Calls& calls, std::int64_t count, Content content,
                         Overlap overlap) {
  const bool prepare = content != Content::calls && calls.need_preparation();
  const OwnedStream side(device);
  const ScratchGeneratorState scratch(device.generator());
  OpenCapture capture(device, side.get());
  for (std::int64_t i = 0; i < count; ++i) {
    if (i > 0 && overlap == Overlap::cut) device.cut_capture(side.get());
    if (prepare) {
      calls.enqueue_preparation(side.get(), i);
      if (overlap == Overlap::cut) device.cut_capture(side.get());
    }
    if (content != Content::preparations) calls.enqueue(side.get(), i);
  }
  return capture.end();
}

bool recover(Device& device, Stream stream) noexcept {
  device.clear_last_error();
  try {
    if (device.is_capturing(stream)) end_and_destroy(device, stream);
    device.synchronize();
  } catch (const Error&) {
    device.clear_last_error();
  }
  return device.probe();
}

}  // namespace zl
