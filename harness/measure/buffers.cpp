#include "measure/buffers.hpp"

#include "device/fill_formula.hpp"

namespace zl {

Buffers::Buffers(Device& device, const Case& c, const Rotation& rotation, std::uint64_t case_key)
    : device_(device),
      case_(c),
      operands_(c.operands.size()),
      copies_(rotation.copies),
      case_key_(case_key) {
  pointers_.resize(operands_ * static_cast<std::size_t>(copies_));
  for (std::size_t i = 0; i < operands_; ++i) {
    const std::size_t one = copy_stride(c.operands[i].bytes());
    const std::size_t step = rotation.rotated[i] ? one : 0;
    memory_.emplace_back(device, fence_bytes + one + step * static_cast<std::size_t>(copies_ - 1));
    for (std::size_t copy = 0; copy < static_cast<std::size_t>(copies_); ++copy) {
      pointers_[copy * operands_ + i] = memory_.back().get() + fence_bytes + copy * step;
    }
  }
}

std::uint64_t Buffers::key(std::size_t operand) const {
  // SplitMix64's finalizer spreads neighbouring operands over the key space.
  std::uint64_t z = (other_inputs_ ? ~case_key_ : case_key_) + (operand + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

void Buffers::draw(std::size_t operand, void* to, Stream stream) const {
  const OperandSpec& spec = case_.operands[operand];
  if (spec.fill.kind == Fill::Kind::values) {
    if (spec.elements() == 0) return;
    std::vector<char> content(spec.bytes());
    fill_host(content.data(), spec.type, spec.fill, 0, 0, spec.elements());
    // Copies from the host are not ordered after what the stream still has to do.
    device_.synchronize(stream);
    device_.copy_to_device(to, content.data(), content.size());
    return;
  }
  device_.generate(to, spec.type, spec.elements(), spec.fill, key(operand), stream);
}

void Buffers::generate_all(std::size_t operand, Stream stream) {
  draw(operand, pointers(0)[operand], stream);
  void* const first = pointers(0)[operand];
  for (std::int64_t copy = 1; copy < copies_; ++copy) {
    void* const other = pointers(copy)[operand];
    if (other != first) device_.copy(other, first, case_.operands[operand].bytes(), stream);
  }
}

void Buffers::restore(Stream stream) {
  for (std::size_t i = 0; i < operands_; ++i) {
    const Role role = case_.operands[i].role;
    if (role == Role::in || role == Role::inout) draw(i, pointers(0)[i], stream);
  }
}

void Buffers::restore_all(Stream stream) {
  for (std::size_t i = 0; i < operands_; ++i) {
    const Role role = case_.operands[i].role;
    if (role == Role::in || role == Role::inout) generate_all(i, stream);
  }
}

void Buffers::restore_all_in_place(Stream stream) {
  for (std::size_t i = 0; i < operands_; ++i) {
    if (case_.operands[i].role == Role::inout) generate_all(i, stream);
  }
}

void Buffers::poison_scratch(Stream stream) {
  for (std::size_t i = 0; i < operands_; ++i) {
    const OperandSpec& spec = case_.operands[i];
    if (spec.role != Role::scratch) continue;
    device_.poison(pointers(0)[i], spec.type, spec.elements(), stream);
  }
}

void Buffers::poison(std::int64_t copy, Stream stream) {
  for (std::size_t i = 0; i < operands_; ++i) {
    const OperandSpec& spec = case_.operands[i];
    if (spec.role != Role::out) continue;
    device_.poison(pointers(copy)[i], spec.type, spec.elements(), stream);
  }
}

void Buffers::put_up_fences(Stream stream) {
  for (std::size_t i = 0; i < operands_; ++i) {
    for (const Fence& fence : fences(i)) {
      device_.poison(fence.begin, DType::u8, fence.bytes, stream);
    }
  }
}

std::string Buffers::torn_fence(Stream stream) {
  for (std::size_t i = 0; i < operands_; ++i) {
    for (const Fence& fence : fences(i)) {
      const std::int64_t whole =
          device_.find_poison(fence.begin, DType::u8, fence.bytes, stream).differing;
      if (whole == fence.bytes) continue;
      return "operand " + std::to_string(i) + ": " + std::to_string(fence.bytes - whole) + " of " +
             std::to_string(fence.bytes) + " bytes " + fence.where +
             " were written; does the call check its indices against the shape?";
    }
  }
  return {};
}

std::array<Buffers::Fence, 2> Buffers::fences(std::size_t operand) const {
  char* const begin = static_cast<char*>(pointers(0)[operand]);
  char* const end = begin + case_.operands[operand].bytes();
  // What was rounded up belongs to the fence behind it.
  char* const next = begin + copy_stride(case_.operands[operand].bytes());
  return {
      {{begin - fence_bytes, static_cast<std::int64_t>(fence_bytes), "before its first element"},
       {end, next - end, "behind its last element"}}};
}

}  // namespace zl
