#include "supervisor/channel.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "zl/error.hpp"

namespace zl {
namespace {

TEST(Channel, BringsMessagesInOrder) {
  Channel::Pair ends = Channel::make();
  for (int i = 0; i < 3; ++i) ends.worker.send({{"n", i}});
  EXPECT_TRUE(ends.supervisor.read_available());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(ends.supervisor.next()->at("n"), i);
  EXPECT_FALSE(ends.supervisor.next());
}

TEST(Channel, BringsAMessageLargerThanTheSocketsBuffer) {
  Channel::Pair ends = Channel::make();
  const std::string large(5'000'000, 'x');
  std::thread sender([&] { ends.worker.send({{"large", large}}); });
  EXPECT_EQ(ends.supervisor.wait().at("large").get<std::string>(), large);
  sender.join();
}

TEST(Channel, BringsADescriptorThatClosesOnExec) {
  Channel::Pair ends = Channel::make();
  int pipe_ends[2];
  ASSERT_EQ(::pipe(pipe_ends), 0);
  ends.supervisor.send({{"lock", true}}, pipe_ends[0]);
  ::close(pipe_ends[0]);
  ends.worker.wait();
  const FileDescriptor received = ends.worker.take_descriptor();
  ASSERT_TRUE(received);
  EXPECT_NE(::fcntl(received.get(), F_GETFD) & FD_CLOEXEC, 0);
  char byte = 0;
  ASSERT_EQ(::write(pipe_ends[1], "!", 1), 1);
  EXPECT_EQ(::read(received.get(), &byte, 1), 1);
  EXPECT_EQ(byte, '!');
  ::close(pipe_ends[1]);
}

TEST(Channel, BringsWhatWasSentBeforeItsEnd) {
  Channel::Pair ends = Channel::make();
  ends.worker.send({{"last", true}});
  ends.worker.close();
  EXPECT_FALSE(ends.supervisor.read_available());
  EXPECT_TRUE(ends.supervisor.next()->at("last"));
}

TEST(Channel, SaysThatTheOtherEndIsGone) {
  Channel::Pair ends = Channel::make();
  ends.supervisor.close();
  EXPECT_THROW(ends.worker.wait(), Error);
  EXPECT_THROW(ends.worker.send({{"to", "nobody"}}), Error);
}

TEST(Channel, RefusesWhatIsNoMessage) {
  Channel::Pair ends = Channel::make();
  ASSERT_EQ(::write(ends.worker.fd(), "{\"cut\n[1]\n", 10), 10);
  EXPECT_TRUE(ends.supervisor.read_available());
  EXPECT_THROW(ends.supervisor.next(), Error);
  EXPECT_THROW(ends.supervisor.next(), Error);
}

TEST(Channel, KeepsAMessageWhoseTextIsNotUtf8) {
  Channel::Pair ends = Channel::make();
  ends.worker.send({{"text", "bad \xff byte"}});
  EXPECT_EQ(ends.supervisor.wait().at("text"), "bad \xEF\xBF\xBD byte");
}

}  // namespace
}  // namespace zl
