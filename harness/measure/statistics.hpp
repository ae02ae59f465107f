#pragma once

#include <optional>
#include <vector>

namespace zl::stats {

/// The exact sum divided by the count, rounded once.
double mean(const std::vector<double>& values);
/// Of an even count the average of the two middle values.
double median(std::vector<double> values);
double minimum(const std::vector<double>& values);
double maximum(const std::vector<double>& values);
/// Sample standard deviation over mean, in percent; absent below two values.
std::optional<double> cv_pct(const std::vector<double>& values);
/// Linear between the ranks around q (n - 1). q must be within [0, 1].
double quantile(std::vector<double> values, double q);
/// Half the width of a 95 % confidence interval of the median, from order statistics (no
/// assumption on the distribution), in percent of the median. Absent below six values, which
/// cannot give 95 %.
std::optional<double> median_half_width_pct(std::vector<double> values);

}  // namespace zl::stats
