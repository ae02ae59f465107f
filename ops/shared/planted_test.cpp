#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>

#include "device/device.hpp"
#include "device/fill_formula.hpp"
#include "measure/guards.hpp"
#include "measure/prepare.hpp"
#include "measure/verify.hpp"

// Faults planted into the op that is linked into this test, each of its implementations and types,
// at its smallest shape: the op's own verification has to find every one of them. On host, where a
// call's memory is at hand while it runs; what verifies is the same on every backend.
namespace ops {
namespace {

struct Silent final : zl::Progress {
  void phase(zl::Phase) override {}
  void alive() override {}
  void marker(std::string_view, const zl::Failure&) override {}
  void notice(const std::string&) override {}
  void complete(const zl::Result&) override {}
};

zl::Shape smallest_shape(const zl::Op& op) {
  zl::Shape smallest;
  double least = std::numeric_limits<double>::infinity();
  for (const zl::Declared::Row& row : zl::declared_cases().shapes) {
    const zl::Shape shape = zl::parse_shape(op, std::string(row.shape));
    double size = 1;
    for (const std::int64_t extent : shape) size *= static_cast<double>(extent);
    if (size < least) {
      least = size;
      smallest = shape;
    }
  }
  return smallest;
}

class Planted : public testing::Test {
 protected:
  /// Runs `test(case)` for every combination of types.
  void for_every_case(const std::function<void(const zl::Case&)>& test) {
    const zl::Op& op = zl::registered_ops().front();
    for (const auto& instance : op.instances) {
      zl::Case c({op.name, instance.types, op.axes, smallest_shape(op)});
      instance.build(c);
      for (const zl::Implementation& implementation : c.implementations) {
        SCOPED_TRACE(implementation.name + " " + instance.types);
        original_ = implementation.call;
        ASSERT_EQ(verify(c, original_), "") << "without any fault";
        test(c);
      }
    }
  }

  /// What the op's verification finds wrong with `call`; `after` sees the outputs it left.
  std::string verify(const zl::Case& c, const zl::CallFunction& call,
                     const std::function<void(void* const*)>& after = nullptr) {
    const zl::Implementation implementation{"planted", call};
    zl::Rotation one_copy;
    one_copy.rotated.assign(c.operands.size(), false);
    zl::Buffers buffers(*device_, c, one_copy, 5);
    zl::Calls calls(*device_, c, implementation, buffers);
    Silent silent;
    const zl::OwnedStream stream(*device_);
    const std::string wrong = zl::Verified(*device_, calls, stream.get(), silent).wrong();
    if (after) after(buffers.pointers(0));
    return wrong;
  }

  /// Element `index` of an output as the op leaves it.
  double right_value(const zl::Case& c, std::size_t operand, std::int64_t index) {
    std::vector<char> values(c.operands[operand].bytes());
    verify(c, original_, [&](void* const* pointers) {
      device_->copy_to_host(values.data(), pointers[operand], values.size());
    });
    return zl::element(c.operands[operand].type, values.data(), static_cast<std::size_t>(index));
  }

  /// The call, then `value` in place of element `index`.
  std::string verify_with(const zl::Case& c, std::size_t operand, std::int64_t index,
                          double value) {
    const zl::FillPlan plan = zl::plan(zl::constant(value));
    const zl::DType type = c.operands[operand].type;
    return verify(c, [&](const zl::Launch& launch) {
      original_(launch);
      zl::fill_element(memory(launch, operand), type, plan, 0, static_cast<std::uint64_t>(index));
    });
  }

  static char* memory(const zl::Launch& launch, std::size_t operand) {
    return launch.ptr(zl::Operand<char>(nullptr, operand));
  }

