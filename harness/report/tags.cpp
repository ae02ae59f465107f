#include "report/tags.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "report/console.hpp"
#include "report/host_name.hpp"
#include "report/utf8.hpp"
#include "zl/error.hpp"

namespace zl {
namespace {

constexpr std::array<std::string_view, 10> after_latency = {
    "cv_pct",          "min_us",         "ci_pct",         "sustained_us", "eager_us",
    "host_enqueue_us", "bandwidth_GBps", "compute_TFLOPS", "peak_pct",     "speedup"};

/// The text without terminal sequences (`ESC [ ... letter`).
std::u32string without_ansi(const std::u32string& text) {
  std::u32string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == 0x1B && i + 1 < text.size() && text[i + 1] == U'[') {
      i += 2;
      while (i < text.size() && (text[i] < 0x40 || text[i] > 0x7E)) ++i;
    } else {
      plain.push_back(text[i]);
    }
  }
  return plain;
}

/// Text that XML 1.0 and CTest take: one line, no control characters, no invalid UTF-8.
std::string xml_text(std::string_view text) {
  std::string raw;
  for (const char32_t c : without_ansi(decode_utf8(text))) {
    const bool space = c == U'\t' || c == U'\n' || c == U'\r';
    const bool removed = c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == replacement_character ||
                         (c & 0xFFFE) == 0xFFFE;
    if (space || !removed) append_utf8(raw, space ? U' ' : c);
  }
  std::string escaped;
  for (const char c : one_line_utf8(raw)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&apos;";
        break;
      default:
        escaped.push_back(c);
    }
  }
  return escaped;
}

std::string tag(std::string_view type, std::string_view name, const std::string& value) {
  return "<CTestMeasurement type=\"" + std::string(type) + "\" name=\"" + std::string(name) +
         "\">" + value + "</CTestMeasurement>";
}

class Lines {
 public:
  void number(std::string_view name, double value) {
    if (!std::isfinite(value))
      throw Error(Errc::internal, "metric " + std::string(name) + " is not finite");
    lines.push_back(tag("numeric/double", name, shortest_decimal(value)));
  }
  void metric(const Result& result, std::string_view name) {
    const auto found = result.metrics.find(std::string(name));
    if (found != result.metrics.end()) number(name, found->second);
  }
  void text(std::string_view name, std::string_view value) {
    const std::string clean = xml_text(value);
    if (!clean.empty()) lines.push_back(tag("text/string", name, clean));
  }
  std::vector<std::string> lines;
};

}  // namespace

std::string shortest_decimal(double value) {
  const double size = std::fabs(value);
  const bool fixed = size == 0 || (size >= 1e-5 && size < 1e15);
  std::array<char, 64> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                 fixed ? std::chars_format::fixed : std::chars_format::scientific);
  return {digits.data(), end.ptr};
}

std::vector<std::string> tag_lines(const Result& result) {
  const bool latency = result.has_latency();
  Lines tags;
  tags.metric(result, "latency_us");
  for (const auto& [metric, value] : result.metrics) {
    if (metric.rfind("latency_q", 0) == 0) tags.number(metric, value);
  }
  for (const std::string_view metric : after_latency) tags.metric(result, metric);
  if (latency) {
    tags.number("samples", static_cast<double>(result.samples_ms.size()));
    if (result.n_repeat > 0) tags.number("n_repeat", static_cast<double>(result.n_repeat));
    tags.text("method", name(result.method));
    tags.text("cache", name(result.cache));
  }
  if (latency || !result.capture_reason.empty()) tags.text("capture", name(result.capture));
  tags.text("capture_reason", result.capture_reason);
  tags.text("verdict", name(result.verdict));
  if (latency) tags.text("statistic", result.statistic);
  if (latency) {
    std::string why;
    for (const std::string& reason : result.untrusted) why += (why.empty() ? "" : "; ") + reason;
    tags.text("untrusted", why);
    tags.text("implausible", result.implausible);
    if (result.gate) tags.text("gate", name(result.gate->outcome));
    // What a baseline made from CDash has to know.
    tags.text("schedule", result.schedule);
    tags.text("requested_cache", result.requested_cache);
    tags.text("cold_by", result.cold_by);
    tags.text("driver", result.driver);
    tags.text("runtime", result.runtime);
    tags.text("harness_version", ZL_VERSION);
    tags.text("node", host_name());
  }
  tags.text("device", result.device_name);
  tags.text("device_uuid", result.device_uuid);
  return tags.lines;
}

void print_tags(int fd, const Result& result) {
  for (const std::string& line : tag_lines(result)) write_all(fd, line + "\n");
}

}  // namespace zl
