#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "measure/measure.hpp"
#include "tests/fake/fake_device.hpp"
#include "zl/bench.hpp"

namespace zl::test {

/// Keeps everything that a measurement told.
struct Recorder : Progress {
  void phase(Phase phase) override { phases.push_back(phase); }
  void alive() override { ++lives; }
  void marker(std::string_view marker, const Failure& failure) override {
    markers.emplace_back(std::string(marker), failure);
  }
  void notice(const std::string& line) override { notices.push_back(line); }
  void graph(const std::string& dot) override { graphs.push_back(dot); }
  void complete(const Result& result) override { completed.push_back(result); }

  std::vector<Phase> phases;
  int lives = 0;
  std::vector<std::pair<std::string, Failure>> markers;
  std::vector<std::string> notices;
  std::vector<std::string> graphs;
  std::vector<Result> completed;
};

inline void twice_rows(Rows rows, double* out, const float* x) {
  for (std::int64_t i = rows.first; i < rows.last; ++i) *out++ = 2.0 * static_cast<double>(x[i]);
}

/// One case on a fake device: y = 2 x over n elements in one kernel of `kernel_ms`, unless a test
/// gives another definition.
struct Bench {
  fake::FakeDevice device;
  Recorder progress;
  Options options;
  double kernel_ms = 0.05;
  std::int64_t n = 64;
  int calls = 0;                     ///< calls enqueued, captured ones included
  std::vector<const float*> inputs;  ///< the input's copy of each executed call
  std::function<void(Case&)> define = [this](Case& c) { define_twice(c); };

  void define_twice(Case& c) {
    const auto x = c.in<float>({n}, normal());
    const auto y = c.out<float>({n});
    c.impl(
        "own", [this](Stream s, float* out, const float* in) { twice(s, out, in); }, y, x);
    c.expect(y, twice_rows, same_rows(x));
  }
  /// The same in `kernels` kernels, each of which does it all.
  void define_repeated(Case& c, int kernels) {
    const auto x = c.in<float>({n}, normal());
    const auto y = c.out<float>({n});
    c.impl(
        "own",
        [this, kernels](Stream s, float* out, const float* in) {
          for (int kernel = 0; kernel < kernels; ++kernel) twice(s, out, in);
        },
        y, x);
  }
  void twice(Stream stream, float* out, const float* in) {
    ++calls;
    fake::launch(stream, kernel_ms, [this, out, in] {
      inputs.push_back(in);
      for (std::int64_t i = 0; i < n; ++i) out[i] = 2 * in[i];
    });
  }

  Result run(const std::string& impl = "own") {
    const Op op{"twice", {"n"}, {{"f32", [this](Case& c) { define(c); }}}};
    return measure(device, op, {"twice", impl, "f32", std::to_string(n), "fake"}, options,
                   progress);
  }
  int count(const std::string& phase, const std::string& call) const {
    int found = 0;
    for (const std::string& entry : device.log) found += entry == phase + ":" + call;
    return found;
  }
};

}  // namespace zl::test
