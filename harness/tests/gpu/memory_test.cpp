#include "open_device.hpp"

namespace zl {
namespace {

TEST_F(OnDevice, BytesComeBackAsTheyWereCopied) {
  constexpr std::size_t bytes = 1000003;
  std::vector<unsigned char> sent(bytes);
  for (std::size_t i = 0; i < bytes; ++i) sent[i] = static_cast<unsigned char>(i * 31);
  const OwnedMemory first(*device, bytes);
  const OwnedMemory second(*device, bytes);
  device->copy_to_device(first.get(), sent.data(), bytes);
  device->copy(second.get(), first.get(), bytes, stream);
  EXPECT_EQ(host_bytes(second.get(), bytes), sent);
  device->set_bytes(second.get(), 0x7B, bytes, stream);
  EXPECT_EQ(host_bytes(second.get(), bytes), std::vector<unsigned char>(bytes, 0x7B));
}

TEST_F(OnDevice, MemoryKnowsWhatIsFree) {
  const MemoryInfo before = device->memory();
  EXPECT_LE(before.free_bytes, before.total_bytes);
  const OwnedMemory block(*device, std::size_t{256} << 20);
  EXPECT_LE(device->memory().free_bytes + (std::size_t{200} << 20), before.free_bytes);
}

TEST_F(OnDevice, OutOfMemorySaysWhatWasAskedAndFreeAndLeavesNothingBehind) {
  const std::size_t bytes = std::size_t{1} << 50;
  const Error error = error_of([&] { device->allocate(bytes); });
  EXPECT_EQ(error.errc, Errc::out_of_memory);
  EXPECT_EQ(error.code, 2);
  EXPECT_EQ(error.name, "cudaErrorMemoryAllocation");
  EXPECT_EQ(error.call, "cudaMalloc");
  EXPECT_NE(error.text.find(std::to_string(bytes) + " bytes asked"), std::string::npos);
  EXPECT_NE(error.text.find(" free"), std::string::npos);
  std::map<std::string, std::string> notes;
  device->submit([](const Launch&) {}, Launch(stream, nullptr, &notes));  // no last error is left
  EXPECT_TRUE(device->probe());
}

TEST_F(OnDevice, ReleasingNothingIsAllowed) {
  device->release(nullptr);
  EXPECT_TRUE(device->probe());
}

TEST_F(OnDevice, ProbePassesOnAHealthyDevice) { EXPECT_TRUE(device->probe()); }

}  // namespace
}  // namespace zl
