// The columns of the table: what to sort by and what to show. A case without a result in the chosen
// set has no run.

const metric = (name) => (one, run) => run?.metrics[name];

function numberCell(text) {
  return h("td", {class: text === NONE ? "number dim" : "number"}, text);
}

function nameCell(text) {
  return h("td", {class: "name", title: text.length > 30 ? text : null}, text);
}

function reasonCell(text, why) {
  return h("td", {class: "reason", title: why}, text || NONE,
    why ? [": ", h("span", {class: "dim"}, why)] : "");
}

const textColumn = (key, title) => ({
  key, title, sortBy: (one) => one[key], cell: (one) => nameCell(one[key] || NONE),
});

const metricColumn = (key, title, name, hint, format) => ({
  key, title, hint, numeric: true, sortBy: metric(name),
  cell: (one, run) => numberCell(format(run?.metrics[name])),
});

const columns = [
  textColumn("backend", "backend"),
  textColumn("op", "op"),
  textColumn("impl", "impl"),
  textColumn("types", "types"),
  textColumn("shape", "shape"),
  {
    key: "verdict", title: "verdict", sortBy: (one, run) => run && [run.how.verdict,
      ...run.marks].join(" "),
    cell: (one, run) => h("td", {class: "verdict"},
      run ? verdictPills(run) : pill("no result", "grey")),
  },
  {
    key: "latency", title: "latency, us", numeric: true, sortBy: metric("latency_us"),
    hint: "time of one call on the device",
    cell: (one, run) => h("td",
      {class: `number latency ${run && !relied(run) ? "doubted" : ""}`,
        title: run && !relied(run) ? run.marks.join(", ") : null},
      microseconds(run?.latency)),
  },
  {
    key: "history", title: "history", hint: "drawn to at least ±10 % around the median",
    sortBy: (one) => one.runs.length, numeric: true,
    cell: (one) => h("td", {class: "history"}, sparkline(one)),
  },
  metricColumn("spread", "spread, %", "cv_pct",
    "coefficient of variation of the samples", percent),
  {
    key: "peak", title: "% of peak", numeric: true, sortBy: metric("peak_pct"),
    hint: "of what the device can do: bandwidth or arithmetic, the nearer one",
    cell: (one, run) => {
      const share = run?.metrics.peak_pct;
      if (share === undefined) return numberCell(NONE);
      const bar = svg("svg", {viewBox: "0 0 100 4", preserveAspectRatio: "none", class: "bar",
        "aria-hidden": "true"}, svg("rect", {width: Math.min(100, share), height: 4}));
      return h("td", {class: "number"}, bar, h("span", {class: "share"}, fixed(share, 1)));
    },
  },
  {
    key: "speedup", title: "speedup", numeric: true, sortBy: metric("speedup"),
    hint: "over the implementation named in VERSUS",
    cell: (one, run) => {
      const speedup = run?.metrics.speedup;
      return h("td", {class: speedup === undefined ? "number dim" : "number",
        title: run?.how.speedup_reason},
      speedup === undefined ? NONE : `${fixed(speedup, 2)} ×`);
    },
  },
  metricColumn("eager", "eager, us", "eager_us", "wall time of a call launched without a graph",
    microseconds),
  {
    key: "method", title: "method", sortBy: (one, run) => run?.how.method,
    cell: (one, run) => h("td", {}, run?.how.method || NONE),
  },
  {
    key: "cache", title: "cache", sortBy: (one, run) => run && cacheText(run),
    cell: (one, run) => reasonCell(run && cacheText(run), run?.how.cache_note),
  },
  {
    key: "capture", title: "capture", hint: "and why it is not clean",
    sortBy: (one, run) => run && [run.how.capture, run.how.capture_reason].join(" ").trim(),
    cell: (one, run) => reasonCell(run?.how.capture, run?.how.capture_reason),
  },
];

// Columns that would say the same in each row are left out.
function shownColumns() {
  const several = new Set(cases.map((one) => one.backend)).size > 1;
  return columns.filter((column) => (column.key !== "backend" || several)
    && (column.key !== "history" || sets.length > 1));
}

function sorted(rows, key, descending) {
  const column = columns.find((c) => c.key === key) || columns[1];
  const compare = column.numeric ? (a, b) => a - b : compareTexts;
  const missing = (value) => value === undefined || value === "" || value === NONE;
  return [...rows].sort((a, b) => {
    const [left, right] = [column.sortBy(a.one, a.run), column.sortBy(b.one, b.run)];
    if (missing(left) || missing(right)) {  // last, whichever way is up
      return missing(left) - missing(right) || byCase(a.one, b.one);
    }
    return (descending ? compare(right, left) : compare(left, right)) || byCase(a.one, b.one);
  });
}

function byCase(a, b) {
  return compareTexts(a.op, b.op) || compareTexts(a.types, b.types)
    || compareTexts(a.shape, b.shape) || compareTexts(a.impl, b.impl) || a.index - b.index;
}
