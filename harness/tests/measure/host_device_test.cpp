#include "device/host/host_device.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "measure/guards.hpp"
#include "zl/error.hpp"

namespace zl::host {
namespace {

class HostDeviceTest : public ::testing::Test {
 protected:
  Launch launch() { return Launch(stream.get(), nullptr, nullptr); }
  HostDevice device{{0, "host", "CPU"}};
  OwnedStream stream{device};
};

TEST_F(HostDeviceTest, AStreamRunsItsCallsInOrderOnItsOwnThread) {
  std::vector<int> order;
  const auto caller = std::this_thread::get_id();
  std::atomic<bool> elsewhere{true};
  std::vector<CallFunction> calls;
  for (int i = 0; i < 100; ++i) {
    calls.push_back([&, i](const Launch&) {
      if (std::this_thread::get_id() == caller) elsewhere = false;
      order.push_back(i);
    });
  }
  for (const CallFunction& call : calls) device.submit(call, launch());
  device.synchronize(stream.get());
  ASSERT_EQ(order.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
  EXPECT_TRUE(elsewhere);
}

TEST_F(HostDeviceTest, ACaptureRecordsAndAReplayRuns) {
  int runs = 0;
  const CallFunction call = [&](const Launch&) { ++runs; };
  device.begin_capture(stream.get());
  EXPECT_TRUE(device.is_capturing(stream.get()));
  for (int i = 0; i < 7; ++i) device.submit(call, launch());
  const OwnedGraph graph(device, device.end_capture(stream.get()));
  EXPECT_FALSE(device.is_capturing(stream.get()));
  EXPECT_EQ(runs, 0);
  EXPECT_EQ(device.inspect(graph.get()).nodes, 7);
  const OwnedExec exec(device, graph.get());
  device.launch(exec.get(), stream.get());
  device.launch(exec.get(), stream.get());
  device.synchronize(stream.get());
  EXPECT_EQ(runs, 14);
}

TEST_F(HostDeviceTest, AGraphIsPrintedWithItsWorkInOrder) {
  device.begin_capture(stream.get());
  char byte = 0;
  for (int i = 0; i < 3; ++i) device.set_bytes(&byte, i, 1, stream.get());
  const OwnedGraph graph(device, device.end_capture(stream.get()));
  EXPECT_EQ(device.dot(graph.get()),
            "digraph graph_of_calls {\n"
            "  n0 [label=\"work 0\"];\n"
            "  n1 [label=\"work 1\"];\n"
            "  n0 -> n1;\n"
            "  n2 [label=\"work 2\"];\n"
            "  n1 -> n2;\n"
            "}\n");
}

TEST_F(HostDeviceTest, HasNoProfilerToStart) {
  EXPECT_FALSE(device.start_profiler("range"));
  device.stop_profiler();
}

TEST_F(HostDeviceTest, EventsStandBeforeAndAfterTheWorkBetweenThem) {
  const OwnedEvent start(device);
  const OwnedEvent end(device);
  const CallFunction call = [](const Launch&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  };
  device.record(start.get(), stream.get());
  device.submit(call, launch());
  device.record(end.get(), stream.get());
  device.synchronize(end.get());
  EXPECT_GE(device.elapsed_ms(start.get(), end.get()), 5);
}

TEST_F(HostDeviceTest, SynchronizingOrAllocatingInACaptureBreaksIt) {
  for (const bool allocate : {true, false}) {
    device.begin_capture(stream.get());
    try {
      allocate ? device.release(device.allocate(16)) : device.synchronize(stream.get());
      FAIL();
    } catch (const Error& e) {
      EXPECT_EQ(e.errc, Errc::capture_rule);
      EXPECT_EQ(e.code, 900);
    }
    try {
      device.end_capture(stream.get());
      FAIL();
    } catch (const Error& e) {
      EXPECT_EQ(e.code, 901);
    }
    EXPECT_TRUE(device.probe());
  }
}

TEST_F(HostDeviceTest, AnExceptionInACallIsADeviceErrorAtTheNextSynchronizeOnce) {
  const CallFunction call = [](const Launch&) { throw std::runtime_error("broken kernel"); };
  device.submit(call, launch());
  try {
    device.synchronize(stream.get());
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.errc, Errc::device);
    EXPECT_NE(std::string(e.what()).find("broken kernel"), std::string::npos);
  }
  EXPECT_NO_THROW(device.synchronize(stream.get()));
  EXPECT_TRUE(device.probe());
}

TEST_F(HostDeviceTest, MoreMemoryThanThereIsIsOutOfMemoryWithBothNumbers) {
  try {
    device.allocate(std::size_t{1} << 50);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.errc, Errc::out_of_memory);
    EXPECT_NE(e.text.find("1125899906842624"), std::string::npos) << e.text;
    EXPECT_NE(e.text.find("free"), std::string::npos);
  }
}

TEST_F(HostDeviceTest, OneStreamWaitsForAnother) {
  const OwnedStream other(device);
  std::atomic<int> written{0};
  int seen = -1;
  const CallFunction slow = [&](const Launch&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    written = 1;
  };
  const CallFunction read = [&](const Launch&) { seen = written; };
  device.submit(slow, Launch(other.get(), nullptr, nullptr));
  device.wait(stream.get(), other.get());
  device.submit(read, launch());
  device.synchronize();
  EXPECT_EQ(seen, 1);
}

TEST_F(HostDeviceTest, ComparisonsCountAndFindTheFirst) {
  OwnedMemory a(device, 101 * sizeof(float));
  OwnedMemory b(device, 101 * sizeof(float));
  device.generate(a.get(), DType::f32, 101, uniform(1, 2), 5, stream.get());
  device.generate(b.get(), DType::f32, 101, uniform(1, 2), 5, stream.get());
  EXPECT_EQ(device.compare(a.get(), b.get(), DType::f32, 101, {}, stream.get()).differing, 0);
  reinterpret_cast<float*>(b.get())[100] += 1;
  const Comparison last = device.compare(a.get(), b.get(), DType::f32, 101, {}, stream.get());
  EXPECT_EQ(last.differing, 1);
  EXPECT_EQ(last.first, 100);
  device.poison(b.get(), DType::f32, 101, stream.get());
  EXPECT_EQ(device.find_poison(b.get(), DType::f32, 101, stream.get()).differing, 101);
  EXPECT_EQ(device.find_nonfinite(b.get(), DType::f32, 101, stream.get()).first, 0);
  EXPECT_EQ(device.find_poison(a.get(), DType::f32, 101, stream.get()).differing, 0);
}

TEST_F(HostDeviceTest, KnowsItsCacheAndMemory) {
  EXPECT_GT(device.info().l2_bytes, 100000u);
  EXPECT_GT(device.memory().free_bytes, 0u);
  EXPECT_GE(device.memory().total_bytes, device.memory().free_bytes);
}

}  // namespace
}  // namespace zl::host
