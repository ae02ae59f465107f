#include "measure/reference.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <sstream>

#include "device/fill_formula.hpp"

namespace zl {

namespace {

constexpr double reference_budget_ms = 100;  // of two calls, with different inputs
constexpr std::int64_t block_elements = 1024;
/// Behind the rows that a reference is to write: as many as one that means a larger output may take
/// without harm, and some that are looked at.
constexpr std::size_t spare_bytes = std::size_t{1} << 30;
constexpr std::size_t watched_elements = 64;

/// Address space of an operand's size; only the pages that are written take memory.
class Reserved {
 public:
  explicit Reserved(std::size_t bytes) : bytes_(std::max<std::size_t>(bytes, 1)) {
    data_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data_ == MAP_FAILED) {
      throw Error(Errc::out_of_memory, "no host address space for " + std::to_string(bytes_) +
                                           " bytes of a reference's operand");
    }
  }
  Reserved(Reserved&& other) noexcept : bytes_(other.bytes_), data_(other.data_) {
    other.data_ = MAP_FAILED;
  }
  Reserved& operator=(Reserved&&) = delete;
  ~Reserved() {
    if (data_ != MAP_FAILED) munmap(data_, bytes_);
  }
  void* get() const { return data_; }

 private:
  std::size_t bytes_;
  void* data_;
};

/// The operands of one reference on the host, as they were before the call.
class HostOperands {
 public:
  HostOperands(Device& device, const Case& c, const Buffers& buffers, const Expectation& e)
      : case_(c), buffers_(buffers), same_rows_(e.same_rows), pointers_(c.operands.size()) {
    for (std::size_t operand : e.whole) {
      reserve(operand);
      // Inputs come from the device; in-place ones have changed there and are drawn again.
      if (c.operands[operand].role == Role::in) {
        device.copy_to_host(memory_.at(operand).get(), buffers.pointers(0)[operand],
                            c.operands[operand].bytes());
      } else {
        draw(operand, 0, c.operands[operand].elements());
      }
    }
    for (std::size_t operand : e.same_rows) reserve(operand);
  }

  void provide(Rows rows) {
    for (std::size_t operand : same_rows_) {
      const OperandSpec& spec = case_.operands[operand];
      const std::int64_t length = spec.row_length();
      draw(operand, rows.first * length, std::min(rows.last * length, spec.elements()));
    }
  }
  const void* const* pointers() const { return pointers_.data(); }

 private:
  void reserve(std::size_t operand) {
    const auto entry = memory_.emplace(operand, Reserved(case_.operands[operand].bytes())).first;
    pointers_[operand] = entry->second.get();
  }
  void draw(std::size_t operand, std::int64_t first, std::int64_t last) {
    const OperandSpec& spec = case_.operands[operand];
    fill_host(memory_.at(operand).get(), spec.type, spec.fill, buffers_.key(operand), first, last);
  }

  const Case& case_;
  const Buffers& buffers_;
  const std::vector<std::size_t>& same_rows_;
  std::map<std::size_t, Reserved> memory_;
  std::vector<const void*> pointers_;
};

/// One reference against one output.
class RowCheck {
 public:
  RowCheck(Device& device, const Calls& calls, const Buffers& buffers, const Expectation& e,
           const std::array<Philox, Launch::max_draws>& draws)
      : device_(device),
        expectation_(e),
        output_(calls.definition().operands[e.output]),
        device_output_(static_cast<const char*>(calls.output(0, e.output))),
        operands_(device, calls.definition(), buffers, e),
        view_(operands_.pointers(), draws.data()) {}

  /// A description of the first mismatch in these rows; empty: none.
  std::string check(Rows rows) {
    const std::int64_t length = output_.row_length();
    const auto count = static_cast<std::size_t>((rows.last - rows.first) * length);
    const std::size_t size = size_of(output_.type);
    double* const want = rows_for_reference(count);
    got_.resize(count * size);
    operands_.provide(rows);
    expectation_.reference(rows, want, view_);
    require_within(rows, want, count);
    const std::size_t offset = static_cast<std::size_t>(rows.first * length) * size;
    device_.copy_to_host(got_.data(), device_output_ + offset, got_.size());
    std::vector<double> numbers(count);
    for (std::size_t i = 0; i < count; ++i) {
      numbers[i] = element(output_.type, got_.data(), i);
    }
    if (expectation_.meaning) expectation_.meaning(rows, numbers.data(), view_);
    for (std::size_t i = 0; i < count; ++i) {
      const double got = numbers[i];
      const Tolerance& t = expectation_.tolerance;
      if (within(got, want[i], t.relative, t.absolute)) continue;
      const std::int64_t index = rows.first * length + static_cast<std::int64_t>(i);
      std::ostringstream text;
      text.precision(9);
      text << "output " << expectation_.output << ", row " << index / length << ", column "
           << index % length << ": got " << got << ", want " << want[i] << " within " << t.absolute
           << " + " << t.relative << " x |want|, which .within() of expect() says";
      return text.str();
    }
    return {};
  }

