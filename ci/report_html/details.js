// What opens below a row: what to know first, the plots, how the number was made, all runs.

function details(one, set, select) {
  const run = one.inSet.get(set);
  const box = h("div", {class: "details"});
  box.append(
    h("header", {},
      h("h3", {}, one.name),
      h("span", {class: "dim"}, [one.backend, setTitle(set)].filter(Boolean).join(" · "))),
    h("ul", {class: "warnings"}, run ? warnings(run) : h("li", {}, "no result in this set")),
    h("div", {class: sets.length > 1 ? "plots" : "plots alone"},
      sets.length > 1 ? historyPlot(one, set, select) : "",
      run && run.samples.length ? samplesPlot(run)
        : h("p", {class: "dim empty"}, "No samples in this set."),
      sets.length > 1 ? "" : h("p", {class: "dim empty"},
        "No history: this page is of one result set. Give ci/report.py several, the oldest "
        + "first.")),
    run ? h("div", {class: "facts"}, facts(run)) : "",
    one.runs.length > 1 ? runsTable(one, set, select) : "");
  return box;
}

function warnings(run) {
  const found = [];
  const add = (kind, mark, text) => found.push(h("li", {}, pill(mark, kind), " ",
    h("span", {class: "text"}, text)));
  if (run.how.verdict !== "ok") {
    add(verdictKind(run.how.verdict), run.how.verdict, run.how.message || "no message");
  }
  if (run.marks.includes("stand-in")) {
    add("violet", "stand-in", `${run.context.device} stands in for another device: its times say `
      + "nothing about that one");
  }
  if (run.how.implausible) add("red", "implausible", run.how.implausible);
  for (const reason of run.how.untrusted || []) add("amber", "untrusted", reason);
  if (run.marks.includes("not captured")) {
    add("blue", `capture: ${run.how.capture}`, run.how.capture_reason || "no reason told");
  }
  if (run.how.cache_note) add("blue", `cache: ${run.how.cache}`, run.how.cache_note);
  if (run.how.speedup_reason) add("grey", "no speedup", run.how.speedup_reason);
  for (const note of run.how.notes || []) add("grey", "note", note);
  return found;
}

function facts(run) {
  const m = run.metrics;
  const {how, context} = run;
  const asked = (key) => (how[`requested_${key}`] ? ` (asked: ${how[`requested_${key}`]})` : "");
  const rate = (value, name) => value === undefined ? ""
    : `${Number(value.toPrecision(4))} ${name}`;
  const us = (value) => (value === undefined ? "" : `${microseconds(value)} us`);
  return [
    factList("Time of one call", [
      ["latency", [us(run.latency), run.latency && how.statistic].filter(Boolean).join(", ")],
      ["95 % interval", m.ci_pct === undefined ? "" : `± ${percent(m.ci_pct)} %`],
      ["spread (cv)", m.cv_pct === undefined ? "" : `${percent(m.cv_pct)} %`],
      ["least sample", us(m.min_us)],
      ["sustained", us(m.sustained_us)],
      ["eager", us(m.eager_us)],
      ["host enqueues in", us(m.host_enqueue_us)],
      ...Object.keys(m).filter((name) => /^latency_q/.test(name)).map((name) =>
        [name.replace(/^latency_(q\d+)_us$/, "quantile $1"), us(m[name])]),
    ]),
    factList("Rates", [
      ["bandwidth", rate(m.bandwidth_GBps, "GB/s")],
      ["arithmetic", rate(m.compute_TFLOPS, "TFLOP/s")],
      ["of the peak", m.peak_pct === undefined ? "" : `${percent(m.peak_pct)} %`],
      ["speedup", m.speedup === undefined ? "" : `${fixed(m.speedup, 3)} ×`],
    ]),
    factList("How it was obtained", [
      ["method", how.method && how.method + asked("method")],
      ["cache", how.cache && how.cache + asked("cache")],
      ["cold by", how.cache === "warm" ? "" : how.cold_by],
      ["capture", how.capture],
      ["schedule", how.schedule],
      ["calls a replay", m.n_repeat === undefined ? "" : String(m.n_repeat)],
      ["samples", m.samples === undefined ? "" : String(m.samples)],
      ["verified", how.verified],
      ...Object.entries(how.columns || {}),
    ]),
    factList("Device and clocks", [
      ["device", context.device],
      ["uuid", context.uuid],
      ["driver, runtime", [context.driver, context.runtime].filter(Boolean).join(", ")],
      ["clocks before", clocksText(context.start)],
      ["clocks after", clocksText(context.end)],
      ["host", context.host],
      ["zl-bench", context.harness],
      ["measured", shortDate(run.date)],
    ]),
  ];
}

function factList(title, pairs) {
  const known = pairs.filter(([, value]) => value);
  return known.length ? h("section", {}, h("h4", {}, title), h("dl", {}, known.map(([k, v]) =>
    [h("dt", {}, k), h("dd", {}, v)]))) : "";
}

function clocksText(clocks) {
  if (!clocks) return "";
  const said = [];
  if (clocks.sm_mhz) said.push(`SM ${clocks.sm_mhz} MHz`);
  if (clocks.memory_mhz) said.push(`memory ${clocks.memory_mhz} MHz`);
  if (clocks.power_limit_w) said.push(`power limit ${clocks.power_limit_w} W`);
  if (clocks.limit_reasons) said.push(`limited by: ${clocks.limit_reasons}`);
  if (clocks.slowed) said.push("slowed");
  if (clocks.processes > 1) said.push(`${clocks.processes} processes`);
  if (clocks.unknown) said.push(`not known: ${clocks.unknown}`);
  return said.join(", ");
}

// Of which cases the list of runs is open: the page is drawn anew when a run is chosen in it.
const runsOpen = new Set();

function runsTable(one, set, select) {
  const titles = ["result set", "latency us", "± %", "spread %", "% of peak", "method", "cache",
    "verdict", "unlike the run before (base / new)"];
  const rows = [...one.runs].reverse().map((run) => h("tr",
    {class: run.set === set ? "selected" : ""},
    h("td", {}, h("button", {class: "link", onclick: () => select(run.set)}, setTitle(run.set))),
    h("td", {class: "number"}, microseconds(run.latency)),
    h("td", {class: "number"}, percent(run.metrics.ci_pct)),
    h("td", {class: "number"}, percent(run.metrics.cv_pct)),
    h("td", {class: "number"}, percent(run.metrics.peak_pct)),
    h("td", {}, run.how.method || NONE),
    h("td", {}, cacheText(run)),
    h("td", {}, verdictPills(run)),
    h("td", {class: "changes"}, [...run.unlike.map((why) => h("strong", {}, why)),
      ...run.changed.map((why) => h("span", {}, why))])));
  // Noted at the click, which a key makes too: the toggle event comes later, after the page may have
  // been drawn anew.
  return h("details", {class: "runs", open: runsOpen.has(one.key)},
    h("summary", {onclick: (event) => {
      if (event.currentTarget.parentElement.open) runsOpen.delete(one.key);
      else runsOpen.add(one.key);
    }}, `All ${one.runs.length} runs of this case`),
    h("div", {class: "scroll"}, h("table", {},
      h("thead", {}, h("tr", {}, titles.map((title) => h("th", {scope: "col"}, title)))),
      h("tbody", {}, rows))));
}

function verdictPills(run) {
  return [pill(run.how.verdict, verdictKind(run.how.verdict), run.how.message),
    run.marks.map((mark) => [" ", pill(mark, MARK_KINDS[mark])])];
}
