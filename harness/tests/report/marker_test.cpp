#include "report/marker.hpp"

#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include "report/console.hpp"
#include "scoped_environment.hpp"

namespace zl {
namespace {

using test::ScopedEnvironment;

Failure failure(std::string detail) {
  return {Phase::capture, "cudaErrorStreamCaptureUnsupported", std::move(detail)};
}

std::string detail_of(const std::string& detail) {
  const std::string line = marker_line(marker_direct, "mm", failure(detail));
  const std::string start =
      "BENCHMARK_DIRECT_NO_CUDAGRAPH op=mm phase=capture "
      "reason=cudaErrorStreamCaptureUnsupported detail='";
  EXPECT_EQ(line.substr(0, start.size()), start);
  EXPECT_EQ(line.back(), '\'');
  return line.substr(start.size(), line.size() - start.size() - 1);
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST(Marker, IsTheLineOfTheContract) {
  EXPECT_EQ(marker_line(marker_direct, "w8a8_mm",
                        {Phase::denylist, "KnownPoisoningOp", "musa denies capture for this op"}),
            "BENCHMARK_DIRECT_NO_CUDAGRAPH op=w8a8_mm phase=denylist reason=KnownPoisoningOp "
            "detail='musa denies capture for this op'");
  EXPECT_EQ(marker_line(marker_poisoned, "add",
                        {Phase::replay, "cudaErrorIllegalAddress", "cudaGraphLaunch: bad"}),
            "BENCHMARK_CAPTURE_POISONED op=add phase=replay reason=cudaErrorIllegalAddress "
            "detail='cudaGraphLaunch: bad'");
}

TEST(Marker, CollapsesWhiteSpaceAndControlCharacters) {
  EXPECT_EQ(detail_of("a \t\n\v\f\r b"), "a b");
  EXPECT_EQ(detail_of(std::string("a\0\x01\x1b\x7f"
                                  "b",
                                  6)),
            "a b");
  EXPECT_EQ(detail_of("a\u0085\u00a0\u2003\u2028\u2029\u3000b"), "a b");
  EXPECT_EQ(detail_of("\n call: text\n"), "call: text");
  EXPECT_EQ(detail_of(" \n"), "");
}

TEST(Marker, CutsAt160CodePointsWhateverTheirLengthInBytes) {
  EXPECT_EQ(detail_of(repeated("x", 160)), repeated("x", 160));
  EXPECT_EQ(detail_of(repeated("x", 161)), repeated("x", 160));
  EXPECT_EQ(detail_of(repeated("\u00e9", 161)), repeated("\u00e9", 160));
  EXPECT_EQ(detail_of(repeated("x", 159) + "\U0001F600" + "y"), repeated("x", 159) + "\U0001F600");
  EXPECT_EQ(detail_of(repeated("x", 160) + "\U0001F600"), repeated("x", 160));
}

TEST(Marker, CollapsesBeforeItCuts) {
  EXPECT_EQ(detail_of(repeated("\n", 200) + "a" + repeated(" ", 200) + "b"), "a b");
}

TEST(Marker, EscapesAfterTheCut) {
  EXPECT_EQ(detail_of("it's C:\\x"), "it\\'s C:\\\\x");
  EXPECT_EQ(detail_of(repeated("'", 161)), repeated("\\'", 160));
  EXPECT_EQ(detail_of(repeated("x", 159) + "\\y"), repeated("x", 159) + "\\\\");
}

TEST(Marker, ReplacesInvalidUtf8) {
  EXPECT_EQ(detail_of("a\xff"
                      "b"),
            "a\uFFFDb");
  EXPECT_EQ(detail_of("a\xe2\x82"), "a\uFFFD");                // cut off
  EXPECT_EQ(detail_of("\xc0\xaf"), "\uFFFD\uFFFD");            // overlong
  EXPECT_EQ(detail_of("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");  // surrogate
  EXPECT_EQ(detail_of("\xe2\x82\xac"), "\u20ac");
}

TEST(Marker, KeepsOpAndReasonOneToken) {
  EXPECT_EQ(marker_line(marker_direct, "my op='x'\n\u00e9", {Phase::sync, "", "d"}),
            "BENCHMARK_DIRECT_NO_CUDAGRAPH op=my_op__x___ phase=sync reason=unknown detail='d'");
}

TEST(Marker, IsYellowOrRedWithColoursOnly) {
  const Failure f{Phase::sync, "r", "d"};
  EXPECT_EQ(marker_text(marker_direct, "mm", f, true),
            "\x1b[33mBENCHMARK_DIRECT_NO_CUDAGRAPH op=mm phase=sync reason=r detail='d'\x1b[0m\n");
  EXPECT_EQ(marker_text(marker_poisoned, "mm", f, true),
            "\x1b[31mBENCHMARK_CAPTURE_POISONED op=mm phase=sync reason=r detail='d'\x1b[0m\n");
  EXPECT_EQ(marker_text(marker_direct, "mm", f, false),
            "BENCHMARK_DIRECT_NO_CUDAGRAPH op=mm phase=sync reason=r detail='d'\n");
}

class Colours : public testing::Test {
 protected:
  Colours() {
    if (::openpty(&master_, &terminal_, nullptr, nullptr, nullptr) != 0) terminal_ = -1;
    if (::pipe(pipe_) != 0) pipe_[0] = pipe_[1] = -1;
  }
  ~Colours() override {
    for (const int fd : {master_, terminal_, pipe_[0], pipe_[1]}) ::close(fd);
  }
  void SetUp() override {
    ASSERT_GE(terminal_, 0);
    ASSERT_GE(pipe_[1], 0);
  }
  int master_ = -1, terminal_ = -1;
  int pipe_[2];
  ScopedEnvironment term_{"TERM", "xterm"};
  ScopedEnvironment no_color_{"NO_COLOR", nullptr};
  ScopedEnvironment force_color_{"FORCE_COLOR", nullptr};
};

TEST_F(Colours, AreForTerminals) {
  EXPECT_TRUE(colours_on(terminal_));
  EXPECT_FALSE(colours_on(pipe_[1]));
  const ScopedEnvironment dumb("TERM", "dumb");
  EXPECT_FALSE(colours_on(terminal_));
}

TEST_F(Colours, AreForcedOnPipes) {
  const ScopedEnvironment force("FORCE_COLOR", "1");
  EXPECT_TRUE(colours_on(pipe_[1]));
}

TEST_F(Colours, AreOffWhereForceColorIsZeroOrNoColorIsSet) {
  {
    const ScopedEnvironment zero("FORCE_COLOR", "0");
    EXPECT_FALSE(colours_on(terminal_));
  }
  const ScopedEnvironment none("NO_COLOR", "1");
  EXPECT_FALSE(colours_on(terminal_));
  const ScopedEnvironment force("FORCE_COLOR", "1");
  EXPECT_FALSE(colours_on(terminal_));
}

TEST_F(Colours, MarkerOnAPipeIsOnePlainLine) {
  print_marker(pipe_[1], marker_direct, "mm", {Phase::sync, "r", "d"});
  char buffer[256];
  const ssize_t got = ::read(pipe_[0], buffer, sizeof buffer);
  ASSERT_GT(got, 0);
  EXPECT_EQ(std::string(buffer, static_cast<std::size_t>(got)),
            "BENCHMARK_DIRECT_NO_CUDAGRAPH op=mm phase=sync reason=r detail='d'\n");
}

TEST_F(Colours, MarkerOnATerminalIsColoured) {
  print_marker(terminal_, marker_poisoned, "mm", {Phase::sync, "r", "d"});
  char buffer[256];
  const ssize_t got = ::read(master_, buffer, sizeof buffer);
  ASSERT_GT(got, 0);
  EXPECT_EQ(std::string(buffer, 5), "\x1b[31m");
}

}  // namespace
}  // namespace zl