 private:
  /// Zeros, and behind them what the reference must leave.
  double* rows_for_reference(std::size_t count) {
    if (!want_ || count > want_elements_) {
      want_.reset();
      want_.emplace((count + watched_elements) * sizeof(double) + spare_bytes);
      want_elements_ = count;
    }
    auto* const want = static_cast<double*>(want_->get());
    std::fill_n(want, count, 0);
    std::fill_n(want + count, watched_elements, untouched);
    return want;
  }
  void require_within(Rows rows, const double* want, std::size_t count) const {
    if (std::all_of(want + count, want + count + watched_elements,
                    [](double value) { return value == untouched; })) {
      return;
    }
    throw Error(Errc::usage, "the reference of operand " + std::to_string(expectation_.output) +
                                 " wrote more than its rows " + std::to_string(rows.first) +
                                 " to " + std::to_string(rows.last - 1) + ", of " +
                                 std::to_string(output_.row_length()) +
                                 " elements each: does the output have the shape that is meant?");
  }

  static constexpr double untouched = -1.2345678e300;

  Device& device_;
  const Expectation& expectation_;
  const OperandSpec& output_;
  const char* device_output_;
  HostOperands operands_;
  HostView view_;
  std::optional<Reserved> want_;
  std::size_t want_elements_ = 0;
  std::vector<char> got_;
};

ReferenceCheck check_one(Device& device, const Calls& calls, const Buffers& buffers,
                         const Expectation& e, const std::array<Philox, Launch::max_draws>& draws,
                         Progress& progress) {
  const OperandSpec& output = calls.definition().operands[e.output];
  ReferenceCheck result;
  result.rows_total = output.rows();
  if (result.rows_total == 0) return result;
  // Short output rows may each come from long rows of an input.
  std::int64_t longest = output.row_length();
  for (const std::size_t operand : e.same_rows) {
    longest = std::max(longest, calls.definition().operands[operand].row_length());
  }
  const std::int64_t step = std::clamp<std::int64_t>(
      block_elements / std::max<std::int64_t>(longest, 1), 1, result.rows_total);
  const std::int64_t blocks = (result.rows_total + step - 1) / step;
  RowCheck rows(device, calls, buffers, e, draws);
  const auto run = [&](std::int64_t block) {
    const Rows range{block * step, std::min((block + 1) * step, result.rows_total)};
    result.mismatch = rows.check(range);
    result.rows_checked += range.last - range.first;
    progress.alive();
    return result.mismatch.empty();
  };

  const double start = device.wall_ms();
  if (!run(0)) return result;
  const double one = device.wall_ms() - start;
  if (blocks == 1 || one * static_cast<double>(blocks) <= reference_budget_ms) {
    for (std::int64_t block = 1; block < blocks; ++block) {
      if (!run(block)) return result;
    }
    return result;
  }
  if (!run(blocks - 1)) return result;
  std::vector<bool> done;
  std::mt19937_64 random(buffers.key(e.output));
  for (std::int64_t tries = 0; tries < blocks && device.wall_ms() - start < reference_budget_ms;
       ++tries) {
    const auto block = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(blocks));
    if (done.empty()) done.assign(static_cast<std::size_t>(blocks), false);
    if (block == 0 || block == blocks - 1 || done[static_cast<std::size_t>(block)]) continue;
    done[static_cast<std::size_t>(block)] = true;
    if (!run(block)) return result;
  }
  return result;
}

}  // namespace

ReferenceCheck check_references(Device& device, const Calls& calls, const Buffers& buffers,
                                const std::array<Philox, Launch::max_draws>& draws,
                                Progress& progress) {
  ReferenceCheck all;
  for (const Expectation& e : calls.definition().expectations) {
    const ReferenceCheck one = check_one(device, calls, buffers, e, draws, progress);
    all.rows_checked += one.rows_checked;
    all.rows_total += one.rows_total;
    all.mismatch = one.mismatch;
    if (!all.mismatch.empty()) break;
  }
  return all;
}

}  // namespace zl
