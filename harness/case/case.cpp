#include "zl/case.hpp"

#include "zl/error.hpp"

namespace zl {

std::int64_t OperandSpec::elements() const {
  std::int64_t count = 1;
  for (std::int64_t extent : shape) count *= extent;
  return count;
}

std::size_t OperandSpec::bytes() const {
  return static_cast<std::size_t>(elements()) * size_of(type);
}

std::int64_t OperandSpec::row_length() const { return shape.size() < 2 ? 1 : shape.back(); }

std::int64_t OperandSpec::rows() const { return row_length() == 0 ? 0 : elements() / row_length(); }

std::int64_t Case::axis(std::string_view name) const {
  for (std::size_t i = 0; i < request.axis_names.size(); ++i) {
    if (request.axis_names[i] == name) return request.axis_values[i];
  }
  std::string known;
  for (const std::string& axis : request.axis_names) known += (known.empty() ? "" : ", ") + axis;
  throw Error(Errc::usage, "op " + request.op + " has no axis '" + std::string(name) +
                               "'; ZL_OP names these: " + known);
}

std::size_t Case::add(OperandSpec spec) {
  const auto refuse = [&](const std::string& why) {
    std::string shape;
    for (std::int64_t extent : spec.shape) {
      shape += (shape.empty() ? "" : "x") + std::to_string(extent);
    }
    throw Error(Errc::usage, "op " + request.op + ": operand " + std::to_string(operands.size()) +
                                 " of shape " + shape + why);
  };
  std::int64_t bytes = static_cast<std::int64_t>(size_of(spec.type));
  for (std::int64_t extent : spec.shape) {
    if (extent < 0) {
      refuse(" has a negative extent: did a product overflow? Compute it in zl::i64");
    }
    if (__builtin_mul_overflow(bytes, extent, &bytes)) {
      refuse(" has more than 2^63 - 1 bytes: take a smaller shape");
    }
  }
  if (spec.fill.kind == Fill::Kind::values) {
    const std::size_t given = spec.fill.list->size();
    if (given != static_cast<std::size_t>(spec.elements())) {
      throw Error(Errc::usage, "op " + request.op + ": operand " + std::to_string(operands.size()) +
                                   " has " + std::to_string(spec.elements()) +
                                   " elements, but values() gives " + std::to_string(given));
    }
  }
  operands.push_back(std::move(spec));
  return operands.size() - 1;
}

Random Case::random(std::int64_t blocks) {
  if (draws.size() == Launch::max_draws) {
    throw Error(Errc::usage, "op " + request.op + ": more than " +
                                 std::to_string(Launch::max_draws) + " random() declarations");
  }
  draws.push_back(blocks);
  return Random(draws.size() - 1);
}

Expectation& Case::last_expectation(const char* caller) {
  if (expectations.empty()) {
    throw Error(Errc::usage,
                "op " + request.op + ": " + caller + "() without an expect() before it");
  }
  return expectations.back();
}

Case& Case::within(Tolerance tolerance) {
  last_expectation("within").tolerance = tolerance;
  return *this;
}

double Case::traffic_bytes() const {
  if (declared_bytes) return *declared_bytes;
  double total = 0;
  bool has_outputs = false;
  bool writes = false;
  for (const OperandSpec& operand : operands) {
    const bool is_output = operand.role == Role::out || operand.role == Role::inout;
    has_outputs = has_outputs || is_output;
    writes = writes || (is_output && operand.elements() > 0);
    const double bytes = static_cast<double>(operand.bytes());
    if (operand.role == Role::in || operand.role == Role::out) total += bytes;
    if (operand.role == Role::inout) total += 2 * bytes;
  }
  // A call of an empty shape has no reason to read its other operands, as a bias.
  return has_outputs && !writes ? 0 : total;
}

}  // namespace zl
