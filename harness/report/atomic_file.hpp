#pragma once

#include <string>
#include <string_view>

namespace zl {

/// Replaces the file at `path` by `content`, whole or not at all: written under a temporary name in
/// the same directory, synced, renamed. A link is followed; what exists and is no regular file
/// (/dev/null, a pipe) is written directly. Errc::usage with the path and errno's text.
void write_file(const std::string& path, std::string_view content);

/// Makes a directory, and those above it, where it is missing.
void make_directories(const std::string& directory);

/// Errc::usage where no file can be made in `directory`, found out by making one and removing it.
void try_to_make_file_in(const std::string& directory);

/// What `path` would have to be for write_file(); empty where it can be written, as far as can be
/// told without doing it.
std::string why_unwritable(const std::string& path);

}  // namespace zl