  std::unique_ptr<zl::Device> device_ = zl::backend().open(zl::backend().devices().front());
  zl::CallFunction original_;
};

bool is_output(const zl::OperandSpec& operand) {
  return operand.role == zl::Role::out || operand.role == zl::Role::inout;
}

/// First, middle and last element.
std::vector<std::int64_t> places(const zl::OperandSpec& operand) {
  std::vector<std::int64_t> all{0, operand.elements() / 2, operand.elements() - 1};
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

TEST_F(Planted, AnElementThatIsALittleTooLarge) {
  for_every_case([&](const zl::Case& c) {
    for (const zl::Expectation& e : c.expectations) {
      const zl::OperandSpec& spec = c.operands[e.output];
      for (const std::int64_t at : places(spec)) {
        const double right = right_value(c, e.output, at);
        // One rounding of the changed element cannot bring it back within the tolerance.
        const double room =
            e.tolerance.absolute +
            (e.tolerance.relative + 2 * zl::unit_roundoff(spec.type)) * std::abs(right);
        const double changed = zl::is_floating(spec.type) ? right - 3 * room - 1e-6 : right + 1;
        EXPECT_NE(verify_with(c, e.output, at, changed), "")
            << "output " << e.output << " at " << at << ": " << changed;
      }
    }
  });
}

TEST_F(Planted, AnElementThatIsNotANumber) {
  for_every_case([&](const zl::Case& c) {
    for (std::size_t i = 0; i < c.operands.size(); ++i) {
      if (!is_output(c.operands[i]) || !zl::is_floating(c.operands[i].type)) continue;
      for (const std::int64_t at : places(c.operands[i])) {
        EXPECT_NE(verify_with(c, i, at, std::nan("")), "") << "output " << i << " at " << at;
      }
    }
  });
}

TEST_F(Planted, AnElementThatIsNeverWritten) {
  for_every_case([&](const zl::Case& c) {
    for (std::size_t i = 0; i < c.operands.size(); ++i) {
      const zl::OperandSpec& spec = c.operands[i];
      if (spec.role != zl::Role::out) continue;  // in place, an element may stay as it is
      const std::size_t size = zl::size_of(spec.type);
      for (const std::int64_t at : places(spec)) {
        std::vector<char> before(size);
        EXPECT_NE(verify(c,
                         [&](const zl::Launch& launch) {
                           char* const element =
                               memory(launch, i) + static_cast<std::size_t>(at) * size;
                           std::copy_n(element, size, before.data());
                           original_(launch);
                           std::copy_n(before.data(), size, element);
                         }),
                  "")
            << "output " << i << " at " << at;
      }
    }
  });
}

TEST_F(Planted, TheOutputOfAnEarlierCall) {
  for_every_case([&](const zl::Case& c) {
    bool first = true;
    EXPECT_NE(verify(c,
                     [&](const zl::Launch& launch) {
                       if (first) original_(launch);
                       first = false;
                     }),
              "");
  });
}

TEST_F(Planted, TheOutputOfOtherInputs) {
  for_every_case([&](const zl::Case& c) {
    bool drawn = !c.draws.empty();  // of inputs whose values the case gives there are no others
    for (const zl::OperandSpec& operand : c.operands) {
      const bool read = operand.role == zl::Role::in || operand.role == zl::Role::inout;
      drawn |= read && operand.fill.kind != zl::Fill::Kind::values &&
               operand.fill.kind != zl::Fill::Kind::constant;
    }
    if (!drawn) return;
    std::vector<std::vector<char>> kept(c.operands.size());
    bool first = true;
    EXPECT_NE(verify(c,
                     [&](const zl::Launch& launch) {
                       if (first) original_(launch);
                       for (std::size_t i = 0; i < c.operands.size(); ++i) {
                         const zl::OperandSpec& spec = c.operands[i];
                         if (!is_output(spec)) continue;
                         char* const output = memory(launch, i);
                         if (first) kept[i].assign(output, output + spec.bytes());
                         std::copy(kept[i].begin(), kept[i].end(), output);
                       }
                       first = false;
                     }),
              "");
  });
}

}  // namespace
}  // namespace ops
