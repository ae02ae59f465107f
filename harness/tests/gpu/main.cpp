#include <gtest/gtest.h>

// The harness's archive has a main() of its own, so GoogleTest's cannot be taken from a library.
int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
