#pragma once

#include <string>
#include <string_view>

#include "measure/result.hpp"

namespace zl {

inline constexpr std::string_view marker_direct = "BENCHMARK_DIRECT_NO_CUDAGRAPH";
inline constexpr std::string_view marker_poisoned = "BENCHMARK_CAPTURE_POISONED";

/// `<marker> op=<op> phase=<phase> reason=<reason> detail='<detail>'`, without a line end. The
/// detail is one line of at most 160 code points, cut before `\` and `'` are escaped; in op and
/// reason everything that could end a token is an underscore.
std::string marker_line(std::string_view marker, std::string_view op, const Failure& failure);

/// The line as it is printed, with its line end: yellow or red by marker where `colours`.
std::string marker_text(std::string_view marker, std::string_view op, const Failure& failure,
                        bool colours);

/// Prints it to `fd`, in one write.
void print_marker(int fd, std::string_view marker, std::string_view op, const Failure& failure);

}  // namespace zl
