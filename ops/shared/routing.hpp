#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "zl/error.hpp"
#include "zl/philox.hpp"
#include "zl/types.hpp"

namespace ops {

/// How a mixture of experts' tokens are spread over its experts, the values of an axis "skew".
inline constexpr zl::i64 skew_uniform = 0;  ///< all experts are equally likely
inline constexpr zl::i64 skew_zipf = 1;  ///< expert e with a probability that goes as 1 / (e + 1)
inline constexpr zl::i64 skew_one_hot = 2;  ///< every token goes to experts 0 to k - 1

/// The k different experts of each token, [tokens][k], for zl::values(). The same in every run and
/// on every machine: drawn by Philox from a fixed seed, a token's experts in turn and anew where it
/// has the expert already.
inline std::vector<double> routing(zl::i64 tokens, zl::i64 experts, zl::i64 k, zl::i64 skew) {
  if (k > experts) {
    throw zl::Error(zl::Errc::usage, "routing: " + std::to_string(k) + " different experts of " +
                                         std::to_string(experts));
  }
  if (skew < skew_uniform || skew > skew_one_hot) {
    throw zl::Error(zl::Errc::usage, "routing: skew is 0 (uniform), 1 (zipf) or 2 (one-hot)");
  }
  constexpr std::uint64_t seed = 0x5EED;
  std::vector<double> cumulative(static_cast<std::size_t>(experts));
  double total = 0;
  for (zl::i64 e = 0; e < experts; ++e) {
    total += skew == skew_zipf ? 1 / static_cast<double>(e + 1) : 1;
    cumulative[static_cast<std::size_t>(e)] = total;
  }
  std::vector<double> chosen;
  chosen.reserve(static_cast<std::size_t>(tokens * k));
  for (zl::i64 pair = 0; pair < tokens * k; ++pair) {
    const auto own = chosen.end() - pair % k;  // this token's experts so far
    for (std::uint64_t attempt = 0;; ++attempt) {
      const auto block = zl::philox4x32_10(static_cast<std::uint64_t>(pair), attempt, seed);
      const double uniform = (block.word[0] + block.word[1] * 0x1p-32) * 0x1p-32;
      const auto at = std::upper_bound(cumulative.begin(), cumulative.end() - 1, uniform * total);
      const auto drawn = static_cast<double>(at - cumulative.begin());
      const double expert = skew == skew_one_hot ? static_cast<double>(pair % k) : drawn;
      if (std::find(own, chosen.end(), expert) != chosen.end()) continue;
      chosen.push_back(expert);
      break;
    }
  }
  return chosen;
}

}  // namespace ops
