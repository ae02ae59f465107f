#include "device/chain_dot.hpp"

namespace zl {

std::string chain_dot(const std::vector<std::string>& labels) {
  std::string text = "digraph graph_of_calls {\n";
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::string node = "n" + std::to_string(i);
    text += "  " + node + " [label=\"" + labels[i] + "\"];\n";
    if (i > 0) text += "  n" + std::to_string(i - 1) + " -> " + node + ";\n";
  }
  return text + "}\n";
}

}  // namespace zl
