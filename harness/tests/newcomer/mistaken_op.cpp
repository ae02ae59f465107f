// Ops with the mistakes of people who are new to zl-bench, on the fake device.
#include "tests/fake/fake_device.hpp"
#include "zl/bench.hpp"

namespace {

constexpr double kernel_ms = 0.05;

/// Its kernel writes the first `n` elements.
void twice(zl::Stream stream, float* y, const float* x, zl::i64 n) {
  zl::fake::launch(stream, kernel_ms, [=] {
    for (zl::i64 i = 0; i < n; ++i) y[i] = 2 * x[i];
  });
}

void twice_of_an_int(zl::Stream stream, float* y, const float* x, int n) { twice(stream, y, x, n); }

void twice_on_the_default_stream(zl::Stream stream, float* y, const float* x, zl::i64 n) {
  twice(zl::fake::stream_of(stream).device->default_stream(), y, x, n);
}

void twice_rows(zl::Rows rows, double* out, const float* x) {
  for (zl::i64 i = rows.first; i < rows.last; ++i) *out++ = 2.0 * static_cast<double>(x[i]);
}

template <class T>
void mistaken(zl::Case& c) {
  const zl::i64 n = c.axis("n");
  const auto x = c.in<T>({n}, zl::normal());
  const auto y = c.out<T>({n});
  c.impl("own", twice, y, x, n);
  c.impl("half_written", twice, y, x, n / 2);
  c.impl("default_stream", twice_on_the_default_stream, y, x, n);
  c.impl("narrow", twice_of_an_int, y, x, n << 32);
  c.impl("not_in_IMPLS", twice, y, x, n);
  c.expect(y, twice_rows, zl::same_rows(x));
}

template <class T>
void too_large(zl::Case& c) {
  const zl::i64 n = c.axis("n");
  c.impl("own", twice, c.out<T>({n, n}), c.in<T>({n, n}, zl::normal()), n);
}

template <class T>
void multiplied_in_an_int(zl::Case& c) {
  const auto n = static_cast<int>(c.axis("n") * c.axis("n"));
  c.impl("own", twice, c.out<T>({n}), c.in<T>({n}, zl::normal()), n);
}

// As zl_add_perf_test() writes it without optimization.
[[maybe_unused]] const bool declared = zl::detail::declare_cases(
    {.op = "mistaken",
     .test_prefix = "perf.fake.mistaken",
     .impls = {"own", "half_written", "default_stream", "narrow", "not_in_case"},
     .versus = {},
     .shapes = {{"64", {}}},
     .flags = {},
     .unoptimized = "built without optimization (CMAKE_BUILD_TYPE=Debug): configure with "
                    "-DCMAKE_BUILD_TYPE=Release"});

}  // namespace

ZL_OP(mistaken, "n");
ZL_OP(too_large, "n");
ZL_OP(multiplied_in_an_int, "n");
