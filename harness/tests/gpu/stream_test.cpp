#include "launches.hpp"
#include "open_device.hpp"

namespace zl {
namespace {

constexpr std::size_t large = std::size_t{256} << 20;

TEST_F(OnDevice, ElapsedTimeOfWorkIsPositive) {
  const OwnedMemory memory(*device, large);
  const OwnedEvent start(*device);
  const OwnedEvent end(*device);
  device->record(start.get(), stream);
  for (int i = 0; i < 10; ++i) device->set_bytes(memory.get(), i, large, stream);
  device->record(end.get(), stream);
  device->synchronize(end.get());
  EXPECT_GT(device->elapsed_ms(start.get(), end.get()), 0);
}

TEST_F(OnDevice, AStreamWaitsForAnother) {
  const OwnedStream other(*device);
  const OwnedMemory from(*device, large);
  const OwnedMemory to(*device, large);
  device->synchronize();
  for (int i = 0; i < 20; ++i) device->set_bytes(from.get(), 0x11, large, stream);
  device->set_bytes(from.get(), 0x22, large, stream);
  device->wait(other.get(), stream);
  device->copy(to.get(), from.get(), large, other.get());
  device->synchronize(other.get());
  EXPECT_EQ(host_bytes(to.get(), 1)[0], 0x22);
  EXPECT_EQ(host_bytes(to.get() + large - 1, 1)[0], 0x22);
}

TEST_F(OnDevice, OurStreamsDoNotWaitForTheDefaultStream) {
  const OwnedMemory memory(*device, large);
  const OwnedEvent start(*device);
  const OwnedEvent slow(*device);
  const OwnedEvent quick(*device);
  device->synchronize();
  device->record(start.get(), device->default_stream());
  for (int i = 0; i < 200; ++i) device->set_bytes(memory.get(), i, large, device->default_stream());
  device->record(slow.get(), device->default_stream());
  device->record(quick.get(), stream);
  device->synchronize();
  EXPECT_LT(device->elapsed_ms(start.get(), quick.get()),
            device->elapsed_ms(start.get(), slow.get()));
}

TEST_F(OnDevice, SubmitRunsTheCallNowOnItsStream) {
  const OwnedMemory memory(*device, 4000);
  device->set_bytes(memory.get(), 0, 4000, stream);
  std::map<std::string, std::string> notes;
  void* pointers[] = {memory.get()};
  device->submit(
      [](const Launch& l) {
        launch_increment(l.stream(), l.ptr(Operand<std::int32_t>(nullptr, 0)), 1000);
      },
      Launch(stream, pointers, &notes));
  std::vector<std::int32_t> got(1000);
  device->copy_to_host(got.data(), memory.get(), 4000);
  EXPECT_EQ(got, std::vector<std::int32_t>(1000, 1));
}

TEST_F(OnDevice, SubmitReportsALaunchWhoseErrorTheCallIgnored) {
  std::map<std::string, std::string> notes;
  const Launch launch(stream, nullptr, &notes);
  const Error error = error_of([&] {
    device->submit([](const Launch& l) { launch_with_bad_configuration(l.stream()); }, launch);
  });
  EXPECT_EQ(error.errc, Errc::device);
  EXPECT_TRUE(error.code == 1 || error.code == 9) << error.what();
  device->submit([](const Launch&) {}, launch);  // reported once
  EXPECT_TRUE(device->probe());
}

}  // namespace
}  // namespace zl
