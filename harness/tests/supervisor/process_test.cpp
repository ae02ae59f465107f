// What only shows from outside: whole processes, started, stopped and killed.

#include "process.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "flood_text.hpp"
#include "supervised_case.hpp"
#include "supervisor/device_lock.hpp"

namespace zl {
namespace {

struct ProcessTest : testing::Test {
  std::vector<std::string> command(const std::vector<std::string>& flags) {
    std::vector<std::string> argv = {ZL_SCRIPTED};
    argv.insert(argv.end(), flags.begin(), flags.end());
    return argv;
  }
  std::string output(const std::string& name = "output") { return folder.path() + "/" + name; }
  /// The worker of a script that signs in.
  pid_t worker() {
    wait_until([this] { return !contents(folder.file()).empty(); });
    return std::stoi(contents(folder.file()));
  }
  bool lock_is_free() { return DeviceLock(folder.locks(), "uuid/0").try_acquire(); }

  TestFolder folder;
};

TEST_F(ProcessTest, TwoSuitesAtOnceNeverMeasureAtOnce) {
  const std::string filter = "--benchmark_filter=scripted/alone/";
  Process first(command({filter}), output("first"));
  Process second(command({filter}), output("second"));
  EXPECT_EQ(first.wait(), 0) << first.err() << first.out();
  EXPECT_EQ(second.wait(), 0) << second.err() << second.out();
}

// The scripted device has no driver; its op takes 12.5 us, method direct, cache warm.
TEST_F(ProcessTest, ARegressionIsMeasuredInThreeProcessesAndEndsWithSeven) {
  const auto baseline = [this](double us) {
    std::string runs;
    for (int i = 0; i < 10; ++i) {
      runs += (i == 0 ? "" : ",") + std::string("{\"median_us\":") + std::to_string(us) +
              R"(,"method":"direct","cache":"warm","cold_by":"","statistic":"median",)" +
              R"("schedule":"adaptive"})";
    }
    std::ofstream(folder.path() + "/baseline.json")
        << R"({"schema":1,"device":"scripted device 0","driver":"driver 1","runtime":"runtime 2","expires":"9999-12-31",)"
        << R"("harness_version":")" ZL_TEST_VERSION R"(","cases":{)"
        << R"("perf.scripted.scripted.ok.f32.1/adaptive/":{"runs":[)" << runs << "]}}}";
    return "--zl_baseline=" + folder.path() + "/baseline.json";
  };
  Process slower(command({"--zl_case=ok/f32/1", baseline(11)}), output("slower"));
  EXPECT_EQ(slower.wait(), 7) << slower.err() << slower.out();
  EXPECT_NE(slower.out().find("12.5 us, 12.5 us, 12.5 us in three processes"), std::string::npos)
      << slower.out();
  Process as_fast(command({"--zl_case=ok/f32/1", baseline(12)}), output("as_fast"));
  EXPECT_EQ(as_fast.wait(), 0) << as_fast.err() << as_fast.out();
  EXPECT_NE(as_fast.out().find("gate passed"), std::string::npos) << as_fast.out();
}

TEST_F(ProcessTest, AWaitForTheLockIsToldOnceWithItsHolder) {
  DeviceLock holder(folder.locks(), "uuid/0");
  ASSERT_TRUE(holder.try_acquire());
  Process process(command({"--zl_case=ok/f32/1", "--zl_lock_wait_s=0.3"}), output());
  EXPECT_EQ(process.wait(), 10);
  const std::string line = "zl: waiting for scripted device 0 (uuid/0), in use by process " +
                           std::to_string(::getpid()) + "\n";
  const std::string told = process.err();
  EXPECT_NE(told.find(line), std::string::npos) << told;
  EXPECT_EQ(told.find(line), told.rfind(line)) << told;
}

TEST_F(ProcessTest, AKilledSupervisorLeavesNoWorkerAndNoLock) {
  Process supervisor(command({"--zl_case=hang_warmup/f32/1"}), output());
  const pid_t left = worker();
  EXPECT_FALSE(lock_is_free());
  supervisor.send(SIGKILL);
  EXPECT_EQ(supervisor.wait(), -SIGKILL);
  wait_until([left] { return !is_alive(left); });
  wait_until([this] { return lock_is_free(); });
}

TEST_F(ProcessTest, AKilledWorkerWithALivingSupervisorIsACrash) {
  Process supervisor(command({"--zl_case=hang_warmup/f32/1"}), output());
  ::kill(worker(), SIGKILL);
  EXPECT_EQ(supervisor.wait(), 8);
  const std::string out = supervisor.out();
  EXPECT_NE(out.find("killed by SIGKILL (not by us"), std::string::npos) << out;
  EXPECT_NE(out.find("in phase warmup"), std::string::npos) << out;
}

TEST_F(ProcessTest, AnInterruptKillsAndReapsTheWorkerAndIsTheExitCode) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    std::filesystem::remove(folder.file());
    Process supervisor(command({"--zl_case=hang_warmup/f32/1"}), output());
    const pid_t left = worker();
    supervisor.send(signal);
    EXPECT_EQ(supervisor.wait(), 128 + signal);
    EXPECT_FALSE(std::filesystem::exists("/proc/" + std::to_string(left)));
    EXPECT_TRUE(lock_is_free());
  }
}

