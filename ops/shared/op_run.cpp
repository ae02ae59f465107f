#include "shared/op_run.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <sstream>

#include "cli/environment.hpp"
#include "device/device.hpp"
#include "device/fill_formula.hpp"
#include "measure/guards.hpp"
#include "supervisor/device_choice.hpp"

namespace ops {
namespace {

constexpr std::size_t fence =
    256;  ///< bytes before and after each operand, which no call may touch
constexpr char fence_byte = 0x5C;

/// The one that CTest allocated, or the first.
zl::Device& device() {
  static const auto opened = [] {
    const zl::Backend& backend = zl::backend();
    const auto variables = zl::read_environment(environ).resource_variables;
    return backend.open(zl::choose_device(backend.devices(), backend.name(), variables));
  }();
  return *opened;
}

const zl::Op& op() {
  if (zl::registered_ops().size() != 1) throw zl::Error(zl::Errc::internal, "not one op");
  return zl::registered_ops().front();
}

zl::CaseRequest request(std::string types, zl::Shape axes) {
  zl::CaseRequest r;
  r.op = op().name;
  r.types = std::move(types);
  r.axis_names = op().axes;
  r.axis_values = std::move(axes);
  return r;
}

/// An operand's device memory between two fences.
class Fenced {
 public:
  Fenced(std::size_t skew_bytes, const std::vector<char>& values)
      : before_(fence + skew_bytes),
        content_(before_ + values.size() + fence, fence_byte),
        memory_(device(), content_.size()) {
    std::copy(values.begin(), values.end(), content_.begin() + before());
    device().copy_to_device(memory_.get(), content_.data(), content_.size());
  }
  void* data() const { return memory_.get() + before_; }

  /// Fetches the values; false where a fence has changed.
  bool fetch(std::vector<char>& values) {
    device().copy_to_host(content_.data(), memory_.get(), content_.size());
    std::copy_n(content_.begin() + before(), values.size(), values.begin());
    const auto end = content_.begin() + before() + static_cast<std::ptrdiff_t>(values.size());
    const auto kept = [](char byte) { return byte == fence_byte; };
    return std::all_of(content_.begin(), content_.begin() + before(), kept) &&
           std::all_of(end, content_.end(), kept);
  }

 private:
  std::ptrdiff_t before() const { return static_cast<std::ptrdiff_t>(before_); }

