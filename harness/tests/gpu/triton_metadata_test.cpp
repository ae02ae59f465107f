#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "zl/error.hpp"
#include "zl/module.hpp"

namespace zl {
namespace {

class TritonMetadataFile : public testing::Test {
 protected:
  TritonMetadata read(const std::string& text) {
    std::ofstream(file_) << text;
    return TritonMetadata::read(file_);
  }
  /// What the usage error says; empty where there is none.
  std::string error(const std::string& text) {
    try {
      read(text);
    } catch (const Error& e) {
      EXPECT_EQ(e.errc, Errc::usage);
      return e.what();
    }
    return "";
  }
  void TearDown() override { std::filesystem::remove(file_); }

  std::filesystem::path file_ = std::filesystem::path(testing::TempDir()) / "zl-add.json";
};

TEST_F(TritonMetadataFile, TellsTheLaunchOfAKernel) {
  const TritonMetadata m = read(
      R"({"name": "add_kernel", "num_warps": 8, "num_ctas": 1, "shared": 49152, "warp_size": 32,
          "global_scratch_size": 0, "profile_scratch_size": 0})");
  EXPECT_EQ(m.name, "add_kernel");
  EXPECT_EQ(m.threads, 256u);
  EXPECT_EQ(m.shared_bytes, 49152u);
  EXPECT_EQ(m.scratch_parameters, 2);
}

TEST_F(TritonMetadataFile, OfOlderVersionsHasNoScratchParameters) {
  const TritonMetadata m = read(R"({"name": "k", "num_warps": 4, "shared": 0})");
  EXPECT_EQ(m.threads, 128u);
  EXPECT_EQ(m.scratch_parameters, 0);
  EXPECT_EQ(read(R"({"name": "k", "num_warps": 4, "shared": 0, "global_scratch_size": 0})")
                .scratch_parameters,
            1);
}

TEST_F(TritonMetadataFile, NamesWhatIsWrong) {
  EXPECT_NE(error("").find("is not a JSON object"), std::string::npos);
  EXPECT_NE(error("[1]").find("is not a JSON object"), std::string::npos);
  EXPECT_NE(error("{}").find("no text 'name'"), std::string::npos);
  EXPECT_NE(error(R"({"name": "k", "shared": 0})").find("no number 'num_warps'"),
            std::string::npos);
  EXPECT_NE(error(R"({"name": "k", "num_warps": -4, "shared": 0})").find("no number 'num_warps'"),
            std::string::npos);
  const std::string kernel = R"({"name": "k", "num_warps": 4, "shared": 0, )";
  EXPECT_NE(error(kernel + R"("num_ctas": 2})").find("num_ctas > 1"), std::string::npos);
  EXPECT_NE(error(kernel + R"("global_scratch_size": 64})").find("global_scratch_size > 0"),
            std::string::npos);
}

TEST_F(TritonMetadataFile, ThatIsMissingIsNamed) {
  try {
    TritonMetadata::read("/nowhere/add.json");
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_EQ(std::string(e.what()), "/nowhere/add.json: cannot be read");
  }
}

}  // namespace
}  // namespace zl
