#include <zl/bench.hpp>

#include "faults.hpp"

namespace {

void same(zl::Rows rows, double* y, const float* x) {
  for (std::int64_t i = rows.first; i < rows.last; ++i) y[i - rows.first] = x[i];
}

template <class T>
void fault(zl::Case& c) {
  const std::int64_t n = c.axis("n");
  const auto x = c.in<T>({n}, zl::uniform());
  const auto y = c.out<T>({n});
  const auto add = [&](const char* name, zl::fault::Call* call) { c.impl(name, call, y, x, n); };
  add("healthy", zl::fault::healthy);
  add("allocation", zl::fault::allocation);
  add("default_stream", zl::fault::default_stream);
  add("half_on_default_stream", zl::fault::half_on_default_stream);
  add("private_blocking_stream", zl::fault::private_blocking_stream);
  add("private_nonblocking_stream", zl::fault::private_nonblocking_stream);
  add("unjoined_fork", zl::fault::unjoined_fork);
  add("synchronous_copy", zl::fault::synchronous_copy);
  add("bad_launch", zl::fault::bad_launch);
  add("bad_launch_in_capture", zl::fault::bad_launch_in_capture);
  add("bad_launch_in_library", zl::fault::bad_launch_in_library);
  add("bad_launch_in_library_in_capture", zl::fault::bad_launch_in_library_in_capture);
  add("other_architecture", zl::fault::other_architecture);
  add("out_of_bounds", zl::fault::out_of_bounds);
  add("out_of_bounds_in_capture", zl::fault::out_of_bounds_in_capture);
  add("out_of_bounds_beside_capture", zl::fault::out_of_bounds_beside_capture);
  add("out_of_bounds_at_replay", zl::fault::out_of_bounds_at_replay);
  add("endless", zl::fault::endless);
  c.expect(y, same, zl::same_rows(x));
}

ZL_OP(fault, "n");

}  // namespace