TEST_F(ProcessTest, AnInterruptKeepsTheCasesThatWereMeasured) {
  // Cases come in the order of their names.
  Process supervisor(command({"--benchmark_filter=^scripted/(abort|hang_warmup)/f32/1$"}),
                     output());
  worker();
  supervisor.send(SIGINT);
  EXPECT_EQ(supervisor.wait(), 128 + SIGINT);
  EXPECT_NE(supervisor.out().find("scripted/abort"), std::string::npos) << supervisor.out();
}

TEST_F(ProcessTest, OutputIsRelayedByteForByte) {
  Process process(command({"--zl_case=bytes/f32/1"}), output());
  EXPECT_EQ(process.wait(), 0) << process.err();
  EXPECT_EQ(process.out().find(odd_bytes()), 0u);
}

TEST_F(ProcessTest, TenMegabytesOfOutputAreRelayed) {
  Process process(command({"--zl_case=flood/f32/1"}), output());
  EXPECT_EQ(process.wait(), 0) << process.err();
  EXPECT_EQ(process.out().find(flood_text()), 0u);
}

TEST_F(ProcessTest, MarkersGoToStdoutAndNoticesToStderr) {
  Process process(command({"--zl_case=marker/f32/1"}), output());
  EXPECT_EQ(process.wait(), 0);
  EXPECT_EQ(process.out().find("BENCHMARK_DIRECT_NO_CUDAGRAPH op=scripted phase=capture "
                               "reason=SomeReason detail='call: text'\n"),
            0u)
      << process.out();
  EXPECT_NE(process.err().find("a notice\n"), std::string::npos) << process.err();
}

TEST_F(ProcessTest, ADocumentOnStdoutIsNotMixedWithTheWorkersOutput) {
  Process process(command({"--zl_case=marker/f32/1", "--benchmark_format=json"}), output());
  EXPECT_EQ(process.wait(), 0);
  EXPECT_EQ(process.out().rfind('{', 0), 0u) << process.out();
  EXPECT_NE(process.err().find("BENCHMARK_DIRECT_NO_CUDAGRAPH"), std::string::npos);
}

TEST_F(ProcessTest, InProcessMeasuresUnderTheSameLockWithoutAWorker) {
  Process process(command({"--zl_case=ok/f32/1", "--zl_in_process"}), output());
  EXPECT_EQ(process.wait(), 0) << process.err() << process.out();
  DeviceLock holder(folder.locks(), "uuid/0");
  ASSERT_TRUE(holder.try_acquire());
  Process busy(command({"--zl_case=ok/f32/1", "--zl_in_process", "--zl_lock_wait_s=0.1"}),
               output());
  EXPECT_EQ(busy.wait(), 10) << busy.err();
}

