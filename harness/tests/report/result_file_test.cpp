#include "report/result_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "error_of.hpp"
#include "report/atomic_file.hpp"
#include "report/google_benchmark.hpp"
#include "report/result_json.hpp"
#include "sample_result.hpp"
#include "scoped_directory.hpp"

namespace zl {
namespace {

using test::content_of;
using test::error_of;
using test::sample_result;
using test::ScopedDirectory;

const char* const file_name = "perf.host.mm.own.e4m3-bf16.16x4096x7168.json";

std::string benchmark_json(const Result& result) {
  return BenchmarkRuns({result}, BenchmarkFlags{}).json(0);
}

/// Files larger than `bytes` fail with EFBIG, as a full disk fails with ENOSPC.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST(ResultFile, IsGoogleBenchmarksDocumentWithTheResult) {
  const ScopedDirectory directory;
  const Result result = sample_result();
  write_result_file(directory / "made/when/missing", result, benchmark_json(result));
  const auto document =
      nlohmann::json::parse(content_of(directory / "made/when/missing/" + file_name));
  EXPECT_EQ(document.at("benchmarks").size(), 8u);
  EXPECT_TRUE(document.at("context").contains("host_name"));
  const auto& ours = document.at("zl");
  EXPECT_EQ(ours.at("result"), to_json(result));
  EXPECT_EQ(ours.at("harness_version"), ZL_TEST_VERSION);
  char host[256] = {};
  ASSERT_EQ(::gethostname(host, sizeof host - 1), 0);
  EXPECT_EQ(ours.at("hostname"), host);
  EXPECT_TRUE(std::regex_match(ours.at("date").get<std::string>(),
                               std::regex(R"(20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ)")));
}

TEST(ResultFile, ReplacesTheOldOneAndLeavesNoTemporary) {
  const ScopedDirectory directory;
  const Result result = sample_result();
  std::ofstream(directory / file_name) << "old";
  write_result_file(directory.path, result, benchmark_json(result));
  EXPECT_EQ(directory.names(), std::vector<std::string>{file_name});
  EXPECT_TRUE(nlohmann::json::accept(content_of(directory / file_name)));
}

TEST(ResultFile, AFullDiskLeavesTheOldFileAndNoTemporary) {
  const ScopedDirectory directory;
  const Result result = sample_result();
  const std::string json = benchmark_json(result);
  std::ofstream(directory / file_name) << "old";
  std::optional<Error> error;
  {
    const FileSizeLimit limit(100);
    error = error_of([&] { write_result_file(directory.path, result, json); });
  }
  ASSERT_TRUE(error);
  EXPECT_EQ(error->errc, Errc::usage);
  EXPECT_EQ(std::string(error->what()),
            "cannot write " + (directory / file_name) + ": File too large");
  EXPECT_EQ(directory.names(), std::vector<std::string>{file_name});
  EXPECT_EQ(content_of(directory / file_name), "old");
}

TEST(ResultFile, ADirectoryThatCannotBeMadeIsAUsageErrorNamingIt) {
  const ScopedDirectory directory;
  std::ofstream(directory / "file") << "in the way";
  const Result result = sample_result();
  const std::string below = directory / "file/results";
  const auto error = error_of([&] { write_result_file(below, result, benchmark_json(result)); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->errc, Errc::usage);
  EXPECT_EQ(std::string(error->what()), "cannot create directory " + below + ": Not a directory");
}

TEST(ResultFile, ADirectoryIsMadeAheadOfTimeAndNothingIsLeftInIt) {
  const ScopedDirectory directory;
  prepare_result_directory(directory / "a/b");
  EXPECT_EQ(directory.names(), std::vector<std::string>{"a"});
  EXPECT_TRUE(std::filesystem::is_empty(directory / "a/b"));
}

TEST(ResultFile, ADirectoryThatOnlyOthersCanWriteIsAUsageErrorThatSaysWhatToDo) {
  const ScopedDirectory directory;
  ASSERT_EQ(::chmod(directory.path.c_str(), 0555), 0);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    std::string said = "cannot become another user";
    if (::geteuid() != 0 || ::setuid(65534) == 0) {
      const auto error = error_of([&] { prepare_result_directory(directory.path); });
      said = error ? error->what() : "no error";
    }
    [[maybe_unused]] const auto written = ::write(ends[1], said.data(), said.size());
    ::_exit(0);
  }
  ::close(ends[1]);
  char said[1000];
  const ssize_t size = ::read(ends[0], said, sizeof said);
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(std::string(said, static_cast<std::size_t>(std::max<ssize_t>(size, 0))),
            "--zl_result_dir=" + directory.path + ": cannot create a file in " + directory.path +
                ": Permission denied: name a folder that you can write");
}

TEST(ResultFile, ATargetThatCannotBeReplacedLeavesNoTemporary) {
  const ScopedDirectory directory;
  const std::string missing = directory / "no/file.json";
  auto error = error_of([&] { write_file(missing, "x"); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->errc, Errc::usage);
  EXPECT_EQ(std::string(error->what()),
            "cannot create a file beside " + missing + ": No such file or directory");
  const std::string too_long = directory / std::string(300, 'x');
  error = error_of([&] { write_file(too_long, "x"); });
  ASSERT_TRUE(error);
  EXPECT_NE(std::string(error->what()).find("File name too long"), std::string::npos);
  EXPECT_TRUE(directory.names().empty());
}

TEST(ResultFile, NamesThatLeaveTheDirectoryAreRefused) {
  const ScopedDirectory directory;
  Result result = sample_result();
  result.id.shape = "../x";
  const auto error =
      error_of([&] { write_result_file(directory.path, result, benchmark_json(result)); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->errc, Errc::usage);
}

TEST(ResultFile, ADocumentThatIsNotJsonIsNeverWritten) {
  const ScopedDirectory directory;
  const auto error = error_of(
      [&] { write_result_file(directory.path, sample_result(), R"({"real_time": NaN})"); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->errc, Errc::internal);
  EXPECT_TRUE(directory.names().empty());
}

TEST(AtomicFile, FollowsALinkAndKeepsIt) {
  const ScopedDirectory directory;
  std::ofstream(directory / "target") << "old";
  ASSERT_EQ(::symlink("target", (directory / "link").c_str()), 0);
  write_file(directory / "link", "new");
  EXPECT_EQ(content_of(directory / "target"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(directory / "link"));
}

TEST(AtomicFile, WritesToDevicesInPlace) {
  write_file("/dev/null", "x");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  const auto error = error_of([] { write_file("/dev/full", "x"); });
  ASSERT_TRUE(error);
  EXPECT_EQ(std::string(error->what()),
            "cannot write /dev/full: No space left on device: free some space, or name another "
            "folder");
}

TEST(AtomicFile, WhatCannotBeWrittenIsToldWithoutWriting) {
  const ScopedDirectory directory;
  EXPECT_EQ(why_unwritable(directory / "file"), "");
  EXPECT_EQ(why_unwritable("/dev/null"), "");
  EXPECT_EQ(why_unwritable(directory.path), "a file, this is a directory");
  EXPECT_EQ(why_unwritable(directory / "no/file"), "a file in a directory that exists");
  EXPECT_TRUE(directory.names().empty());
}

TEST(AtomicFile, GivesTheFileTheModeOfTheUmask) {
  const ScopedDirectory directory;
  const mode_t before = ::umask(027);
  write_file(directory / "file", "x");
  ::umask(before);
  struct stat status {};
  ASSERT_EQ(::stat((directory / "file").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

}  // namespace
}  // namespace zl
