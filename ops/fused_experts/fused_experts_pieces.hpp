#pragma once

#include <functional>
#include <vector>

#include "fused_experts.hpp"
#include "shared/cublaslt_product.hpp"
#include "zl/case.hpp"

namespace ops {

/// Where in the work space of the pieces is what, in bytes: besides what fused_experts() has there,
/// whose `down` is by expert here.
struct PiecesWorkspace : ExpertsWorkspace {
  zl::i64 places;    ///< i32[pairs]: the row of each pair, by token and choice
  zl::i64 gathered;  ///< T[pairs][hidden]: the tokens, by expert
  zl::i64 products;  ///< cuBLASLt's

  constexpr PiecesWorkspace(const ExpertsShape& s, zl::i64 element)
      : ExpertsWorkspace(s, element),
        places(bytes),
        gathered(after(places, 4 * s.pairs())),
        products(after(gathered, element * s.pairs() * s.hidden)) {
    bytes = products + cublaslt_workspace;
  }
};

template <class T>
struct ExpertsOperands {
  zl::Operand<T> y;
  zl::Operand<const T> x, w1, w2;
  zl::Operand<const zl::i32> expert;
  zl::Operand<const float> weight;
  zl::Operand<zl::u8> workspace;
};

/// The same as fused_experts() without a kernel that is made for it, CUDA only: the tokens sorted
/// by expert and gathered, a product of cuBLASLt for each expert that is used, silu_and_mul(), a
/// second product each, and the weighted sum. A product for each expert and not one grouped one:
/// there are few, each of which reads a matrix of 100 MB and more, and each gets the algorithm that
/// is the fastest for its rows. Their numbers, `rows[expert]`, are to be known on the host.
/// For hidden, inter and pairs that are not 0; hidden and inter are multiples of 8, so that rows
/// are of whole 16 bytes.
template <class T>
std::function<void(const zl::Launch&)> experts_in_pieces(const ExpertsOperands<T>& operands,
                                                         const std::vector<zl::i64>& rows,
                                                         const ExpertsShape& s);

}  // namespace ops
