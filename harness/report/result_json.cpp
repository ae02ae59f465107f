#include "report/result_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "report/utf8.hpp"
#include "zl/error.hpp"

namespace zl {
namespace {

using Json = nlohmann::json;
using Texts = std::map<std::string, std::string>;

Json number(std::string_view metric, double value) {
  if (!std::isfinite(value))
    throw Error(Errc::internal, "metric " + std::string(metric) + " is not finite");
  return value;
}

Json texts(const Texts& map) {
  Json json = Json::object();
  for (const auto& [key, value] : map) json[valid_utf8(key)] = valid_utf8(value);
  return json;
}

template <class E>
E parsed(const Json& json, E last) {
  const auto text = json.get<std::string>();
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    if (name(static_cast<E>(i)) == text) return static_cast<E>(i);
  }
  throw Error(Errc::internal, "result: unknown name \"" + text + "\"");
}

Json to_json(const CaseId& id) {
  return {{"op", valid_utf8(id.op)},
          {"impl", valid_utf8(id.impl)},
          {"types", valid_utf8(id.types)},
          {"shape", valid_utf8(id.shape)},
          {"backend", valid_utf8(id.backend)}};
}

CaseId id_from(const Json& json) {
  CaseId id;
  json.at("op").get_to(id.op);
  json.at("impl").get_to(id.impl);
  json.at("types").get_to(id.types);
  json.at("shape").get_to(id.shape);
  json.at("backend").get_to(id.backend);
  return id;
}

Json to_json(const std::optional<Failure>& failure) {
  if (!failure) return nullptr;
  return {{"phase", name(failure->phase)},
          {"reason", valid_utf8(failure->reason)},
          {"detail", valid_utf8(failure->detail)}};
}

std::optional<Failure> failure_from(const Json& json) {
  if (json.is_null()) return std::nullopt;
  Failure failure;
  failure.phase = parsed(json.at("phase"), Phase::command);
  json.at("reason").get_to(failure.reason);
  json.at("detail").get_to(failure.detail);
  return failure;
}

Json to_json(std::string_view which, const ClockState& clocks) {
  return {{"sm_mhz", clocks.sm_mhz},
          {"memory_mhz", clocks.memory_mhz},
          {"power_limit_w", number(std::string(which) + ".power_limit_w", clocks.power_limit_w)},
          {"limit_reasons", valid_utf8(clocks.limit_reasons)},
          {"slowed", clocks.slowed},
          {"processes", clocks.processes},
          {"unknown", valid_utf8(clocks.unknown)}};
}

ClockState clocks_from(const Json& json) {
  ClockState clocks;
  json.at("sm_mhz").get_to(clocks.sm_mhz);
  json.at("memory_mhz").get_to(clocks.memory_mhz);
  json.at("power_limit_w").get_to(clocks.power_limit_w);
  json.at("limit_reasons").get_to(clocks.limit_reasons);
  json.at("slowed").get_to(clocks.slowed);
  json.at("processes").get_to(clocks.processes);
  json.at("unknown").get_to(clocks.unknown);
  return clocks;
}

Json to_json(const std::optional<CrossCheck>& check) {
  if (!check) return nullptr;
  return {{"replay_us", number("cross_check.replay_us", check->replay_us)},
          {"span_us", number("cross_check.span_us", check->span_us)},
          {"busy_us", number("cross_check.busy_us", check->busy_us)},
          {"gap_us", number("cross_check.gap_us", check->gap_us)},
          {"slowdown_pct", number("cross_check.slowdown_pct", check->slowdown_pct)}};
}

std::optional<CrossCheck> cross_check_from(const Json& json) {
  if (json.is_null()) return std::nullopt;
  CrossCheck check;
  json.at("replay_us").get_to(check.replay_us);
  json.at("span_us").get_to(check.span_us);
  json.at("busy_us").get_to(check.busy_us);
  json.at("gap_us").get_to(check.gap_us);
  json.at("slowdown_pct").get_to(check.slowdown_pct);
  return check;
}

Json to_json(const std::optional<Gate>& gate) {
  if (!gate) return nullptr;
  Json tried = Json::array();
  for (const double us : gate->tried) tried.push_back(number("gate.tried_us", us));
  return {{"outcome", name(gate->outcome)},
          {"reason", valid_utf8(gate->reason)},
          {"baseline_us", number("gate.baseline_us", gate->baseline_us)},
          {"limit_us", number("gate.limit_us", gate->limit_us)},
          {"runs", gate->runs},
          {"tried_us", std::move(tried)}};
}

std::optional<Gate> gate_from(const Json& json) {
  if (json.is_null()) return std::nullopt;
  Gate gate;
  gate.outcome = parsed(json.at("outcome"), Gate::Outcome::regression);
  json.at("reason").get_to(gate.reason);
  json.at("baseline_us").get_to(gate.baseline_us);
  json.at("limit_us").get_to(gate.limit_us);
  json.at("runs").get_to(gate.runs);
  json.at("tried_us").get_to(gate.tried);
  return gate;
}

Json texts(const std::vector<std::string>& lines) {
  Json json = Json::array();
  for (const std::string& line : lines) json.push_back(valid_utf8(line));
  return json;
}

Result read(const Json& json) {
  Result r;
  r.id = id_from(json.at("id"));
  json.at("columns").get_to(r.columns);
  r.verdict = parsed(json.at("verdict"), Verdict::internal);
  json.at("message").get_to(r.message);
  r.failure = failure_from(json.at("failure"));
  json.at("context_dead").get_to(r.context_dead);
  json.at("requested").at("method").get_to(r.requested_method);
  json.at("requested").at("cache").get_to(r.requested_cache);
  r.method = parsed(json.at("method"), Method::command);
  r.cache = parsed(json.at("cache"), Cache::mixed);
  json.at("cold_by").get_to(r.cold_by);
  json.at("cache_note").get_to(r.cache_note);
  json.at("copies").get_to(r.copies);
  r.capture = parsed(json.at("capture"), Capture::unsupported);
  json.at("capture_reason").get_to(r.capture_reason);
  json.at("schedule").get_to(r.schedule);
  json.at("statistic").get_to(r.statistic);
  json.at("verified").get_to(r.verified);
  json.at("n_repeat").get_to(r.n_repeat);
  json.at("nodes_per_call").get_to(r.nodes_per_call);
  json.at("samples_ms").get_to(r.samples_ms);
  if (json.contains("sustained_samples_ms")) {
    json.at("sustained_samples_ms").get_to(r.sustained_samples_ms);
  }
  json.at("load_before_ms").get_to(r.load_before_ms);
  json.at("load_during_ms").get_to(r.load_during_ms);
  json.at("measured_ms").get_to(r.measured_ms);
  json.at("wall_s").get_to(r.wall_s);
  json.at("untrusted").get_to(r.untrusted);
  json.at("implausible").get_to(r.implausible);
  r.cross_check = cross_check_from(json.at("cross_check"));
  r.gate = gate_from(json.at("gate"));
  json.at("notes").get_to(r.notes);
  json.at("implementation").get_to(r.implementation);
  json.at("metrics").get_to(r.metrics);
  json.at("speedup_reason").get_to(r.speedup_reason);
  json.at("device_name").get_to(r.device_name);
  json.at("device_uuid").get_to(r.device_uuid);
  json.at("driver").get_to(r.driver);
  json.at("runtime").get_to(r.runtime);
  r.clocks_start = clocks_from(json.at("clocks_start"));
  r.clocks_end = clocks_from(json.at("clocks_end"));
  return r;
}

}  // namespace

