#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace zl {

/// How an input's elements are drawn. The numbers come from a stateless Philox keyed by (seed,
/// case, operand), so they are the same in every run and, bit for bit, on every backend.
struct Fill {
  enum class Kind : std::uint8_t { normal, uniform, integers, constant, values };
  Kind kind = Kind::constant;
  double a = 0;  ///< mean · lowest · lowest · value
  double b = 0;  ///< standard deviation · upper bound (exclusive) · upper bound (exclusive) · -
  std::shared_ptr<const std::vector<double>> list = nullptr;  ///< values: one for each element
};

/// Bell-shaped, the sum of eight 16-bit uniforms (Irwin-Hall): within +-4.9 standard deviations.
inline Fill normal(double mean = 0, double standard_deviation = 1) {
  return {Fill::Kind::normal, mean, standard_deviation};
}
inline Fill uniform(double low = 0, double high = 1) { return {Fill::Kind::uniform, low, high}; }
/// Whole numbers in [low, high).
inline Fill integers(std::int64_t low, std::int64_t high) {
  return {Fill::Kind::integers, static_cast<double>(low), static_cast<double>(high)};
}
inline Fill constant(double value) { return {Fill::Kind::constant, value, 0}; }
/// These, in the order of the elements and one for each of them: what the case worked out, such as
/// routing indices, a permutation or group sizes. Floats round as usual, integers truncate.
inline Fill values(std::vector<double> list) {
  return {Fill::Kind::values, 0, 0, std::make_shared<const std::vector<double>>(std::move(list))};
}

}  // namespace zl
