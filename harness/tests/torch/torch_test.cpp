// zl/torch.hpp on the CPU, where what PyTorch is given and what it returns can be looked into.
#include "zl/torch.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "device/host/host_device.hpp"
#include "tests/measure/bench.hpp"

namespace zl::test {
namespace {

constexpr std::int64_t rows = 16;
constexpr std::int64_t cols = 256;

void twice_of(Rows of, double* out, const float* x) {
  for (std::int64_t i = of.first * cols; i < of.last * cols; ++i) *out++ = 2 * double{x[i]};
}

struct Torch : testing::Test, Recorder {
  Result run(const std::function<void(Case&)>& define) {
    const Op op{"twice", {"n"}, {{"f32", define}}};
    return measure(device, op, {"twice", "aten", "f32", "1", "host"}, options, *this);
  }
  /// y = 2 x by a function that returns y.
  template <class F>
  Result run_returning(F function) {
    return run([function](Case& c) {
      const auto x = c.in<float>({rows, cols}, normal());
      const auto y = c.out<float>({rows, cols});
      zl::torch::impl(c, "aten", zl::torch::returned(y), function, x);
      c.expect(y, twice_of, same_rows(x));
    });
  }

  host::HostDevice device{{0, "host", "CPU"}};
  Options options;
};

TEST_F(Torch, AFunctionThatReturnsANewTensorIsVerifiedAndCaptured) {
  const Result r = run_returning([](const at::Tensor& x) { return 2 * x; });
  EXPECT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.capture, Capture::clean) << r.capture_reason;
  EXPECT_EQ(r.verified, "all rows");
  EXPECT_EQ(r.cold_by, "rotation") << r.cache_note;
}

TEST_F(Torch, AFunctionThatReturnsAWrongTensorIsAWrongResult) {
  const Result r = run_returning([](const at::Tensor& x) { return 3 * x; });
  EXPECT_EQ(r.verdict, Verdict::wrong_result);
}

TEST_F(Torch, OperandsAreViewsOfTheCallsCopy) {
  const Result r = run([](Case& c) {
    const auto x = c.in<float>({rows, cols}, normal());
    const auto y = c.out<float>({rows, cols});
    c.run("aten", [x, y](const Launch& launch) {
      zl::torch::Views views({Role::out, DType::f32, {rows, cols}, {}, false});
      const at::Tensor view = views.of_copy(launch.copy(), launch.ptr(y), at::kCPU);
      EXPECT_EQ(view.data_ptr(), launch.ptr(y));
      EXPECT_EQ(view.sizes(), (std::vector<std::int64_t>{rows, cols}));
      for (std::int64_t i = 0; i < rows * cols; ++i) launch.ptr(y)[i] = 2 * launch.ptr(x)[i];
    });
    c.expect(y, twice_of, same_rows(x));
  });
  EXPECT_EQ(r.verdict, Verdict::ok) << r.message;
}

TEST_F(Torch, AFunctionMayWriteOutputsAndTakeScalars) {
  const Result r = run([](Case& c) {
    const auto x = c.in<float>({rows, cols}, normal());
    const auto y = c.out<float>({rows, cols});
    const auto scale = [](at::Tensor y, const at::Tensor& x, double by) {
      at::mul_out(y, x, at::full({}, by));
    };
    zl::torch::impl(c, "aten", scale, y, x, 2.0);
    c.expect(y, twice_of, same_rows(x));
  });
  EXPECT_EQ(r.verdict, Verdict::ok) << r.message;
}

TEST_F(Torch, SeveralTensorsMayBeReturned) {
  const Result r = run([](Case& c) {
    const auto x = c.in<float>({rows, cols}, normal());
    const auto y = c.out<float>({rows, cols});
    const auto positive = c.out<u8>({rows, cols});
    const auto both = [](const at::Tensor& x) { return std::tuple(2 * x, (x > 0).to(at::kByte)); };
    zl::torch::impl(c, "aten", zl::torch::returned(y, positive), both, x);
    c.expect(y, twice_of, same_rows(x));
    c.expect(
        positive,
        [](Rows of, double* out, const float* x) {
          for (std::int64_t i = of.first * cols; i < of.last * cols; ++i) *out++ = x[i] > 0;
        },
        same_rows(x));
  });
  EXPECT_EQ(r.verdict, Verdict::ok) << r.message;
}

TEST_F(Torch, ATensorThatIsNotWhatTheCaseDeclaresIsAUsageError) {
  Result r = run_returning([](const at::Tensor& x) { return (2 * x).t(); });
  EXPECT_EQ(r.verdict, Verdict::usage);
  EXPECT_EQ(r.message,
            "output 1: the function returned Float {256, 16} of strides {1, 256} on cpu; the case "
            "declares Float {16, 256}, contiguous on cpu");
  r = run_returning([](const at::Tensor& x) { return (2 * x).to(at::kDouble); });
  EXPECT_EQ(r.verdict, Verdict::usage);
  EXPECT_NE(r.message.find("returned Double {16, 256}"), std::string::npos) << r.message;
  r = run_returning([](const at::Tensor&) { return at::Tensor(); });
  EXPECT_EQ(r.verdict, Verdict::usage);
  EXPECT_NE(r.message.find("returned no tensor"), std::string::npos) << r.message;
}

TEST_F(Torch, AnErrorOfPyTorchsIsTheKernelsAndToldWithoutItsStack) {
  const Result r = run_returning([](const at::Tensor& x) { return at::mm(x, x); });
  EXPECT_EQ(r.verdict, Verdict::kernel_failed);
  EXPECT_NE(r.message.find("aten: c10::Error"), std::string::npos) << r.message;
  EXPECT_NE(r.message.find("mat1 and mat2 shapes cannot be multiplied (16x256 and 16x256)"),
            std::string::npos)
      << r.message;
  EXPECT_EQ(r.message.find("frame #0"), std::string::npos) << r.message;
}

TEST_F(Torch, ATensorThatTheFunctionKeepsForItselfIsNotCold) {
  at::Tensor own;
  const Result r = run_returning([&own](const at::Tensor& x) {
    if (!own.defined()) own = at::empty_like(x);
    at::mul_out(own, x, at::full({}, 2.0));
    return own;
  });
  EXPECT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.cache, Cache::warm);
  EXPECT_EQ(r.cache_note, "calls with different copies return the same memory as output 1");
}

