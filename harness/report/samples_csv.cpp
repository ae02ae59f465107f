#include "report/samples_csv.hpp"

#include <charconv>
#include <cmath>

#include "zl/error.hpp"

namespace zl {
namespace {

/// As many digits as a double has to the timer's resolution and beyond, in any locale.
std::string in_us(double ms) {
  if (!std::isfinite(ms)) throw Error(Errc::internal, "a sample is not finite");
  char digits[32];
  constexpr int significant = 12;
  const auto end = std::to_chars(digits, digits + sizeof digits, 1e3 * ms,
                                 std::chars_format::general, significant)
                       .ptr;
  return {digits, end};
}

}  // namespace

std::string samples_csv(const Result& result) {
  std::string text = "case,window,index,sample_us,calls\n";
  // A direct result's n_repeat counts the samples, each of which is one call.
  const std::int64_t calls = result.method == Method::graph ? result.n_repeat : 1;
  const auto add = [&](const std::string& window, const std::vector<double>& samples_ms) {
    for (std::size_t i = 0; i < samples_ms.size(); ++i) {
      text += result.id.run_name() + "," + window + "," + std::to_string(i) + "," +
              in_us(samples_ms[i]) + "," + std::to_string(calls) + "\n";
    }
  };
  add(result.schedule == "reference" ? "reference" : "burst", result.samples_ms);
  add("sustained", result.sustained_samples_ms);
  return text;
}

}  // namespace zl
