#include "supervisor/device_lock.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <future>
#include <thread>

#include "supervised_case.hpp"
#include "zl/error.hpp"

namespace zl {
namespace {

using std::chrono::steady_clock;

struct DeviceLockTest : testing::Test {
  static unsigned mode(const std::string& path) {
    struct stat status {};
    EXPECT_EQ(::stat(path.c_str(), &status), 0);
    return status.st_mode & 07777;
  }
  static void ignore(const std::string&) {}

  TestFolder folder;
};

TEST_F(DeviceLockTest, ExcludesASecondHolderOfTheSameDeviceOnly) {
  DeviceLock first(folder.locks(), "one");
  DeviceLock second(folder.locks(), "one");
  DeviceLock other(folder.locks(), "two");
  EXPECT_TRUE(first.try_acquire());
  EXPECT_FALSE(second.try_acquire());
  EXPECT_TRUE(other.try_acquire());
  EXPECT_TRUE(first.holds("one"));
  EXPECT_FALSE(first.holds("two"));
  EXPECT_FALSE(second.holds("one"));
}

TEST_F(DeviceLockTest, LastsUntilTheLastCopyOfItsDescriptorIsClosed) {
  FileDescriptor copy;
  {
    DeviceLock first(folder.locks(), "one");
    ASSERT_TRUE(first.try_acquire());
    copy = FileDescriptor(::dup(first.fd()));
  }
  DeviceLock second(folder.locks(), "one");
  EXPECT_FALSE(second.try_acquire());
  copy.close();
  EXPECT_TRUE(second.try_acquire());
}

TEST_F(DeviceLockTest, IsOpenToAllUsersWhateverTheUmask) {
  const mode_t before = ::umask(077);
  DeviceLock lock(folder.locks(), "one");
  ::umask(before);
  EXPECT_EQ(mode(folder.locks()), 01777u);
  EXPECT_EQ(mode(folder.locks() + "/" + lock_file_name("one")), 0666u);
}

TEST_F(DeviceLockTest, WorksForAnotherUserToo) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  ASSERT_EQ(::chmod(folder.path().c_str(), 0755), 0);
  DeviceLock mine(folder.locks(), "one");
  ASSERT_TRUE(mine.try_acquire());
  // Not even its own user could open this one for writing.
  ASSERT_EQ(::chmod((folder.locks() + "/" + lock_file_name("one")).c_str(), 0444), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    int status = 1;
    try {
      if (::setuid(65534) == 0 && !DeviceLock(folder.locks(), "one").try_acquire()) status = 0;
    } catch (const Error&) {
      status = 2;
    }
    ::_exit(status);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(DeviceLockTest, NamesItsHolder) {
  DeviceLock first(folder.locks(), "one");
  ASSERT_TRUE(first.try_acquire());
  EXPECT_EQ(DeviceLock(folder.locks(), "one").holder(), "process " + std::to_string(::getpid()));
  EXPECT_EQ(DeviceLock(folder.locks(), "two").holder(), "another process");
}

TEST_F(DeviceLockTest, WaitsUntilItIsFreeAndSaysSoOnce) {
  std::optional<DeviceLock> first(std::in_place, folder.locks(), "one");
  ASSERT_TRUE(first->try_acquire());
  std::promise<void> told;
  int times = 0;
  std::thread releaser([&] {
    told.get_future().wait();
    first.reset();
  });
  DeviceLock second(folder.locks(), "one");
  EXPECT_TRUE(second.acquire(steady_clock::time_point::max(), [&](const std::string& holder) {
    EXPECT_EQ(holder, "process " + std::to_string(::getpid()));
    if (++times == 1) told.set_value();
  }));
  releaser.join();
  EXPECT_EQ(times, 1);
}

TEST_F(DeviceLockTest, GivesUpAtItsDeadline) {
  DeviceLock first(folder.locks(), "one");
  ASSERT_TRUE(first.try_acquire());
  DeviceLock second(folder.locks(), "one");
  EXPECT_FALSE(second.acquire(steady_clock::now() + std::chrono::milliseconds(50), ignore));
}

TEST_F(DeviceLockTest, IsNotFooledByAFileThatACleanerRemoved) {
  DeviceLock early(folder.locks(), "one");
  std::filesystem::remove(folder.locks() + "/" + lock_file_name("one"));
  DeviceLock late(folder.locks(), "one");
  ASSERT_TRUE(late.try_acquire());
  EXPECT_FALSE(early.try_acquire());
}

TEST_F(DeviceLockTest, KeepsAUuidInsideItsFolder) {
  EXPECT_EQ(lock_file_name("GPU-1a2b"), "GPU-1a2b.lock");
  EXPECT_EQ(lock_file_name("../a b\n/c"), "..-a-b--c.lock");
  EXPECT_EQ(lock_file_name(""), "unnamed.lock");
}

TEST_F(DeviceLockTest, RefusesAFolderThatCannotBeMadeAndALink) {
  try {
    const DeviceLock lock("/proc/none/here", "one");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.errc, Errc::usage);
    EXPECT_NE(std::string(error.what()).find("ZL_LOCK_DIR"), std::string::npos);
  }
  std::filesystem::create_directory(folder.locks());
  std::filesystem::create_symlink(folder.file(), folder.locks() + "/" + lock_file_name("one"));
  EXPECT_THROW(DeviceLock(folder.locks(), "one"), Error);
  EXPECT_FALSE(std::filesystem::exists(folder.file()));
}

TEST_F(SupervisedCase, ABusyDeviceHasItsOwnLimitVerdictAndHolder) {
  DeviceLock holder(folder_.locks(), "uuid/0");
  ASSERT_TRUE(holder.try_acquire());
  const Result result = run("ok", {"--zl_lock_wait_s=0.2"});
  EXPECT_EQ(result.verdict, Verdict::busy);
  EXPECT_TRUE(mentions(result.message, "process " + std::to_string(::getpid()))) << result.message;
}

TEST_F(SupervisedCase, WaitingForTheLockEndsWithTheCase) {
  DeviceLock holder(folder_.locks(), "uuid/0");
  ASSERT_TRUE(holder.try_acquire());
  EXPECT_EQ(run("ok", {"--zl_lock_wait_s=1000", "--zl_timeout_s=0.4"}).verdict, Verdict::busy);
}

TEST_F(SupervisedCase, WaitingForTheLockIsNoPhase) {
  std::optional<DeviceLock> holder(std::in_place, folder_.locks(), "uuid/0");
  ASSERT_TRUE(holder->try_acquire());
  std::thread releaser([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    holder.reset();
  });
  const Result result = run("ok", {"--zl_phase_limit_s=1"});
  EXPECT_EQ(result.verdict, Verdict::ok);
  EXPECT_LT(result.wall_s, 1.2) << "the wait is not the case's own time";
  releaser.join();
}

}  // namespace
}  // namespace zl
