#include "measure/verify.hpp"

#include <algorithm>

#include "measure/reference.hpp"

namespace zl {

namespace {

bool is_output(const OperandSpec& operand) {
  return operand.role == Role::out || operand.role == Role::inout;
}

/// Also where a call throws: the buffers are used again, as by the profiler's cross-check.
class OtherInputs {
 public:
  explicit OtherInputs(Buffers& buffers) : buffers_(buffers) { buffers_.draw_other_inputs(true); }
  ~OtherInputs() { buffers_.draw_other_inputs(false); }
  OtherInputs(const OtherInputs&) = delete;
  OtherInputs& operator=(const OtherInputs&) = delete;

 private:
  Buffers& buffers_;
};

std::string at(std::size_t operand, const Comparison& found, const OperandSpec& spec,
               const std::string& what) {
  return "output " + std::to_string(operand) + ": " + std::to_string(found.differing) + " of " +
         std::to_string(spec.elements()) + " elements " + what + ", the first at index " +
         std::to_string(found.first);
}

}  // namespace

void prepare_single_call(Calls& calls, Stream stream) {
  calls.buffers().restore(stream);
  calls.poison(0, stream);
  calls.buffers().poison_scratch(stream);
  if (calls.definition().has_resets()) calls.reset_copy(stream, 0);
}

Verified::Verified(Device& device, Calls& calls, Stream stream, Progress& progress)
    : device_(device) {
  calls.buffers().put_up_fences(stream);
  {
    const OtherInputs other(calls.buffers());
    check_eager(calls, stream, progress);
  }
  if (wrong_.empty()) check_eager(calls, stream, progress);
  if (wrong_.empty()) wrong_ = changed_inputs(calls, stream);
  if (wrong_.empty()) wrong_ = calls.buffers().torn_fence(stream);
  if (!wrong_.empty()) return;

  const Case& c = calls.definition();
  kept_.resize(c.operands.size());
  for (const OperandSpec& operand : c.operands) tolerances_.push_back(tolerance(operand.type));
  for (const Expectation& e : c.expectations) tolerances_[e.output] = e.tolerance;
  for (std::size_t i = 0; i < c.operands.size(); ++i) {
    if (!is_output(c.operands[i])) continue;
    kept_[i] = OwnedMemory(device, c.operands[i].bytes());
    device.copy(kept_[i].get(), calls.output(0, i), c.operands[i].bytes(), stream);
  }
  device.synchronize(stream);
}

void Verified::check_eager(Calls& calls, Stream stream, Progress& progress) {
  prepare_single_call(calls, stream);
  // An op that ignores its stream must not race with the poison, or it might look right or wrong
  // by chance.
  device_.synchronize();
  calls.enqueue(stream, 0);
  device_.synchronize();

  wrong_ = unwritten(calls, 0, stream);
  if (!wrong_.empty()) {
    wrong_ +=
        ". A call has to write all of an out(): is its grid too small, or was its launch refused "
        "and the error not checked?";
    return;
  }
  const ReferenceCheck checked =
      check_references(device_, calls, calls.buffers(), calls.last_draws(), progress);
  wrong_ = checked.mismatch;
  extent_ = calls.definition().expectations.empty() ? "replay-only"
            : checked.rows_checked == checked.rows_total
                ? "all rows"
                : std::to_string(checked.rows_checked) + " of " +
                      std::to_string(checked.rows_total) + " rows";
}

/// A call that overwrites its input, as one that sorts in place, finds another one the next time.
std::string Verified::changed_inputs(Calls& calls, Stream stream) {
  const Case& c = calls.definition();
  for (std::size_t i = 0; i < c.operands.size(); ++i) {
    const OperandSpec& spec = c.operands[i];
    if (spec.role != Role::in) continue;
    OwnedMemory drawn;
    try {
      drawn = OwnedMemory(device_, spec.bytes());
    } catch (const Error& e) {
      if (e.errc != Errc::out_of_memory) throw;
      device_.clear_last_error();
      extent_ += ", input " + std::to_string(i) + " not compared for lack of memory";
      continue;
    }
    calls.buffers().draw(i, drawn.get(), stream);
    const Comparison found = device_.compare(calls.buffers().pointers(0)[i], drawn.get(), spec.type,
                                             spec.elements(), {0, 0}, stream);
    if (found.differing == 0) continue;
    return "input " + std::to_string(i) + ": " + std::to_string(found.differing) + " of " +
           std::to_string(spec.elements()) + " elements were written, the first at index " +
           std::to_string(found.first) + "; declare it with inout()";
  }
  return {};
}

std::string Verified::unwritten(Calls& calls, std::int64_t copy, Stream stream) const {
  const Case& c = calls.definition();
  for (std::size_t i = 0; i < c.operands.size(); ++i) {
    const OperandSpec& spec = c.operands[i];
    if (spec.role != Role::out) continue;
    const Comparison found =
        device_.find_poison(calls.output(copy, i), spec.type, spec.elements(), stream);
    if (found.differing > 0) return at(i, found, spec, "were never written");
  }
  return {};
}

std::string Verified::unlike(Calls& calls, std::int64_t copy, bool in_place, Stream stream) const {
  const Case& c = calls.definition();
  for (std::size_t i = 0; i < c.operands.size(); ++i) {
    const OperandSpec& spec = c.operands[i];
    if (!is_output(spec)) continue;
    void* got = calls.output(copy, i);
    if (in_place) {
      if (!is_floating(spec.type)) continue;
      const Comparison found = device_.find_nonfinite(got, spec.type, spec.elements(), stream);
      const Comparison before =
          device_.find_nonfinite(kept_[i].get(), spec.type, spec.elements(), stream);
      if (found.differing > before.differing) return at(i, found, spec, "are not finite");
      continue;
    }
    const Comparison found =
        device_.compare(got, kept_[i].get(), spec.type, spec.elements(), tolerances_[i], stream);
    if (found.differing > 0) return at(i, found, spec, "differ from the verified eager call's");
  }
  return {};
}

std::string Verified::check_replay(Calls& calls, Stream stream, Progress& progress) const {
  const std::string missing = unwritten(calls, 0, stream);
  if (!missing.empty()) return missing;
  if (calls.definition().draws.empty()) return unlike(calls, 0, false, stream);
  return check_references(device_, calls, calls.buffers(), calls.last_draws(), progress).mismatch;
}

std::string Verified::check_series(Calls& calls, std::int64_t copy, Stream stream) const {
  const std::string missing = unwritten(calls, copy, stream);
  if (!missing.empty()) return missing;
  const Case& c = calls.definition();
  const bool in_place =
      !c.draws.empty() || std::any_of(c.operands.begin(), c.operands.end(),
                                      [](const auto& o) { return o.role == Role::inout; });
  return unlike(calls, copy, in_place, stream);
}

}  // namespace zl
