// zl/torch.hpp on a GPU: what differs there from the CPU.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "measure/guards.hpp"
#include "tests/measure/bench.hpp"
#include "zl/torch.hpp"

namespace zl::test {
namespace {

constexpr std::int64_t rows = 1024;
constexpr std::int64_t cols = 8192;

void twice_of(Rows of, double* out, const float* x) {
  for (std::int64_t i = of.first * cols; i < of.last * cols; ++i) *out++ = 2 * double{x[i]};
}

void expect_one_cold_kernel(const Result& r) {
  EXPECT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.capture, Capture::clean) << r.capture_reason;
  EXPECT_EQ(r.cold_by, "rotation") << r.cache_note;
  EXPECT_EQ(r.nodes_per_call, 1);
}

struct TorchOnCuda : testing::Test, Recorder {
  Result run(const std::function<void(Case&)>& define) {
    const Op op{"twice", {"n"}, {{"f32", define}}};
    return measure(*device, op, {"twice", "aten", "f32", "1", "cuda"}, options, *this);
  }
  /// What `enqueue` does in a call, captured.
  template <class F>
  OwnedGraph capture(zl::torch::Place& place, F enqueue) {
    device->begin_capture(stream.get());
    enqueue([&] { return zl::torch::Place::Call(place, stream.get()); });
    return {*device, device->end_capture(stream.get())};
  }
  at::Tensor empty() { return at::empty({1 << 20}, at::TensorOptions().device(at::kCUDA)); }

  std::unique_ptr<Device> device = backend().open(backend().devices().front());
  OwnedStream stream{*device};
  OwnedMemory memory{*device, 256};
  Options options;
};

// The first test of its process: PyTorch has allocated nothing yet.
TEST_F(TorchOnCuda, AFunctionThatWritesIntoItsOutputIsCapturedAndCold) {
  const Result r = run([](Case& c) {
    const auto x = c.in<float>({rows, cols}, normal());
    const auto y = c.out<float>({rows, cols});
    const auto twice = [](at::Tensor y, const at::Tensor& x) {
      at::mul_out(y, x, at::full({}, 2));
    };
    zl::torch::impl(c, "aten", twice, y, x);
    c.expect(y, twice_of, same_rows(x));
  });
  expect_one_cold_kernel(r);
}

TEST_F(TorchOnCuda, AFunctionThatReturnsANewTensorIsCapturedAndCold) {
  const Result r = run([](Case& c) {
    const auto x = c.in<float>({rows, cols}, normal());
    const auto y = c.out<float>({rows, cols});
    const auto twice = [](const at::Tensor& x) { return 2 * x; };
    zl::torch::impl(c, "aten", zl::torch::returned(y), twice, x);
    c.expect(y, twice_of, same_rows(x));
  });
  expect_one_cold_kernel(r);
}

TEST_F(TorchOnCuda, TheCallsStreamIsThePresentOneDuringTheCall) {
  zl::torch::Place place(false, memory.get());
  const c10::cuda::CUDAStream before = c10::cuda::getCurrentCUDAStream();
  {
    const zl::torch::Place::Call call(place, stream.get());
    EXPECT_EQ(c10::cuda::getCurrentCUDAStream().stream(), static_cast<cudaStream_t>(stream.get()));
  }
  EXPECT_EQ(c10::cuda::getCurrentCUDAStream(), before);
}

TEST_F(TorchOnCuda, MemoryOfACaptureIsNobodyElsesWhileItsGraphIsThere) {
  zl::torch::Place place(false, memory.get());
  const void* first = nullptr;
  const void* second = nullptr;
  const auto allocate = [&](auto call) {
    for (const void** pointer : {&first, &second}) {
      const auto open = call();
      *pointer = empty().data_ptr();  // given back at once
    }
  };
  std::optional<OwnedGraph> graph(capture(place, allocate));
  EXPECT_EQ(first, second);
  {
    const zl::torch::Place::Call call(place, stream.get());
    EXPECT_NE(empty().data_ptr(), first);
  }
  const OwnedGraph other = capture(place, allocate);
  EXPECT_EQ(place.graphs(), 2u);
  graph.reset();
  // CUDA tells of its end from a thread of its own.
  for (int tries = 0; place.graphs() > 1 && tries < 500; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(place.graphs(), 1u);
}

TEST_F(TorchOnCuda, EachCallOfAGraphDrawsItsOwnNumbers) {
  zl::torch::Place place(true, memory.get());
  std::vector<at::Tensor> drawn;
  const OwnedGraph graph = capture(place, [&](auto call) {
    for (int i = 0; i < 2; ++i) {
      const auto open = call();
      drawn.push_back(at::rand({10000}, at::TensorOptions().device(at::kCUDA)));
    }
  });
  const OwnedExec exec(*device, graph.get());
  device->launch(exec.get(), stream.get());
  device->synchronize();
  EXPECT_FALSE(at::equal(drawn[0], drawn[1]));
  for (const at::Tensor& numbers : drawn) {
    EXPECT_NEAR(numbers.mean().item<double>(), 0.5, 0.02);
    EXPECT_NEAR(numbers.std().item<double>(), 0.2887, 0.02);
  }
}

TEST_F(TorchOnCuda, DrawsThatTheCaseDoesNotDeclareAreNotCaptured) {
  const Result r = run([](Case& c) {
    const auto x = c.in<float>({rows, cols}, normal());
    const auto y = c.out<float>({rows, cols});
    const auto noise = [](const at::Tensor& x) { return at::rand_like(x); };
    zl::torch::impl(c, "aten", zl::torch::returned(y), noise, x);
  });
  EXPECT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.capture, Capture::fallback);
  ASSERT_TRUE(r.failure);
  EXPECT_NE(r.failure->detail.find("not in capture mode"), std::string::npos) << r.failure->detail;
}

}  // namespace
}  // namespace zl::test
