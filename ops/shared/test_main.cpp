#include <gtest/gtest.h>

// A main() of our own: the harness's archive has one too.
int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
