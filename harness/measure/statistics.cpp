#include "measure/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "zl/error.hpp"

namespace zl::stats {

namespace {

void require_values(const std::vector<double>& values) {
  if (values.empty()) throw Error(Errc::internal, "a statistic of no samples");
}

/// Partial sums that add up to the exact sum and do not overlap, smallest first (Shewchuk,
/// "Adaptive precision floating-point arithmetic", 1997).
std::vector<double> exact_sum(const std::vector<double>& values) {
  std::vector<double> partials;
  for (double value : values) {
    std::size_t kept = 0;
    for (double partial : partials) {
      if (std::abs(value) < std::abs(partial)) std::swap(value, partial);
      const double high = value + partial;
      const double low = partial - (high - value);
      if (low != 0) partials[kept++] = low;
      value = high;
    }
    partials.resize(kept);
    partials.push_back(value);
  }
  return partials;
}

}  // namespace

double mean(const std::vector<double>& values) {
  require_values(values);
  const std::vector<double> partials = exact_sum(values);
  const double count = static_cast<double>(values.size());
  const double high = partials.back();
  double low = 0;
  for (std::size_t i = 0; i + 1 < partials.size(); ++i) low += partials[i];
  const double quotient = high / count;
  // The remainder of the division is exact; what it and the low part add is below one rounding.
  const double remainder = std::fma(-quotient, count, high) + low;
  return quotient + remainder / count;
}

double median(std::vector<double> values) {
  require_values(values);
  const std::size_t middle = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(middle),
                   values.end());
  const double upper = values[middle];
  if (values.size() % 2 == 1) return upper;
  const double lower =
      *std::max_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(middle));
  return lower + (upper - lower) / 2;
}

double minimum(const std::vector<double>& values) {
  require_values(values);
  return *std::min_element(values.begin(), values.end());
}

double maximum(const std::vector<double>& values) {
  require_values(values);
  return *std::max_element(values.begin(), values.end());
}

std::optional<double> cv_pct(const std::vector<double>& values) {
  if (values.size() < 2) return std::nullopt;
  const double center = mean(values);
  if (center == 0) return std::nullopt;
  double squares = 0;
  for (double value : values) squares += (value - center) * (value - center);
  return 100 * std::sqrt(squares / static_cast<double>(values.size() - 1)) / center;
}

double quantile(std::vector<double> values, double q) {
  require_values(values);
  if (!(q >= 0 && q <= 1)) throw Error(Errc::usage, "a quantile must be within [0, 1]");
  std::sort(values.begin(), values.end());
  const double position = q * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(std::floor(position));
  const auto high = static_cast<std::size_t>(std::ceil(position));
  return values[low] + (values[high] - values[low]) * (position - std::floor(position));
}

std::optional<double> median_half_width_pct(std::vector<double> values) {
  // The interval from the r-th smallest to the r-th largest value misses the median with
  // probability 2 P(B < r), B binomial (n, 1/2): the largest r that keeps this within 5 %.
  const std::size_t n = values.size();
  if (n < 6) return std::nullopt;
  double log_term = -static_cast<double>(n) * std::log(2.0);  // of P(B = i)
  double below = 0;
  std::size_t rank = 0;
  for (std::size_t i = 0; i < n / 2; ++i) {
    below += std::exp(log_term);
    if (2 * below > 0.05) break;
    rank = i + 1;
    log_term += std::log(static_cast<double>(n - i)) - std::log(static_cast<double>(i + 1));
  }
  std::sort(values.begin(), values.end());
  const double center = median(values);
  if (rank == 0 || center == 0) return std::nullopt;
  return 100 * (values[n - rank] - values[rank - 1]) / 2 / center;
}

}  // namespace zl::stats
