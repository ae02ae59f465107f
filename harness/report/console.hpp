#pragma once

#include <string_view>

namespace zl {

/// Writes all of `text` to a file descriptor, in one write() unless the kernel takes less, after
/// flushing the C and C++ standard streams. Throws Errc::usage with errno's text where the
/// descriptor takes no more (a full disk, a closed pipe).
void write_all(int fd, std::string_view text);

/// Whether `fd` gets colours: a terminal that is not "dumb", or FORCE_COLOR set to other than "0"
/// and nothing; never where NO_COLOR is set to anything.
bool colours_on(int fd);

}  // namespace zl
