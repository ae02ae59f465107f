#include "measure/prepare.hpp"

#include <algorithm>
#include <charconv>

#include "zl/error.hpp"

namespace zl {

namespace {

const Op::Instance& find_instance(const Op& op, const std::string& types) {
  std::string known;
  for (const Op::Instance& instance : op.instances) {
    if (instance.types == types) return instance;
    known += (known.empty() ? "" : " ") + instance.types;
  }
  throw Error(Errc::usage, "op " + op.name + " is not built for types '" + types +
                               "'; TYPES in zl_add_perf_test() lists: " + known);
}

CaseRequest request_of(const Op& op, const CaseId& id) {
  return {op.name, id.types, op.axes, parse_shape(op, id.shape)};
}

/// Runs the op's function on an empty case; what it declared decides the copies.
Rotation build(Case& definition, const Op& op, const CaseId& id, const Options& options,
               Device& device) {
  find_instance(op, id.types).build(definition);
  return choose_rotation(definition, options.cache, options.schedule, device.info(),
                         device.memory(), options.cold_factor);
}

/// FNV-1a of what names the inputs; implementations of one case share them.
std::uint64_t case_key(const CaseId& id, std::uint64_t seed) {
  std::uint64_t hash = 0xCBF29CE484222325u ^ seed;
  for (char letter : id.op + "|" + id.types + "|" + id.shape) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001B3u;
  }
  return hash;
}

Buffers allocate(Device& device, const Case& c, Rotation& rotation, std::uint64_t key) {
  try {
    return Buffers(device, c, rotation, key);
  } catch (const Error& e) {
    if (e.errc != Errc::out_of_memory || rotation.copies == 1) throw;
    device.clear_last_error();
    rotation.why_not = "no memory for " + std::to_string(rotation.copies) + " copies: " + e.text;
    rotation.cache = Cache::warm;
    rotation.copies = 1;
    return Buffers(device, c, rotation, key);
  }
}

}  // namespace

std::vector<std::int64_t> parse_shape(const Op& op, const std::string& shape) {
  std::vector<std::int64_t> values;
  const char* at = shape.data();
  const char* const end = at + shape.size();
  bool valid = !shape.empty();
  while (valid && at <= end) {
    std::int64_t value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    valid = error == std::errc() && value >= 0 && (next == end || *next == 'x');
    values.push_back(value);
    if (!valid || next == end) break;
    at = next + 1;
    valid = at < end;
  }
  if (valid && values.size() == op.axes.size()) return values;
  std::string axes;
  for (const std::string& axis : op.axes) axes += (axes.empty() ? "" : "x") + axis;
  throw Error(Errc::usage,
              "shape '" + shape + "' of op " + op.name + ": want whole numbers as " + axes);
}

const Implementation& find_implementation(const Case& c, const std::string& name) {
  std::string known;
  const Implementation* found = nullptr;
  for (const Implementation& implementation : c.implementations) {
    if (implementation.name == name && found != nullptr) {
      throw Error(Errc::usage, "op " + c.request.op + " gives two implementations the name '" +
                                   name + "': rename one, here and in IMPLS");
    }
    if (implementation.name == name) found = &implementation;
    known += (known.empty() ? "" : " ") + implementation.name;
  }
  if (found != nullptr) return *found;
  throw Error(Errc::usage, "op " + c.request.op + " has no implementation '" + name +
                               "' here; its case declares: " + (known.empty() ? "none" : known) +
                               ". Add c.impl(\"" + name +
                               "\", ...) to it; one that only some backends have stands in IMPLS "
                               "with its backend, as cuda:" +
                               name);
}

std::string without_tests(const Case& c, const std::vector<std::string>& known_impls) {
  std::string names;
  for (const Implementation& implementation : c.implementations) {
    const bool known =
        std::find(known_impls.begin(), known_impls.end(), implementation.name) != known_impls.end();
    if (!known) names += (names.empty() ? "'" : ", '") + implementation.name + "'";
  }
  if (names.empty() || known_impls.empty()) return "";
  return "op " + c.request.op + " has the implementation " + names +
         " too, without a test: name it in IMPLS of zl_add_perf_test()";
}

Prepared::Prepared(Device& device, const Op& op, const CaseId& id, const Options& options)
    : device(device),
      definition(request_of(op, id)),
      rotation(build(definition, op, id, options, device)),
      buffers(allocate(device, definition, rotation, case_key(id, options.seed))),
      stream(device),
      calls(device, definition, find_implementation(definition, id.impl), buffers) {
  const OwnedStream setup(device);
  buffers.restore_all(setup.get());
  for (std::int64_t copy = 0; copy < buffers.copies(); ++copy) buffers.poison(copy, setup.get());
  device.wait(stream.get(), setup.get());
  device.synchronize();
}

}  // namespace zl
