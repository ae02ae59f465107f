#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/invocation.hpp"
#include "measure/result.hpp"
#include "zl/registry.hpp"

namespace zl {

/// One case to measure.
struct Selected {
  const Op* op = nullptr;
  CaseId id;
  std::map<std::string, std::string> columns;  ///< extra columns of CASES
};

/// Every declared case: for each shape, type combination and implementation, in that order.
std::vector<Selected> declared_selection(const std::vector<Op>& ops, const Declared& declared,
                                         const std::string& backend);

/// The case named [OP/]IMPL/TYPES/SHAPE. The shape need not be a declared one. An unknown op,
/// implementation or combination of types, a malformed shape or one of another rank is a usage
/// error that lists what is allowed.
Selected find_case(const std::string& name, const std::vector<Op>& ops, const Declared& declared,
                   const std::string& backend);

/// The cases that an invocation asks for. A filter that matches none is a usage error.
std::vector<Selected> select_cases(const Invocation& invocation, const std::vector<Op>& ops,
                                   const Declared& declared, const std::string& backend);

/// A usage error where a flag names a file of one case and there are several.
void require_one_case(const Invocation& invocation, const std::vector<Selected>& cases);

/// How to measure one of them: nothing is compared with itself.
Options options_for(const Invocation& invocation, const Selected& selected);

/// "384x384x384" as axis values. Malformed, negative, too large or not `rank` many: usage error.
Shape parse_shape(const std::string& shape, const std::vector<std::string>& axes);

}  // namespace zl
