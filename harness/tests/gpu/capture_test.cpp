#include <cuda_runtime_api.h>

#include "launches.hpp"
#include "open_device.hpp"

namespace zl {
namespace {

/// A thousand integers, all zero at the start.
class Capturing : public OnDevice {
 protected:
  static constexpr std::int64_t count = 1000;
  OwnedMemory memory{*device, count * sizeof(std::int32_t)};
  std::int32_t* data = reinterpret_cast<std::int32_t*>(memory.get());
  OwnedStream owned_other{*device};
  Stream other = owned_other.get();

  Capturing() {
    device->set_bytes(data, 0, count * sizeof(std::int32_t), stream);
    launch_increment(stream, data, count);  // loads the kernel's module
    device->set_bytes(data, 0, count * sizeof(std::int32_t), stream);
    device->synchronize();
  }

  std::int32_t value() {
    std::vector<std::int32_t> got(count);
    device->copy_to_host(got.data(), data, count * sizeof(std::int32_t));
    EXPECT_EQ(got, std::vector<std::int32_t>(count, got[0]));
    return got[0];
  }

  /// The capture of what breaks a rule ends in `code`, and the device is none the worse.
  void expect_refused_at_end(int code) {
    const Error error = error_of([&] { device->end_capture(stream); });
    EXPECT_EQ(error.errc, Errc::capture_rule);
    EXPECT_EQ(error.code, code) << error.what();
    EXPECT_EQ(error.call, "cudaStreamEndCapture");
    device->clear_last_error();
    EXPECT_FALSE(device->is_capturing(stream));
    EXPECT_FALSE(device->is_capturing(other));
    device->synchronize();
    EXPECT_TRUE(device->probe());
    EXPECT_EQ(value(), 0);
  }
};

TEST_F(Capturing, RecordsInsteadOfRunningAndReplays) {
  device->begin_capture(stream);
  EXPECT_TRUE(device->is_capturing(stream));
  for (int i = 0; i < 3; ++i) launch_increment(stream, data, count);
  const Graph graph = device->end_capture(stream);
  EXPECT_FALSE(device->is_capturing(stream));
  EXPECT_EQ(device->inspect(graph).nodes, 3);
  EXPECT_EQ(value(), 0);

  const GraphExec exec = device->instantiate(graph);
  device->upload(exec, stream);
  device->launch(exec, stream);
  device->launch(exec, stream);
  device->synchronize(stream);
  EXPECT_EQ(value(), 6);
  device->destroy(exec);
  device->destroy(graph);
}

TEST_F(Capturing, CountsCopiesAndMemsetsAndTheHarnesssOwnKernels) {
  const OwnedMemory to(*device, count * sizeof(std::int32_t));
  device->begin_capture(stream);
  device->set_bytes(data, 0, count * sizeof(std::int32_t), stream);
  device->copy(to.get(), data, count * sizeof(std::int32_t), stream);
  device->poison(data, DType::i32, count, stream);
  device->generate(data, DType::i32, count, constant(1), 0, stream);
  const Graph graph = device->end_capture(stream);
  EXPECT_EQ(device->inspect(graph).nodes, 4);
  device->destroy(graph);
}

TEST_F(Capturing, AGraphIsPrintedWithTheNamesOfItsKernels) {
  device->begin_capture(stream);
  launch_increment(stream, data, count);
  const OwnedGraph graph(*device, device->end_capture(stream));
  const std::string dot = device->dot(graph.get());
  EXPECT_EQ(dot.rfind("digraph", 0), 0u) << dot;
  EXPECT_NE(dot.find("increment"), std::string::npos) << dot;
}

TEST_F(Capturing, CountsNothingInAnEmptyGraph) {
  device->begin_capture(stream);
  const Graph graph = device->end_capture(stream);
  ASSERT_TRUE(graph);
  EXPECT_EQ(device->inspect(graph).nodes, 0);
  device->destroy(graph);
}

TEST_F(Capturing, CountsTheWorkOfChildGraphsAndNoEmptyNodes) {
  device->begin_capture(stream);
  for (int i = 0; i < 2; ++i) launch_increment(stream, data, count);
  const Graph child = device->end_capture(stream);
  cudaGraph_t parent = nullptr;
  cudaGraphNode_t node = nullptr;
  ASSERT_EQ(cudaGraphCreate(&parent, 0), cudaSuccess);
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(cudaGraphAddChildGraphNode(&node, parent, nullptr, 0,
                                         static_cast<cudaGraph_t>(child.handle)),
              cudaSuccess);
  }
  ASSERT_EQ(cudaGraphAddEmptyNode(&node, parent, nullptr, 0), cudaSuccess);
  EXPECT_EQ(device->inspect(Graph{parent}).nodes, 4);
  device->destroy(Graph{parent});
  device->destroy(child);
}

TEST_F(Capturing, AllocationIsRefused) {
  device->begin_capture(stream);
  launch_increment(stream, data, count);
  const Error error = error_of([&] { device->allocate(1024); });
  EXPECT_EQ(error.errc, Errc::capture_rule);
  EXPECT_EQ(error.code, 900);
  EXPECT_EQ(error.name, "cudaErrorStreamCaptureUnsupported");
  expect_refused_at_end(901);
}

TEST_F(Capturing, AllocationWhoseErrorACallIgnoredIsReportedAsSuch) {
  std::map<std::string, std::string> notes;
  const auto allocate = [](const Launch&) {
    void* pointer = nullptr;
    if (cudaMalloc(&pointer, 1024) == cudaSuccess) cudaFree(pointer);
  };
  device->begin_capture(stream);
  const Error error = error_of([&] { device->submit(allocate, Launch(stream, nullptr, &notes)); });
  EXPECT_EQ(error.code, 900) << error.what();
  expect_refused_at_end(901);
}

TEST_F(Capturing, SynchronizingTheStreamIsRefused) {
  device->begin_capture(stream);
  launch_increment(stream, data, count);
  const Error error = error_of([&] { device->synchronize(stream); });
  EXPECT_EQ(error.errc, Errc::capture_rule);
  EXPECT_EQ(error.code, 900);
  expect_refused_at_end(901);
}

TEST_F(Capturing, SynchronizingTheDeviceIsRefused) {
  device->begin_capture(stream);
  launch_increment(stream, data, count);
  const Error error = error_of([&] { device->synchronize(); });
  EXPECT_EQ(error.errc, Errc::capture_rule);
  EXPECT_EQ(error.code, 900);
  expect_refused_at_end(901);
}

TEST_F(Capturing, QueryOfACapturedEventIsRefused) {
  const OwnedEvent event(*device);
  device->begin_capture(stream);
  launch_increment(stream, data, count);
  device->record(event.get(), stream);
  EXPECT_EQ(cudaEventQuery(static_cast<cudaEvent_t>(event.get().handle)), 907);
  expect_refused_at_end(901);
}

TEST_F(Capturing, AForkThatIsNotJoinedIsRefusedAtTheEnd) {
  device->begin_capture(stream);
  device->wait(other, stream);
  launch_increment(other, data, count);
  expect_refused_at_end(904);
}

TEST_F(Capturing, AForkThatIsJoinedIsCaptured) {
  device->begin_capture(stream);
  device->wait(other, stream);
  launch_increment(other, data, count);
  device->wait(stream, other);
  const Graph graph = device->end_capture(stream);
  EXPECT_EQ(device->inspect(graph).nodes, 1);
  device->destroy(graph);
}

TEST_F(Capturing, ABadLaunchIsReportedAndInvalidatesTheCapture) {
  std::map<std::string, std::string> notes;
  device->begin_capture(stream);
  const Error error = error_of([&] {
    device->submit([](const Launch& l) { launch_with_bad_configuration(l.stream()); },
                   Launch(stream, nullptr, &notes));
  });
  EXPECT_EQ(error.errc, Errc::device);
  EXPECT_TRUE(error.code == 1 || error.code == 9) << error.what();
  expect_refused_at_end(901);
}

TEST_F(Capturing, WorkOnTheDefaultStreamIsMissingFromTheGraph) {
  device->begin_capture(stream);
  launch_increment(device->default_stream(), data, count);
  const Graph graph = device->end_capture(stream);
  EXPECT_EQ(device->inspect(graph).nodes, 0);
  device->synchronize();
  EXPECT_EQ(value(), 1);
  device->destroy(graph);
}

TEST_F(Capturing, WorkOnAnotherStreamIsMissingFromTheGraph) {
  device->begin_capture(stream);
  launch_increment(other, data, count);
  const Graph graph = device->end_capture(stream);
  EXPECT_EQ(device->inspect(graph).nodes, 0);
  device->synchronize();
  EXPECT_EQ(value(), 1);
  device->destroy(graph);
}

TEST_F(Capturing, ASynchronousCopyIsMissingFromTheGraph) {
  const std::vector<std::int32_t> sevens(count, 7);
  device->begin_capture(stream);
  EXPECT_EQ(cudaMemcpy(data, sevens.data(), count * sizeof(std::int32_t), cudaMemcpyHostToDevice),
            cudaSuccess);
  const Graph graph = device->end_capture(stream);
  EXPECT_EQ(device->inspect(graph).nodes, 0);
  device->synchronize();
  EXPECT_EQ(value(), 7);
  device->destroy(graph);
}

TEST_F(Capturing, AllocationOnTheStreamIsCapturedAndIsNoWork) {
  const cudaStream_t native = stream;
  void* pointer = nullptr;
  device->begin_capture(stream);
  EXPECT_EQ(cudaMallocAsync(&pointer, 1024, native), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(pointer, native), cudaSuccess);
  const Graph graph = device->end_capture(stream);
  ASSERT_TRUE(graph);
  EXPECT_EQ(device->inspect(graph).nodes, 0);
  device->destroy(graph);
}

}  // namespace
}  // namespace zl
