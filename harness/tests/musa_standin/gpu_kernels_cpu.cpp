// The harness's own kernels over the stand-in, with the host backend's arithmetic.
#include "device/gpu/gpu_kernels.hpp"
#include "device/host/host_kernels.hpp"
#include "musa_standin.hpp"

namespace zl::gpu {
namespace {

musaStream_t native(Stream stream) { return stream; }

Findings findings_of(const Comparison& found) {
  Findings findings;
  findings.matching = static_cast<unsigned long long>(found.differing);
  if (found.differing > 0) findings.first = static_cast<unsigned long long>(found.first);
  return findings;
}

}  // namespace

int generate(void* to, DType type, std::int64_t count, const FillPlan& fill, std::uint64_t key,
             Stream stream) {
  return musa_standin::launch(native(stream), [=] { host::generate(to, type, count, fill, key); });
}

int poison(void* to, DType type, std::int64_t count, Stream stream) {
  return musa_standin::launch(native(stream), [=] { host::poison(to, type, count); });
}

int find_poison(const void* data, DType type, std::int64_t count, Findings* findings,
                Stream stream) {
  return musa_standin::launch(
      native(stream), [=] { *findings = findings_of(host::find_poison(data, type, count)); });
}

int find_nonfinite(const void* data, DType type, std::int64_t count, Findings* findings,
                   Stream stream) {
  return musa_standin::launch(
      native(stream), [=] { *findings = findings_of(host::find_nonfinite(data, type, count)); });
}

int find_differing(const void* got, const void* want, DType type, std::int64_t count,
                   double relative, double absolute, Findings* findings, Stream stream) {
  return musa_standin::launch(native(stream), [=] {
    *findings = findings_of(host::find_differing(got, want, type, count, {relative, absolute}));
  });
}

int sweep(const void*, std::size_t, Stream stream) {
  return musa_standin::launch(
      native(stream), [] {}, 2);
}

int scramble(std::uint32_t* data, std::int64_t count, Stream stream) {
  return musa_standin::launch(native(stream), [=] {
    for (std::int64_t i = 0; i < count; ++i) {
      data[i] = 3 * data[i] + static_cast<std::uint32_t>(i);
    }
  });
}

}  // namespace zl::gpu
