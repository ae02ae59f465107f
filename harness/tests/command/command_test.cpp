// How a command is run, and what each way in which it can end comes to.
#include <gtest/gtest.h>

#include <csignal>

#include "command_process.hpp"
#include "supervisor/device_lock.hpp"

namespace zl {
namespace {

struct CommandRun : CommandProcess {
  int shell(const std::string& script, const std::vector<std::string>& flags = {}) {
    return run(arguments(flags, {"sh", "-c", script, "{result}"}));
  }
  /// Starts a command that writes its process id and those of two children, and never ends.
  void start_hanging(const std::vector<std::string>& flags = {}) {
    start(arguments(flags, {"sh", "-c",
                            "sleep 1000 & a=$!; sleep 1000 & echo $$ $a $! >" + folder +
                                "/new; mv " + folder + "/new " + folder + "/pids; wait",
                            "{result}"}));
  }
  std::vector<pid_t> pids() {
    wait_until([this] { return std::filesystem::exists(folder + "/pids"); });
    std::istringstream text(contents(folder + "/pids"));
    std::vector<pid_t> all(3);
    for (pid_t& pid : all) text >> pid;
    return all;
  }
  bool lock_is_free() const { return DeviceLock(folder + "/locks", "fake-0").try_acquire(); }
};

TEST_F(CommandRun, PlaceholdersAreFilledInWhereverTheyStand) {
  const std::string file = write("written", measured().dump());
  EXPECT_EQ(run(arguments({}, {"sh", "-c", "cp \"$0\" \"${3#to=}\"; echo \"[$1][$2][$4]\"", file,
                               "{impl}, {impl}", "--case={case}", "to={result}", "{other} ;"})),
            0)
      << output();
  EXPECT_TRUE(says("[own, own][--case=own/f16-bf16/4x1x8][{other} ;]")) << output();
}

TEST_F(CommandRun, OnlyTheChosenDeviceIsVisible) {
  const std::string tell = "echo devices=$FAKE_VISIBLE_DEVICES.";
  EXPECT_EQ(run_writing(measured(), {}, tell), 0) << output();
  EXPECT_TRUE(says("devices=0.")) << output();
  ::setenv("FAKE_VISIBLE_DEVICES", "GPU-7,3", 1);
  EXPECT_EQ(run_writing(measured(), {}, tell), 0) << output();
  EXPECT_TRUE(says("devices=GPU-7.")) << output();
}

TEST_F(CommandRun, InheritsTheLockButNoConnectionToItsSupervisor) {
  EXPECT_EQ(run_writing(measured(), {}, "readlink /proc/$$/fd/* || true"), 0) << output();
  EXPECT_TRUE(says("/locks/fake-0.lock\n")) << output();
  EXPECT_FALSE(says("socket:")) << output();
}

TEST_F(CommandRun, ADeathByASignalIsACrashWithItsName) {
  expect_no_number(shell("kill -SEGV $$"), 8, "crashed");
  EXPECT_TRUE(says("the command was killed by SIGSEGV")) << output();
  // A result that it wrote before does not count.
  expect_no_number(run_writing(measured(), {}, "kill -ABRT $$"), 8, "crashed");
  EXPECT_TRUE(says("killed by SIGABRT")) << output();
}

TEST_F(CommandRun, AnEndWithoutAResultIsACrash) {
  expect_no_number(shell("exit 0"), 8, "crashed");
  EXPECT_TRUE(says("exit status 0 and no result")) << output();
  expect_no_number(shell("exit 3"), 8, "crashed");
  EXPECT_TRUE(says("exit status 3 and no result")) << output();
}

TEST_F(CommandRun, ANumberOfACommandThatThenFailsDoesNotCount) {
  expect_no_number(run_writing(measured(), {}, "exit 1"), 8, "crashed");
  EXPECT_TRUE(says("exit status 1 after it wrote a result")) << output();
}

TEST_F(CommandRun, AFileCutShortIsNamedWithTheExitStatus) {
  expect_no_number(shell("echo { >\"$0\"; exit 3"), 2, "usage");
  EXPECT_TRUE(says("cannot be read as JSON")) << output();
  EXPECT_TRUE(says("the command was gone with exit status 3")) << output();
}

TEST_F(CommandRun, AReasonForNoNumberCountsWhateverTheExitStatus) {
  nlohmann::json said = {{"schema", "zl-perf-command/1"}, {"failed", "illegal address"}};
  expect_no_number(run_writing(said, {}, "exit 1"), 4, "kernel_failed");
  EXPECT_TRUE(says("illegal address")) << output();
}

TEST_F(CommandRun, ExitStatus77IsASkip) { expect_no_number(shell("exit 77"), 77, "skipped"); }

TEST_F(CommandRun, OneThatCannotBeStartedIsNamed) {
  expect_no_number(run(arguments({}, {"/no/such/program", "{result}"})), 2, "usage");
  EXPECT_TRUE(says("/no/such/program: No such file or directory")) << output();
}

TEST_F(CommandRun, OneThatDoesNotEndIsHungAndItsChildrenEndWithIt) {
  start_hanging({"--zl_timeout_s=2"});
  const std::vector<pid_t> all = pids();
  expect_no_number(process->wait(), 6, "hung");
  EXPECT_TRUE(says("phase command was not over when the case's 2 s ended")) << output();
  for (const pid_t pid : all) wait_until([pid] { return !is_alive(pid); });
  EXPECT_TRUE(lock_is_free());
}

TEST_F(CommandRun, ChildrenThatItLeavesBehindEndWithIt) {
  EXPECT_EQ(run_writing(measured(), {}, "sleep 1000 & echo $! >" + folder + "/pid"), 0) << output();
  const pid_t left = std::stoi(contents(folder + "/pid"));
  wait_until([left] { return !is_alive(left); });
}

TEST_F(CommandRun, AnInterruptEndsItAndIsTheExitCode) {
  for (const int signal : {SIGINT, SIGTERM}) {
    std::filesystem::remove(folder + "/pids");
    start_hanging();
    const std::vector<pid_t> all = pids();
    process->send(signal);
    EXPECT_EQ(process->wait(), 128 + signal);
    for (const pid_t pid : all) wait_until([pid] { return !is_alive(pid); });
    wait_until([this] { return lock_is_free(); });  // a killed process closes its files at its end
  }
}

TEST_F(CommandRun, AKilledSupervisorLeavesNoCommand) {
  start_hanging();
  const pid_t command = pids().front();
  EXPECT_FALSE(lock_is_free());
  process->send(SIGKILL);
  EXPECT_EQ(process->wait(), -SIGKILL);
  wait_until([command] { return !is_alive(command); });
  for (const pid_t pid : pids()) ::kill(pid, SIGKILL);  // those have no parent left to follow
  // Nobody was left to remove it.
  for (const auto& entry : std::filesystem::directory_iterator(temporary())) {
    std::filesystem::remove_all(entry.path());
  }
}

TEST_F(CommandRun, ADeviceInUseIsBusyAndTheCommandIsNotRun) {
  DeviceLock holder(folder + "/locks", "fake-0");
  ASSERT_TRUE(holder.try_acquire());
  expect_no_number(shell("touch " + folder + "/ran", {"--zl_lock_wait_s=0.2"}), 10, "busy");
  EXPECT_TRUE(says("stayed in use by process " + std::to_string(::getpid()))) << output();
  EXPECT_FALSE(std::filesystem::exists(folder + "/ran"));
}

TEST_F(CommandRun, NoDeviceIsASkipOrWhereOneIsRequiredAnError) {
  ::setenv("ZL_FAKE_NO_DEVICE", "1", 1);
  expect_no_number(shell("touch " + folder + "/ran"), 77, "skipped");
  ::setenv("ZL_REQUIRE_DEVICE", "1", 1);
  expect_no_number(shell("touch " + folder + "/ran"), 2, "usage");
  EXPECT_FALSE(std::filesystem::exists(folder + "/ran"));
}

TEST_F(CommandRun, WithoutAPlaceForItsResultItIsNotRun) {
  ::setenv("TMPDIR", (folder + "/none").c_str(), 1);
  EXPECT_EQ(shell("touch " + folder + "/ran"), 2) << output();
  EXPECT_TRUE(says("cannot make a folder for the command's result")) << output();
  EXPECT_FALSE(std::filesystem::exists(folder + "/ran"));
}

struct WrongFlags : CommandProcess {
  void expect_usage(const std::vector<std::string>& argv, const std::string& message) {
    std::vector<std::string> all = {ZL_PERF_COMMAND};
    all.insert(all.end(), argv.begin(), argv.end());
    EXPECT_EQ(run(all), 2) << output();
    EXPECT_TRUE(says(message)) << "expected: " << message << "\n" << output();
  }
};

TEST_F(WrongFlags, AreNamed) {
  const std::string op = "--zl_op=mm";
  const std::string name = "--zl_case=own/f16/4";
  expect_usage({}, "--zl_op=OP is missing");
  expect_usage({"--zl_op=", name}, "--zl_op=: expected the name of the op");
  expect_usage({"--zl_op=a/b", name}, "--zl_op=a/b: expected a name without '/'");
  expect_usage({op}, "--zl_case=IMPL/TYPES/SHAPE is missing");
  expect_usage({op, name}, "no command: it follows '--'");
  expect_usage({op, name, "--"}, "no command: it follows '--'");
  expect_usage({op, name, "--", "true"}, "the command has no {result}");
  expect_usage({op, name, "true", "{result}"}, "unknown argument 'true': allowed are the flags");
  expect_usage({op, name, "--zl_method=graph"}, "unknown argument '--zl_method=graph'");
  expect_usage({op, name, "--benchmark_filter=x"}, "unknown argument '--benchmark_filter=x'");
  expect_usage({op, "--zl_case=own/f16"}, "--zl_case=own/f16: expected IMPL/TYPES/SHAPE");
  expect_usage({op, "--zl_case=other/own/f16/4"}, "expected IMPL/TYPES/SHAPE");
  expect_usage({op, "--zl_case=own/half/4"}, "unknown type 'half', allowed: f16, bf16");
  expect_usage({op, "--zl_case=own/f16/4xk"}, "'k' is not a whole number");
  expect_usage({op, name, "--zl_columns=[1]"}, "--zl_columns=[1]: expected a JSON object of texts");
  expect_usage({op, name, "--zl_columns={\"a\""},
               "expected a JSON object of texts: it cannot be read");
  expect_usage({op, name, "--zl_columns=" + std::string(1000, '[')}, "nested deeper than 64");
  expect_usage({op, name, "--zl_timeout_s=x"}, "--zl_timeout_s=x: expected a number from");
}

TEST_F(WrongFlags, HelpNamesTheRightOnes) {
  EXPECT_EQ(run({ZL_PERF_COMMAND, "--help"}), 0);
  for (const std::string flag : {"--zl_op=OP", "--zl_case=IMPL/TYPES/SHAPE", "--zl_baseline=PATH",
                                 "--zl_timeout_s=F", "{impl}, {case} and {result}"}) {
    EXPECT_NE(process->out().find(flag), std::string::npos) << flag;
  }
  EXPECT_FALSE(says("--zl_method")) << output();
}

}  // namespace
}  // namespace zl