  std::size_t before_;
  std::vector<char> content_;
  zl::OwnedMemory memory_;
};

bool agrees(double got, double want, const zl::Tolerance& tolerance) {
  if (std::isnan(got) || std::isnan(want)) return std::isnan(got) && std::isnan(want);
  if (std::isinf(got) || std::isinf(want)) return got == want;
  return std::abs(got - want) <= tolerance.absolute + tolerance.relative * std::abs(want);
}

/// `from` with all bytes set outside of elements [first, last): what a reference may not read.
std::vector<char> only(const std::vector<char>& from, std::size_t size, std::int64_t first,
                       std::int64_t last) {
  std::vector<char> part(from.size(), static_cast<char>(0xFF));
  const auto begin = std::min(static_cast<std::size_t>(first) * size, from.size());
  const auto end = std::min(static_cast<std::size_t>(last) * size, from.size());
  std::copy(from.data() + begin, from.data() + end, part.data() + begin);
  return part;
}

}  // namespace

OpRun::OpRun(std::string types, zl::Shape axes, int skew)
    : case_(request(std::move(types), std::move(axes))), skew_(static_cast<std::size_t>(skew)) {
  for (const auto& instance : op().instances) {
    if (instance.types == case_.request.types) instance.build(case_);
  }
  for (std::size_t i = 0; i < case_.operands.size(); ++i) {
    const zl::OperandSpec& spec = case_.operands[i];
    host_.emplace_back(spec.bytes());
    zl::fill_host(host_[i].data(), spec.type, spec.fill, 1000 + i, 0, spec.elements());
  }
  // The counter passes 2^32 within the first call.
  for (std::size_t i = 0; i < case_.draws.size(); ++i) draws_.push_back({77 + i, 0xFFFFFFFEu});
}

double OpRun::get(std::size_t operand, std::int64_t index) const {
  return zl::element(case_.operands[operand].type, host_[operand].data(),
                     static_cast<std::size_t>(index));
}

void OpRun::set(std::size_t operand, std::int64_t index, double value) {
  zl::store_element(host_[operand].data(), case_.operands[operand].type,
                    static_cast<std::uint64_t>(index), value);
}

std::string OpRun::call(const std::string& name, int times) {
  std::vector<std::unique_ptr<Fenced>> memory;
  std::vector<void*> pointers;
  for (std::size_t i = 0; i < case_.operands.size(); ++i) {
    const zl::OperandSpec& spec = case_.operands[i];
    const bool scratch = spec.role == zl::Role::scratch;
    memory.push_back(
        std::make_unique<Fenced>(scratch ? 0 : skew_ * zl::size_of(spec.type), host_[i]));
    pointers.push_back(memory.back()->data());
  }
  std::map<std::string, std::string> notes;
  const zl::OwnedStream stream(device());
  for (std::size_t i = 0; i < case_.operands.size(); ++i) {
    const zl::OperandSpec& spec = case_.operands[i];
    if (spec.role == zl::Role::out) {
      device().poison(pointers[i], spec.type, spec.elements(), stream.get());
    }
  }
  zl::Launch launch(stream.get(), pointers.data(), &notes);
  std::copy(draws_.begin(), draws_.end(), launch.draws.begin());
  try {
    for (const zl::Implementation& implementation : case_.implementations) {
      if (implementation.name != name) continue;
      for (int i = 0; i < times; ++i) device().submit(implementation.call, launch);
    }
    device().synchronize(stream.get());
  } catch (const std::exception& error) {
    return error.what();
  }
  for (std::size_t i = 0; i < memory.size(); ++i) {
    if (!memory[i]->fetch(host_[i])) return "wrote outside of operand " + std::to_string(i);
  }
  return {};
}

std::string OpRun::check(const std::string& name) {
  const auto before = host_;
  const std::string error = call(name);
  if (!error.empty()) return error;
  for (const zl::Expectation& expectation : case_.expectations) {
    const std::string text = mismatch(expectation, before);
    if (!text.empty()) return text;
  }
  return {};
}

std::string OpRun::mismatch(const zl::Expectation& expectation,
                            const std::vector<std::vector<char>>& before) const {
  const zl::OperandSpec& output = case_.operands[expectation.output];
  const std::int64_t length = output.row_length();
  const std::int64_t step = output.rows() / 3 + 1;
  for (zl::Rows rows{0, step}; rows.first < output.rows(); rows.first += step, rows.last += step) {
    rows.last = std::min(rows.last, output.rows());
    std::map<std::size_t, std::vector<char>> parts;
    std::vector<const void*> pointers(case_.operands.size());
    for (std::size_t operand : expectation.whole) pointers[operand] = before[operand].data();
    for (std::size_t operand : expectation.same_rows) {
      const zl::OperandSpec& spec = case_.operands[operand];
      parts[operand] = only(before[operand], zl::size_of(spec.type), rows.first * spec.row_length(),
                            rows.last * spec.row_length());
      pointers[operand] = parts[operand].data();
    }
    std::vector<double> want(static_cast<std::size_t>((rows.last - rows.first) * length));
    const zl::HostView view(pointers.data(), draws_.data());
    expectation.reference(rows, want.data(), view);
    std::vector<double> numbers(want.size());
    for (std::size_t i = 0; i < want.size(); ++i) {
      numbers[i] = get(expectation.output, rows.first * length + static_cast<std::int64_t>(i));
    }
    if (expectation.meaning) expectation.meaning(rows, numbers.data(), view);
    for (std::size_t i = 0; i < want.size(); ++i) {
      const std::int64_t index = rows.first * length + static_cast<std::int64_t>(i);
      const double got = numbers[i];
      if (agrees(got, want[i], expectation.tolerance)) continue;
      std::ostringstream text;
      text.precision(9);
      text << "operand " << expectation.output << ", row " << index / length << ", column "
           << index % length << ": got " << got << ", want " << want[i];
      return text.str();
    }
  }
  return {};
}

std::vector<std::string> all_types() {
  std::vector<std::string> types;
  for (const auto& instance : op().instances) types.push_back(instance.types);
  return types;
}

void expect_right(const std::vector<zl::Shape>& shapes) {
  for (const std::string& types : all_types()) {
    for (const zl::Shape& shape : shapes) {
      std::string where = types + " ";
      for (std::int64_t extent : shape) where += std::to_string(extent) + " ";
      const OpRun first(types, shape);
      for (const zl::Implementation& implementation : first.definition().implementations) {
        const std::string& name = implementation.name;
        EXPECT_EQ(OpRun(types, shape).check(name), "") << name << " " << where;
        if (name == "own") {
          EXPECT_EQ(OpRun(types, shape, 1).check(name), "") << where << "one element off";
        }
      }
    }
  }
}

}  // namespace ops
