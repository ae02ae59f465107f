#include "attention.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "attention_cudnn.hpp"
#include "zl/bench.hpp"

namespace {

template <class T>
void widen_row(std::vector<double>& to, const T* from) {
  for (double& value : to) value = zl::to_double(*from++);
}

/// Queries [first, last) of one head.
template <class T>
void head_rows(zl::Rows rows, double* y, const T* q, const T* k, const T* v, zl::i64 seq,
               zl::i64 dim, bool causal) {
  const zl::i64 count = rows.last - rows.first;
  const zl::i64 keys = causal ? rows.last : seq;
  // A causal row has one key for each row up to itself.
  const auto sees = [&](zl::i64 r, zl::i64 j) { return !causal || j <= rows.first + r; };
  std::vector<double> query(static_cast<std::size_t>(count * dim));
  std::vector<double> row(static_cast<std::size_t>(dim));
  std::vector<double> p(static_cast<std::size_t>(count * keys), 0.0);
  widen_row(query, q);
  for (zl::i64 j = 0; j < keys; ++j) {
    widen_row(row, k + j * dim);
    for (zl::i64 r = 0; r < count; ++r) {
      double dot = 0;
      for (zl::i64 d = 0; d < dim; ++d) dot += query[r * dim + d] * row[d];
      p[r * keys + j] = dot / std::sqrt(static_cast<double>(dim));
    }
  }
  for (zl::i64 r = 0; r < count; ++r) {
    double* const weight = p.data() + r * keys;
    const zl::i64 seen = causal ? rows.first + r + 1 : keys;
    const double largest = *std::max_element(weight, weight + seen);
    double sum = 0;
    for (zl::i64 j = 0; j < seen; ++j) sum += weight[j] = std::exp(weight[j] - largest);
    for (zl::i64 j = 0; j < seen; ++j) weight[j] /= sum;
  }
  std::fill(y, y + count * dim, 0.0);
  for (zl::i64 j = 0; j < keys; ++j) {
    widen_row(row, v + j * dim);
    for (zl::i64 r = 0; r < count; ++r) {
      if (!sees(r, j)) continue;
      for (zl::i64 d = 0; d < dim; ++d) y[r * dim + d] += p[r * keys + j] * row[d];
    }
  }
}

template <class T>
void attention_rows(zl::Rows rows, double* y, const T* q, const T* k, const T* v, zl::i64 seq,
                    zl::i64 dim, bool causal) {
  while (rows.first < rows.last) {
    const zl::i64 head = rows.first / seq;
    const zl::i64 start = head * seq;
    const zl::i64 last = std::min(rows.last, start + seq);
    head_rows({rows.first - start, last - start}, y, q + rows.first * dim, k + start * dim,
              v + start * dim, seq, dim, causal);
    y += (last - rows.first) * dim;
    rows.first = last;
  }
}

/// Each weight is rounded to T before it multiplies a v of size about 1: the weighted mean of the
/// roundings, at most u times the weighted mean of |v|. Twice that, because with few keys the mean
/// of |v| is more than 1. The scores' sum of `dim` products enters through exp(), in binary32.
template <class T>
zl::Tolerance attention_tolerance(zl::i64 dim) {
  auto tolerance = zl::tolerance<T>(dim);
  tolerance.absolute += 2 * zl::unit_roundoff(zl::dtype_of_v<T>);
  return tolerance;
}

template <class T>
void attention(zl::Case& c) {
  const zl::i64 batch = c.axis("batch"), heads = c.axis("heads"), seq = c.axis("seq");
  const zl::i64 dim = c.axis("dim");
  const bool causal = c.axis("causal") != 0;
  if (dim > ops::attention_most_dim) {
    throw zl::Error(zl::Errc::usage,
                    "attention: dim is more than " + std::to_string(ops::attention_most_dim));
  }
  const zl::Shape shape{batch, heads, seq, dim};
  // So wide that a few keys have most of the weight: over thousands of keys of about the same, the
  // outputs would be so small that the tolerance hid a key left out.
  auto q = c.in<T>(shape, zl::normal(0, 4));
  auto k = c.in<T>(shape, zl::normal());
  auto v = c.in<T>(shape, zl::normal());
  auto y = c.out<T>(shape);
  const auto n = static_cast<double>(seq);
  const double pairs = causal ? n * (n + 1) / 2 : n * n;
  c.flops(4 * static_cast<double>(batch * heads) * pairs * static_cast<double>(dim));
  c.impl("own", ops::attention<T>, y, q, k, v, batch, heads, seq, dim, causal);
  if constexpr (ops::with_cudnn) {
    if (ops::cudnn_attention_takes(seq, dim)) {
      auto workspace = c.scratch(ops::cudnn_attention_workspace(batch, heads, seq));
      c.run("cudnn",
            ops::cudnn_attention<T>(y, q, k, v, workspace, batch, heads, seq, dim, causal));
    }
  }
  c.expect(y, attention_rows<T>, zl::same_rows(q), k, v, seq, dim, causal)
      .within(attention_tolerance<T>(dim));
}

}  // namespace

ZL_OP(attention, "batch", "heads", "seq", "dim", "causal");
