#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/flag_value.hpp"
#include "cli/invocation.hpp"

namespace zl {

/// One flag of every zl executable: the table drives parsing and --help.
struct Flag {
  std::string_view name;   ///< "--zl_method"
  std::string_view value;  ///< what follows '=', for --help and as the list of a choice; empty: a
                           ///< switch
  std::string_view help;   ///< empty: between supervisor and worker only
  void (*set)(Invocation&, const FlagValue&);
};

const std::vector<Flag>& flags();

/// One line for each of `shown` that has a help text, aligned.
std::string flag_lines(const std::vector<Flag>& shown);

/// What --help prints.
std::string help_text(const std::string& program);

}  // namespace zl
