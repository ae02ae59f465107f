#include "measure/calls.hpp"

#include <algorithm>

#include "zl/error.hpp"

namespace zl {

namespace {

std::size_t sweep_bytes(const Device& device) { return 2 * device.info().l2_bytes; }

}  // namespace

Calls::Calls(Device& device, const Case& c, const Implementation& implementation, Buffers& buffers)
    : device_(device),
      case_(c),
      implementation_(implementation),
      buffers_(buffers),
      results_(static_cast<std::size_t>(buffers.copies()) * c.operands.size()) {}

void Calls::submit(const CallFunction& function, const Launch& launch) {
  try {
    device_.submit(function, launch);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& e) {
    throw Error(Errc::device, 0, "Exception", implementation_.name, e.what());
  }
}

void Calls::enqueue(Stream stream, std::int64_t index) {
  const std::int64_t copy = index % buffers_.copies();
  Launch launch(stream, buffers_.pointers(copy), &notes_, static_cast<std::size_t>(copy),
                results(copy));
  if (!case_.draws.empty()) {
    Generator* generator = device_.generator();
    if (generator == nullptr) {
      throw Error(Errc::usage, "op " + case_.request.op +
                                   " draws random numbers, and this backend has no generator");
    }
    const bool capturing = device_.is_capturing(stream);
    for (std::size_t i = 0; i < case_.draws.size(); ++i) {
      launch.draws[i] = generator->reserve(case_.draws[i], capturing);
    }
    last_draws_ = launch.draws;
  }
  submit(implementation_.call, launch);
}

void* Calls::output(std::int64_t copy, std::size_t operand) const {
  void* const result = results_[static_cast<std::size_t>(copy) * case_.operands.size() + operand];
  return result != nullptr ? result : buffers_.pointers(copy)[operand];
}

void Calls::poison(std::int64_t copy, Stream stream) {
  buffers_.poison(copy, stream);
  for (std::size_t i = 0; i < case_.operands.size(); ++i) {
    const OperandSpec& spec = case_.operands[i];
    void* const memory = output(copy, i);
    if (spec.role != Role::out || memory == buffers_.pointers(copy)[i]) continue;
    device_.poison(memory, spec.type, spec.elements(), stream);
  }
}

std::string Calls::why_not_rotated() const {
  for (std::size_t i = 0; i < case_.operands.size(); ++i) {
    const OperandSpec& spec = case_.operands[i];
    if (spec.warm || spec.role == Role::in || spec.role == Role::scratch) continue;
    std::vector<std::uintptr_t> starts;
    for (std::int64_t copy = 0; copy < buffers_.copies(); ++copy) {
      starts.push_back(reinterpret_cast<std::uintptr_t>(output(copy, i)));
    }
    std::sort(starts.begin(), starts.end());
    for (std::size_t next = 1; next < starts.size(); ++next) {
      if (starts[next] - starts[next - 1] < spec.bytes()) {
        return "calls with different copies return the same memory as output " + std::to_string(i);
      }
    }
  }
  return "";
}

void Calls::enqueue_resets(Stream stream, std::int64_t index) {
  const std::int64_t copies = buffers_.copies();
  reset_copy(stream, (index + copies / 2) % copies);
}

bool Calls::evict_before_calls() {
  const std::size_t bytes = sweep_bytes(device_);
  try {
    sweep_ = OwnedMemory(device_, bytes);
  } catch (const Error& e) {
    if (e.errc != Errc::out_of_memory) throw;
    device_.clear_last_error();
    return false;
  }
  device_.set_bytes(sweep_.get(), 0, bytes, device_.default_stream());
  device_.synchronize();
  return true;
}

void Calls::enqueue_preparation(Stream stream, std::int64_t index) {
  if (case_.has_resets()) enqueue_resets(stream, index);
  if (evicting()) device_.sweep(sweep_.get(), sweep_bytes(device_), stream);
}

void Calls::reset_copy(Stream stream, std::int64_t copy) {
  void* const* pointers = buffers_.pointers(copy);
  for (std::size_t operand : case_.zeroed) {
    device_.set_bytes(pointers[operand], 0, case_.operands[operand].bytes(), stream);
  }
  for (const CallFunction& reset : case_.resets) submit(reset, Launch(stream, pointers, &notes_));
}

void Calls::reset_all(Stream stream) {
  if (!case_.has_resets()) return;
  for (std::int64_t copy = 0; copy < buffers_.copies(); ++copy) reset_copy(stream, copy);
}

}  // namespace zl
