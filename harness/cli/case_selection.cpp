#include "cli/case_selection.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "cli/flag_value.hpp"
#include "report/benchmark_flags.hpp"
#include "zl/error.hpp"

namespace zl {
namespace {

template <class Range, class Name>
std::string listed(const Range& range, Name name) {
  std::string all;
  for (const auto& item : range) all += (all.empty() ? "" : ", ") + std::string(name(item));
  return all.empty() ? "none" : all;
}

std::string as_is(std::string_view text) { return std::string(text); }

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw Error(Errc::usage, "--zl_case=" + name + ": " + why);
}

const Op& find_op(const std::string& name, std::string_view op, const std::vector<Op>& ops) {
  for (const Op& candidate : ops) {
    if (candidate.name == op) return candidate;
  }
  refuse(name, "unknown op '" + std::string(op) + "'; this executable has " +
                   listed(ops, [](const Op& candidate) { return candidate.name; }));
}

/// The combination's own spelling, 'e4m3:bf16', of one joined by ':' or '-'.
std::string find_types(const std::string& name, std::string types, const Op& op) {
  std::replace(types.begin(), types.end(), '-', ':');
  for (const Op::Instance& instance : op.instances) {
    if (instance.types == types) return types;
  }
  refuse(name, "unknown types '" + types + "'; " + op.name + " has " +
                   listed(op.instances, [](const Op::Instance& i) { return i.types; }) +
                   ", from TYPES of zl_add_perf_test()");
}

std::string joined(const Shape& shape) {
  std::string text;
  for (const std::int64_t extent : shape) {
    if (!text.empty()) text += 'x';
    text += std::to_string(extent);
  }
  return text;
}

std::map<std::string, std::string> columns_of(const Declared& declared, const std::string& shape) {
  std::map<std::string, std::string> columns;
  for (const Declared::Row& row : declared.shapes) {
    if (row.shape != shape) continue;
    for (const auto& column : row.columns) columns.emplace(column.first, column.second);
    break;
  }
  return columns;
}

void check_registered(const std::vector<Op>& ops, const Declared& declared) {
  const auto is_declared = [&declared](const Op& op) { return op.name == declared.op; };
  if (declared.op.empty() || std::any_of(ops.begin(), ops.end(), is_declared)) return;
  const std::string op(declared.op);
  throw Error(Errc::usage, "op " + op + " is not registered, this executable has " +
                               listed(ops, [](const Op& candidate) { return candidate.name; }) +
                               ": ZL_OP(" + op +
                               ", ...) has to be compiled in the file after CASE, outside of #if "
                               "and of comments");
}

void check_versus(const std::string& versus, const Declared& declared) {
  if (versus.empty() || declared.impls.empty()) return;
  std::vector<std::string_view> known = declared.impls;
  known.insert(known.end(), declared.versus.begin(), declared.versus.end());
  if (std::find(known.begin(), known.end(), versus) == known.end()) {
    throw Error(Errc::usage, "--zl_versus=" + versus + ": unknown implementation; allowed are " +
                                 listed(known, as_is));
  }
}

}  // namespace

Shape parse_shape(const std::string& shape, const std::vector<std::string>& axes) {
  Shape extents;
  for (const std::string_view part : split(shape, 'x')) {
    std::int64_t extent = -1;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), extent);
    if (error != std::errc() || end != part.data() + part.size() || extent < 0) {
      throw Error(Errc::usage, "shape '" + shape + "': '" + std::string(part) +
                                   "' is not a whole number from 0 to " +
                                   std::to_string(std::numeric_limits<std::int64_t>::max()));
    }
    extents.push_back(extent);
  }
  if (extents.size() != axes.size()) {
    throw Error(Errc::usage, "shape '" + shape + "' has " + std::to_string(extents.size()) +
                                 " axes; expected " + std::to_string(axes.size()) + ": " +
                                 listed(axes, as_is));
  }
  return extents;
}