TEST_F(ProcessTest, InProcessADebuggerSeesTheCrash) {
  Process process(command({"--zl_case=segv/f32/1", "--zl_in_process"}), output());
  EXPECT_EQ(process.wait(), -SIGSEGV);
}

TEST_F(ProcessTest, OfSeveralCasesTheFirstThatFailedIsTheExitCode) {
  const auto status = [this](const std::string& names) {
    return Process(command({"--benchmark_filter=^scripted/(" + names + ")/f32/1$"}), output())
        .wait();
  };
  EXPECT_EQ(status("ok|skipped"), 0);
  EXPECT_EQ(status("kernel_failed|ok|wrong_result"), 4);
  EXPECT_EQ(status("skipped|wrong_result"), 3);
  EXPECT_EQ(Process(command({"--benchmark_filter=scripted/skipped/"}), output()).wait(), 77);
}

TEST_F(ProcessTest, SeveralCasesShowTheirProgressWhereAskedTo) {
  ::setenv("ZL_VERBOSE", "1", 1);
  Process process(command({"--benchmark_filter=scripted/ok/"}), output());
  ::unsetenv("ZL_VERBOSE");
  EXPECT_EQ(process.wait(), 0);
  EXPECT_NE(process.err().find("[2/3] scripted/ok/f32/2\n"), std::string::npos) << process.err();
}

TEST_F(ProcessTest, WithoutACaseTheCasesAreListedWithHowToRunOne) {
  Process process(command({}), output());
  EXPECT_EQ(process.wait(), 0);
  EXPECT_NE(process.out().find("scripted/ok/f32/2\n"), std::string::npos);
  EXPECT_NE(process.out().find(" --zl_case=scripted/abort/f32/1\n"), std::string::npos)
      << process.out();
}

TEST_F(ProcessTest, AFileOfOneCaseIsRefusedForSeveralBeforeAnyDeviceWork) {
  for (const std::string flag : {"--zl_samples=", "--zl_dump_graph="}) {
    Process several(command({"--benchmark_filter=/ok/", flag + output("file")}), output());
    EXPECT_EQ(several.wait(), 2);
    EXPECT_NE(several.err().find("3 are selected"), std::string::npos) << several.err();
  }
  EXPECT_FALSE(std::filesystem::exists(folder.locks()));
  Process one(command({"--zl_case=ok/f32/2", "--zl_samples=" + output("file")}), output());
  EXPECT_EQ(one.wait(), 0) << one.err();
  EXPECT_NE(contents(output("file")).find("scripted/ok/f32/2,burst,2,12.5,1\n"), std::string::npos);
}

TEST_F(ProcessTest, ListTestsPrintsNothingButNames) {
  Process process(command({"--benchmark_list_tests", "--benchmark_filter=/ok/"}), output());
  EXPECT_EQ(process.wait(), 0);
  EXPECT_EQ(process.out(), "scripted/ok/f32/1\nscripted/ok/f32/2\nscripted/ok/f32/3\n");
}

TEST_F(ProcessTest, AUsageErrorNamesWhatIsWrongBeforeAnyDeviceWork) {
  for (const std::string flag :
       {"--zl_metod=graph", "--zl_quantiles=2", "--zl_case=ok/f32/1x1", "--zl_case=none/f32/1",
        "--benchmark_filter=nothing_matches", "--benchmark_nonsense"}) {
    Process process(command({flag}), output());
    EXPECT_EQ(process.wait(), 2) << flag;
    EXPECT_NE(process.err().find(flag.substr(flag.find('=') + 1)), std::string::npos)
        << process.err();
  }
  EXPECT_FALSE(std::filesystem::exists(folder.locks()));
}

}  // namespace
}  // namespace zl