/// What at::rand() draws, from a generator that the case declares or not.
Result noise(const std::function<Result(const std::function<void(Case&)>&)>& run, bool declared) {
  return run([declared](Case& c) {
    const auto x = c.in<float>({rows, cols}, constant(0));
    const auto y = c.out<float>({rows, cols});
    if (declared) {
      const auto add = [](const at::Tensor& x, const at::Generator& g) {
        return x + at::rand(x.sizes(), g);
      };
      zl::torch::impl(c, "aten", zl::torch::returned(y), add, x, zl::torch::generator(c));
    } else {
      const auto add = [](const at::Tensor& x) { return x + at::rand(x.sizes()); };
      zl::torch::impl(c, "aten", zl::torch::returned(y), add, x);
    }
    const auto one_half = [](Rows of, double* out) {
      for (std::int64_t i = of.first * cols; i < of.last * cols; ++i) *out++ = 0.5;
    };
    c.expect(y, one_half).within({0, 0.5});
  });
}

TEST_F(Torch, DrawnOutputsAreComparedWithTheReferenceNotWithAnotherCalls) {
  const Result r = noise([this](const auto& define) { return run(define); }, true);
  EXPECT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.capture, Capture::clean) << r.capture_reason;
}

TEST_F(Torch, DrawsThatTheCaseDoesNotDeclareAreNotTheSameInAReplay) {
  const Result r = noise([this](const auto& define) { return run(define); }, false);
  EXPECT_EQ(r.capture, Capture::fallback);
  EXPECT_EQ(r.capture_reason, "replay:ReplayMismatch");
}

TEST_F(Torch, EveryElementTypeHasItsName) {
  EXPECT_EQ(zl::torch::scalar_type(DType::f16), at::kHalf);
  EXPECT_EQ(zl::torch::scalar_type(DType::bf16), at::kBFloat16);
  EXPECT_EQ(zl::torch::scalar_type(DType::f32), at::kFloat);
  EXPECT_EQ(zl::torch::scalar_type(DType::f64), at::kDouble);
  EXPECT_EQ(zl::torch::scalar_type(DType::i32), at::kInt);
  EXPECT_EQ(zl::torch::scalar_type(DType::i64), at::kLong);
  EXPECT_EQ(zl::torch::scalar_type(DType::u8), at::kByte);
#ifdef ZL_TORCH_HAS_E4M3
  EXPECT_EQ(c10::elementSize(zl::torch::scalar_type(DType::e4m3)), 1u);
#else
  EXPECT_THROW(zl::torch::scalar_type(DType::e4m3), Error);
#endif
}

}  // namespace
}  // namespace zl::test
