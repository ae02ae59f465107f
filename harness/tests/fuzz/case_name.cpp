// --zl_case: the first character says whether the executable has a generated list of cases.
#include <string>

#include "cli/case_selection.hpp"
#include "tests/fuzz/contract.hpp"

namespace {

const std::vector<zl::Op> ops = {
    {"mm", {"m", "n", "k"}, {{"f16", nullptr}, {"e4m3:e4m3:bf16", nullptr}}},
    {"sum", {"n"}, {{"f32", nullptr}}}};

zl::Declared list() {
  zl::Declared declared;
  declared.op = "mm";
  declared.impls = {"own", "cublaslt"};
  declared.shapes = {{"16x4x7", {{"model", "small"}}}, {"64x4x7", {}}};
  return declared;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const zl::Declared declared = data[0] == '+' ? list() : zl::Declared{};
  const std::string name(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto found = zl::fuzz::parsed([&] { return zl::find_case(name, ops, declared, "cuda"); });
  if (!found) return 0;
  // The names that it is shown by lead back to it.
  const zl::Selected again = zl::find_case(found->id.run_name(), ops, declared, "cuda");
  zl::fuzz::promised(again.op == found->op && again.id.test_name() == found->id.test_name());
  for (const std::int64_t extent : zl::parse_shape(found->id.shape, found->op->axes)) {
    zl::fuzz::promised(extent >= 0);
  }
  return 0;
}
