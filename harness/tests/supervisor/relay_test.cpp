#include "supervisor/relay.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

namespace zl {
namespace {

struct Pipe {
  Pipe() {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    read = FileDescriptor(ends[0]);
    write = FileDescriptor(ends[1]);
  }
  void put(const std::string& text) const {
    EXPECT_EQ(::write(write.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  std::string taken() const {
    ::fcntl(read.get(), F_SETFL, O_NONBLOCK);
    std::string text(1 << 20, '\0');
    const ssize_t count = ::read(read.get(), text.data(), text.size());
    text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return text;
  }
  FileDescriptor read;
  FileDescriptor write;
};

struct RelayTest : testing::Test {
  Pipe from;
  Pipe to;
  Relay relay{std::move(from.read), to.write.get()};
};

TEST_F(RelayTest, PassesWholeLinesOnAtOnceAndKeepsTheRest) {
  from.put("one\ntwo\nthr");
  relay.read_some();
  ASSERT_TRUE(relay.wants_output());
  relay.write_some();
  EXPECT_EQ(to.taken(), "one\ntwo\n");
  EXPECT_FALSE(relay.wants_output());
  from.put("ee\n");
  relay.read_some();
  relay.write_some();
  EXPECT_EQ(to.taken(), "three\n");
}

TEST_F(RelayTest, AtTheEndPassesOnALineWithoutAnEnd) {
  from.put("last");
  from.write.close();
  relay.drain(std::chrono::steady_clock::now());
  EXPECT_EQ(to.taken(), "last");
}

TEST_F(RelayTest, DoesNotWaitForAWriterThatOutlivesTheWorker) {
  from.put("text\n");
  relay.drain(std::chrono::steady_clock::now());  // from.write is still open
  EXPECT_EQ(to.taken(), "text\n");
}

TEST_F(RelayTest, NeverBlocksOnAReaderThatDoesNotRead) {
  const int capacity = ::fcntl(to.write.get(), F_GETPIPE_SZ);
  to.put(std::string(static_cast<std::size_t>(capacity), 'x'));
  from.put("text\n");
  relay.drain(std::chrono::steady_clock::now() + std::chrono::milliseconds(20));
  EXPECT_EQ(to.taken().find("text"), std::string::npos);
}

TEST_F(RelayTest, TakesNoMoreInputWhileItsReaderIsFarBehind) {
  const std::string block(1 << 16, 'x');
  int blocks = 0;
  while (relay.wants_input() && blocks < 1000) {
    from.put(block);
    relay.read_some();
    ++blocks;
  }
  EXPECT_EQ(blocks, 16);  // of 64 KiB: a mebibyte is waiting
}

}  // namespace
}  // namespace zl