nlohmann::json to_json(const Result& r) {
  Json samples = Json::array();
  for (const double sample : r.samples_ms) samples.push_back(number("samples_ms", sample));
  Json sustained = Json::array();
  for (const double sample : r.sustained_samples_ms) {
    sustained.push_back(number("sustained_samples_ms", sample));
  }
  Json metrics = Json::object();
  for (const auto& [metric, value] : r.metrics) metrics[valid_utf8(metric)] = number(metric, value);

  Json json;
  json["id"] = to_json(r.id);
  json["columns"] = texts(r.columns);
  json["verdict"] = name(r.verdict);
  json["message"] = valid_utf8(r.message);
  json["failure"] = to_json(r.failure);
  json["context_dead"] = r.context_dead;
  json["requested"] = {{"method", valid_utf8(r.requested_method)},
                       {"cache", valid_utf8(r.requested_cache)}};
  json["method"] = name(r.method);
  json["cache"] = name(r.cache);
  json["cold_by"] = valid_utf8(r.cold_by);
  json["cache_note"] = valid_utf8(r.cache_note);
  json["copies"] = r.copies;
  json["capture"] = name(r.capture);
  json["capture_reason"] = valid_utf8(r.capture_reason);
  json["schedule"] = valid_utf8(r.schedule);
  json["statistic"] = valid_utf8(r.statistic);
  json["verified"] = valid_utf8(r.verified);
  json["n_repeat"] = r.n_repeat;
  json["nodes_per_call"] = r.nodes_per_call;
  json["samples_ms"] = std::move(samples);
  if (!r.sustained_samples_ms.empty()) json["sustained_samples_ms"] = sustained;
  json["load_before_ms"] = number("load_before_ms", r.load_before_ms);
  json["load_during_ms"] = number("load_during_ms", r.load_during_ms);
  json["measured_ms"] = number("measured_ms", r.measured_ms);
  json["wall_s"] = number("wall_s", r.wall_s);
  json["untrusted"] = texts(r.untrusted);
  json["implausible"] = valid_utf8(r.implausible);
  json["cross_check"] = to_json(r.cross_check);
  json["gate"] = to_json(r.gate);
  json["notes"] = texts(r.notes);
  json["implementation"] = texts(r.implementation);
  json["metrics"] = std::move(metrics);
  json["speedup_reason"] = valid_utf8(r.speedup_reason);
  json["device_name"] = valid_utf8(r.device_name);
  json["device_uuid"] = valid_utf8(r.device_uuid);
  json["driver"] = valid_utf8(r.driver);
  json["runtime"] = valid_utf8(r.runtime);
  json["clocks_start"] = to_json("clocks_start", r.clocks_start);
  json["clocks_end"] = to_json("clocks_end", r.clocks_end);
  return json;
}

Result result_from_json(const nlohmann::json& json) {
  try {
    return read(json);
  } catch (const Json::exception& e) {
    throw Error(Errc::internal, std::string("result: ") + e.what());
  }
}

}  // namespace zl