std::vector<Selected> declared_selection(const std::vector<Op>& ops, const Declared& declared,
                                         const std::string& backend) {
  std::vector<Selected> all;
  for (const Op& op : ops) {
    if (op.name != declared.op) continue;
    for (const Declared::Row& row : declared.shapes) {
      const std::string shape(row.shape);
      for (const Op::Instance& instance : op.instances) {
        for (const std::string_view impl : declared.impls) {
          all.push_back({&op,
                         {op.name, std::string(impl), instance.types, shape, backend},
                         columns_of(declared, shape)});
        }
      }
    }
  }
  return all;
}

Selected find_case(const std::string& name, const std::vector<Op>& ops, const Declared& declared,
                   const std::string& backend) {
  std::vector<std::string_view> parts = split(name, '/');
  const std::string test_name = "perf." + backend + ".";  // what ctest prints is taken, too
  if (parts.size() == 1 && name.rfind(test_name, 0) == 0) {
    parts = split(std::string_view(name).substr(test_name.size()), '.');
  }
  if (parts.size() < 3 || parts.size() > 4) {
    refuse(name, "expected IMPL/TYPES/SHAPE; without arguments the cases are listed");
  }
  std::string_view op_name = declared.op;
  if (parts.size() == 4) {
    op_name = parts[0];
    parts.erase(parts.begin());
  } else if (op_name.empty() && ops.size() == 1) {
    op_name = ops[0].name;
  }
  const Op& op = find_op(name, op_name, ops);
  const std::vector<std::string_view>& impls = declared.impls;
  // Without a generated list only the case itself knows its implementations; it checks them.
  if (!impls.empty() && std::find(impls.begin(), impls.end(), parts[0]) == impls.end()) {
    refuse(name, "unknown implementation '" + std::string(parts[0]) + "'; " + op.name + " has " +
                     listed(impls, as_is) + ", from IMPLS of zl_add_perf_test()");
  }
  if (parts[0].empty()) refuse(name, "the implementation's name is empty");
  const std::string types = find_types(name, std::string(parts[1]), op);
  std::string shape;
  try {
    shape = joined(parse_shape(std::string(parts[2]), op.axes));
  } catch (const Error& error) {
    refuse(name, error.what());
  }
  return {
      &op, {op.name, std::string(parts[0]), types, shape, backend}, columns_of(declared, shape)};
}

std::vector<Selected> select_cases(const Invocation& invocation, const std::vector<Op>& ops,
                                   const Declared& declared, const std::string& backend) {
  check_registered(ops, declared);
  check_versus(invocation.options.versus, declared);
  const std::vector<Selected> candidates =
      invocation.case_name.empty()
          ? declared_selection(ops, declared, backend)
          : std::vector<Selected>{find_case(invocation.case_name, ops, declared, backend)};
  if (candidates.empty() || invocation.benchmark.filter.empty()) return candidates;
  std::vector<std::string> names;
  for (const Selected& candidate : candidates) names.push_back(candidate.id.run_name());
  std::vector<Selected> matching;
  for (const std::size_t index : filtered(invocation.benchmark.filter, names)) {
    matching.push_back(candidates[index]);
  }
  return matching;
}

void require_one_case(const Invocation& invocation, const std::vector<Selected>& cases) {
  if (cases.size() < 2) return;
  for (const auto& [flag, file] : {std::pair("--zl_dump_graph", invocation.options.dump_graph),
                                   std::pair("--zl_samples", invocation.report.samples)}) {
    if (file.empty()) continue;
    throw Error(Errc::usage,
                std::string(flag) + "=" + file + ": a file of one case, and " +
                    std::to_string(cases.size()) +
                    " are selected: choose one, as --zl_case=" + cases.front().id.run_name());
  }
}

Options options_for(const Invocation& invocation, const Selected& selected) {
  Options options = invocation.options;
  if (options.versus == selected.id.impl) options.versus.clear();
  return options;
}

}  // namespace zl
