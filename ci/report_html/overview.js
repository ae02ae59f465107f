// Above the table: what was measured on what, and what a reader must know before the numbers.

function runsOf(set) {
  return cases.map((one) => ({one, run: one.inSet.get(set)})).filter(({run}) => run);
}

function standInBanner(set) {
  const names = new Set(runsOf(set).filter(({run}) => run.marks.includes("stand-in"))
    .map(({run}) => run.context.device));
  if (!names.size) return "";
  return h("p", {class: "banner violet"}, pill("stand-in", "violet"), " ",
    `Measured on ${[...names].join(", ")}, which stands in for another device. These times show `
    + "that the ops run; they say nothing about that device's speed.");
}

// Counts that filter when pressed.
function summary(state, choose) {
  const counts = new Map();
  const count = (key, value, kind) => {
    const name = `${key} ${value}`;
    const entry = counts.get(name) || {key, value, kind, count: 0};
    entry.count += 1;
    counts.set(name, entry);
  };
  for (const one of cases) {
    const run = one.inSet.get(state.set);
    const verdict = run ? run.how.verdict : "no result";
    count("verdict", verdict, verdictKind(verdict));
    for (const mark of run?.marks || []) count("mark", mark, MARK_KINDS[mark]);
  }
  const order = ["green", "red", "grey", "amber", "violet", "blue"];
  const entries = [...counts.values()].sort((a, b) =>
    order.indexOf(a.kind) - order.indexOf(b.kind) || compareTexts(a.value, b.value));
  return entries.map(({key, value, kind, count: n}) => {
    const on = state.choices[key] === value;
    return h("button", {class: `tile ${kind}`, "aria-pressed": String(on),
      onclick: () => choose(key, on ? "" : value)},
    h("strong", {}, String(n)), h("span", {}, value));
  });
}

// One line for each device, and ranges of what differed between its cases.
function contextTable(set) {
  const groups = new Map();
  for (const {run} of runsOf(set)) {
    const {device, uuid, driver, runtime, harness, host} = run.context;
    const key = JSON.stringify([device, uuid, driver, runtime, harness, host]);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(run);
  }
  return [...groups.values()].map((runs) => {
    const c = runs[0].context;
    const states = runs.flatMap((run) => [run.context.start, run.context.end]).filter(Boolean);
    const times = runs.map((run) => run.date).filter(Boolean).sort();
    return deviceFacts(c.device || "device not told", [
      ["cases", String(runs.length)],
      ["driver", c.driver],
      ["runtime", c.runtime],
      ["SM clock", rangeText(states.map((s) => s.sm_mhz), "MHz")],
      ["memory clock", rangeText(states.map((s) => s.memory_mhz), "MHz")],
      ["power limit", rangeText(states.map((s) => s.power_limit_w), "W")],
      ["limited by", uniqueTexts(states.map((s) => s.limit_reasons))],
      ["slowed", slowedText(runs)],
      ["clocks not known", uniqueTexts(states.map((s) => s.unknown))],
      ["processes on it", rangeText(states.map((s) => s.processes), "")],
      ["host", c.host],
      ["zl-bench", c.harness],
      ["measured", times.length ? [...new Set([times[0], times.at(-1)].map(shortDate))]
        .join(" to ") : ""],
      ["uuid", c.uuid],
    ]);
  });
}

function deviceFacts(device, pairs) {
  return h("div", {class: "device"}, h("strong", {}, device), h("dl", {},
    pairs.filter(([, value]) => value).map(([key, value]) =>
      h("div", {}, h("dt", {}, key), h("dd", {}, value)))));
}

function slowedText(runs) {
  const slowed = runs.filter((run) => run.context.start?.slowed || run.context.end?.slowed);
  return slowed.length ? plural(slowed.length, "case") : "";
}

function rangeText(values, unit) {
  const known = values.filter((value) => value !== undefined);
  if (!known.length) return "";
  const [least, most] = [Math.min(...known), Math.max(...known)];
  return `${least === most ? least : `${least} to ${most}`} ${unit}`.trim();
}

function uniqueTexts(values) {
  return [...new Set(values.filter(Boolean))].join("; ");
}

// What is not as asked, grouped by the reason given, whatever the numbers in it.
function exceptions(set) {
  const groups = new Map();
  const add = (order, kind, what, why, one) => {
    const key = JSON.stringify([what, why.replace(/\d[\d.,]*/g, "#")]);
    if (!groups.has(key)) groups.set(key, {order, kind, what, whys: new Set(), cases: []});
    groups.get(key).whys.add(why);
    groups.get(key).cases.push(one);
  };
  for (const {one, run} of runsOf(set)) {
    const {how} = run;
    if (how.verdict !== "ok") {
      add(0, verdictKind(how.verdict), how.verdict, how.message || "no message", one);
    }
    if (how.implausible) add(1, "red", "implausible", how.implausible, one);
    for (const reason of how.untrusted || []) add(2, "amber", "untrusted", reason, one);
    if (run.marks.includes("not captured")) {
      add(3, "blue", `capture ${how.capture}: timed ${how.method}`,
        how.capture_reason || "no reason told", one);
    }
    if (run.marks.includes("not cold")) add(4, "blue", `cache ${how.cache}`, how.cache_note, one);
  }
  return [...groups.values()].sort((a, b) => a.order - b.order || b.cases.length - a.cases.length);
}

function exceptionList(set, show) {
  const groups = exceptions(set);
  if (!groups.length) {
    return h("p", {class: "dim"}, "Nothing: every case was captured, cold or mixed as asked, and "
      + "has a number to rely on.");
  }
  return h("ul", {class: "exceptions"}, groups.map((group) => h("li", {},
    h("details", {},
      h("summary", {}, pill(group.what, group.kind), " ", h("span", {class: "text"}, [...group.whys][0]),
        h("span", {class: "dim"}, ` ${plural(group.cases.length, "case")}`
          + (group.whys.size > 1 ? ", numbers differ" : ""))),
      h("p", {}, group.cases.sort(byCase).map((one) => [
        h("button", {class: "link", onclick: () => show(one.key)}, one.name), " "]))))));
}
