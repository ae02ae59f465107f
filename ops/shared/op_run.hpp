#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "zl/registry.hpp"

namespace ops {

/// One call of the op that is linked into a test, on the backend's first device, held against the
/// op's own references over all rows.
class OpRun {
 public:
  /// `types` as in TYPES. `skew`: operands start this many elements past an aligned address.
  OpRun(std::string types, zl::Shape axes, int skew = 0);
  OpRun(const OpRun&) = delete;
  OpRun& operator=(const OpRun&) = delete;

  const zl::Case& definition() const { return case_; }
  /// Element `index` of an operand: before a call its input, after it what the call left.
  double get(std::size_t operand, std::int64_t index) const;
  void set(std::size_t operand, std::int64_t index, double value);

  /// Calls implementation `name` `times` times on the same operands, the outputs poisoned before.
  /// An empty string, or what is wrong: a write outside an operand, a call that threw.
  std::string call(const std::string& name, int times = 1);
  /// call() once, then every output against its reference.
  std::string check(const std::string& name);

 private:
  std::string mismatch(const zl::Expectation& expectation,
                       const std::vector<std::vector<char>>& before) const;

  zl::Case case_;
  std::size_t skew_;
  std::vector<std::vector<char>> host_;  ///< every operand's values
  std::vector<zl::Philox> draws_;
};

/// The combinations of types that the op under test is built for.
std::vector<std::string> all_types();

/// Every implementation in every combination of types and every shape, at aligned addresses, and
/// `own` also one element off.
void expect_right(const std::vector<zl::Shape>& shapes);

}  // namespace ops
