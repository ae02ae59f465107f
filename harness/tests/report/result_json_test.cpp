#include "report/result_json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <tuple>

#include "error_of.hpp"
#include "sample_result.hpp"

namespace zl {
namespace {

using test::error_of;
using test::sample_result;

/// Every field unlike its default.
Result full_result() {
  Result r;
  r.id = {"mm", "own", "e4m3:e4m3:bf16", "16x4096x7168", "cuda"};
  r.columns = {{"model", "deep\"seek\n"}, {"layer", ""}};
  r.verdict = Verdict::capture_poisoned;
  r.message = "why \u20ac";
  r.failure = Failure{Phase::replay, "cudaErrorIllegalAddress", "cudaGraphLaunch: x"};
  r.context_dead = true;
  r.requested_method = "auto";
  r.requested_cache = "mixed";
  r.gate = Gate{Gate::Outcome::regression, "slow", 2.5, 2.625, 12, {3.5, 3.25, 3.75}};
  r.method = Method::graph;
  r.cache = Cache::mixed;
  r.cold_by = "rotation";
  r.cache_note = "note";
  r.copies = 7;
  r.capture = Capture::fallback;
  r.capture_reason = "replay:cudaErrorIllegalAddress";
  r.schedule = "adaptive";
  r.statistic = "median";
  r.verified = "12 of 4096 rows";
  r.n_repeat = (std::int64_t{1} << 53) + 1;
  r.nodes_per_call = 3;
  r.samples_ms = {1.0 / 3, 0.1, 5e-324, 1.7976931348623157e308};
  r.sustained_samples_ms = {2.0 / 3};
  r.load_before_ms = 0.7;
  r.load_during_ms = 40.25;
  r.measured_ms = 55.5;
  r.wall_s = 1.25;
  r.untrusted = {"heat", "noise"};
  r.implausible = "too fast";
  r.cross_check = CrossCheck{1.5, 1.25, 1.125, 0.25, 3.5};
  r.notes = {"a", "b"};
  r.implementation = {{"algo", "5"}};
  r.metrics = {{"latency_us", 2.0 / 3}, {"cv_pct", -0.0}};
  r.speedup_reason = "methods differ";
  r.device_name = "H200";
  r.device_uuid = "GPU-1";
  r.driver = "580.1";
  r.runtime = "13.0";
  r.clocks_start = {1980, 3201, 700.5, "sw_power_cap", false, 1, "no NVML"};
  r.clocks_end = {1755, 3200, 699.5, "hw_slowdown,sw_power_cap", true, 2, ""};
  return r;
}

auto tie(const CaseId& id) { return std::tie(id.op, id.impl, id.types, id.shape, id.backend); }
auto tie(const ClockState& c) {
  return std::tie(c.sm_mhz, c.memory_mhz, c.power_limit_w, c.limit_reasons, c.slowed, c.processes,
                  c.unknown);
}
auto tie(const CrossCheck& c) {
  return std::tie(c.replay_us, c.span_us, c.busy_us, c.gap_us, c.slowdown_pct);
}
auto tie(const Gate& g) {
  return std::tie(g.outcome, g.reason, g.baseline_us, g.limit_us, g.runs, g.tried);
}
auto tie(const Failure& f) { return std::tie(f.phase, f.reason, f.detail); }

/// Compares every field; does not compile once Result has one more.
void expect_same(const Result& a, const Result& b) {
  const auto& [id, columns, verdict, message, failure, context_dead, requested_method,
               requested_cache, method, cache, cold_by, cache_note, copies, capture, capture_reason,
               schedule, statistic, verified, n_repeat, nodes_per_call, samples_ms,
               sustained_samples_ms, load_before_ms, load_during_ms, measured_ms, wall_s, untrusted,
               implausible, cross_check, gate, notes, implementation, metrics, speedup_reason,
               device_name, device_uuid, driver, runtime, clocks_start, clocks_end] = a;
  EXPECT_EQ(tie(id), tie(b.id));
  EXPECT_EQ(columns, b.columns);
  EXPECT_EQ(verdict, b.verdict);
  EXPECT_EQ(message, b.message);
  ASSERT_EQ(failure.has_value(), b.failure.has_value());
  if (failure) {
    EXPECT_EQ(tie(*failure), tie(*b.failure));
  }
  EXPECT_EQ(context_dead, b.context_dead);
  EXPECT_EQ(requested_method, b.requested_method);
  EXPECT_EQ(requested_cache, b.requested_cache);
  EXPECT_EQ(method, b.method);
  EXPECT_EQ(cache, b.cache);
  EXPECT_EQ(cold_by, b.cold_by);
  EXPECT_EQ(cache_note, b.cache_note);
  EXPECT_EQ(copies, b.copies);
  EXPECT_EQ(capture, b.capture);
  EXPECT_EQ(capture_reason, b.capture_reason);
  EXPECT_EQ(schedule, b.schedule);
  EXPECT_EQ(statistic, b.statistic);
  EXPECT_EQ(verified, b.verified);
  EXPECT_EQ(n_repeat, b.n_repeat);
  EXPECT_EQ(nodes_per_call, b.nodes_per_call);
  EXPECT_EQ(samples_ms, b.samples_ms);
  EXPECT_EQ(sustained_samples_ms, b.sustained_samples_ms);
  EXPECT_EQ(load_before_ms, b.load_before_ms);
  EXPECT_EQ(load_during_ms, b.load_during_ms);
  EXPECT_EQ(measured_ms, b.measured_ms);
  EXPECT_EQ(wall_s, b.wall_s);
  EXPECT_EQ(untrusted, b.untrusted);
  EXPECT_EQ(implausible, b.implausible);
  ASSERT_EQ(cross_check.has_value(), b.cross_check.has_value());
  if (cross_check) {
    EXPECT_EQ(tie(*cross_check), tie(*b.cross_check));
  }
  ASSERT_EQ(gate.has_value(), b.gate.has_value());
  if (gate) {
    EXPECT_EQ(tie(*gate), tie(*b.gate));
  }
  EXPECT_EQ(notes, b.notes);
  EXPECT_EQ(implementation, b.implementation);
  EXPECT_EQ(metrics, b.metrics);
  EXPECT_EQ(speedup_reason, b.speedup_reason);
  EXPECT_EQ(device_name, b.device_name);
  EXPECT_EQ(device_uuid, b.device_uuid);
  EXPECT_EQ(driver, b.driver);
  EXPECT_EQ(runtime, b.runtime);
  EXPECT_EQ(tie(clocks_start), tie(b.clocks_start));
  EXPECT_EQ(tie(clocks_end), tie(b.clocks_end));
}

Result through_text(const Result& result) {
  return result_from_json(nlohmann::json::parse(to_json(result).dump()));
}

TEST(ResultJson, EveryFieldComesBackBitForBit) {
  expect_same(full_result(), through_text(full_result()));
  expect_same(Result{}, through_text(Result{}));
}

TEST(ResultJson, SustainedSamplesAreNotThereUnlessAskedFor) {
  EXPECT_FALSE(to_json(sample_result()).contains("sustained_samples_ms"));
}

TEST(ResultJson, EveryEnumValueComesBack) {
  for (int i = 0; i <= static_cast<int>(Verdict::internal); ++i) {
    Result r;
    r.verdict = static_cast<Verdict>(i);
    EXPECT_EQ(through_text(r).verdict, r.verdict);
  }
  for (int i = 0; i <= static_cast<int>(Phase::command); ++i) {
    Result r;
    r.failure = Failure{static_cast<Phase>(i), "", ""};
    EXPECT_EQ(through_text(r).failure->phase, r.failure->phase);
  }
  for (int i = 0; i <= static_cast<int>(Method::command); ++i) {
    Result r;
    r.method = static_cast<Method>(i);
    EXPECT_EQ(through_text(r).method, r.method);
  }
  for (int i = 0; i <= static_cast<int>(Capture::unsupported); ++i) {
    Result r;
    r.capture = static_cast<Capture>(i);
    EXPECT_EQ(through_text(r).capture, r.capture);
  }
}

TEST(ResultJson, EnumsGoByTheirNames) {
  const auto json = to_json(sample_result());
  EXPECT_EQ(json.at("verdict"), "ok");
  EXPECT_EQ(json.at("method"), "graph");
  EXPECT_EQ(json.at("cache"), "cold");
  EXPECT_EQ(json.at("capture"), "clean");
}

TEST(ResultJson, RefusesNumbersThatAreNotFiniteAndNamesThem) {
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  const auto refused = [](const Result& result, const std::string& metric) {
    const auto error = error_of([&] { to_json(result); });
    ASSERT_TRUE(error) << metric;
    EXPECT_EQ(error->errc, Errc::internal);
    EXPECT_NE(std::string(error->what()).find(metric), std::string::npos) << error->what();
  };
  Result r = full_result();
  r.metrics["speedup"] = nan;
  refused(r, "speedup");
  r = full_result();
  r.samples_ms.push_back(infinity);
  refused(r, "samples_ms");
  r = full_result();
  r.load_before_ms = -infinity;
  refused(r, "load_before_ms");
  r = full_result();
  r.load_during_ms = nan;
  refused(r, "load_during_ms");
  r = full_result();
  r.clocks_end.power_limit_w = nan;
  refused(r, "clocks_end.power_limit_w");
}

TEST(ResultJson, ReplacesInvalidUtf8) {
  Result r = full_result();
  r.message = "a\xff";
  r.columns["k\xff"] = "v\xff";
  r.notes = {"n\xff"};
  const Result back = through_text(r);
  EXPECT_EQ(back.message, "a\uFFFD");
  EXPECT_EQ(back.columns.at("k\uFFFD"), "v\uFFFD");
  EXPECT_EQ(back.notes.at(0), "n\uFFFD");
}

TEST(ResultJson, WhatIsNoResultIsAnInternalError) {
  const auto json = to_json(full_result());
  for (const auto& [key, value] : json.items()) {
    if (key == "sustained_samples_ms") continue;  // not in every result
    auto missing = json;
    missing.erase(key);
    const auto error = error_of([&] { result_from_json(missing); });
    ASSERT_TRUE(error) << key;
    EXPECT_EQ(error->errc, Errc::internal);
  }
  auto wrong = json;
  wrong["verdict"] = "splendid";
  auto error = error_of([&] { result_from_json(wrong); });
  ASSERT_TRUE(error);
  EXPECT_NE(std::string(error->what()).find("splendid"), std::string::npos);
  wrong = json;
  wrong["samples_ms"] = "many";
  EXPECT_TRUE(error_of([&] { result_from_json(wrong); }));
  EXPECT_TRUE(error_of([&] { result_from_json(nlohmann::json::array()); }));
}

}  // namespace
}  // namespace zl
