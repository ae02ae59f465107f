// A case over the result sets: the plot of the details, and the small one of the table.

const HISTORY = {width: 720, height: 264, left: 62, right: 14, top: 24, bottom: 44};

function relied(run) {
  return !run.marks.some((m) => m === "untrusted" || m === "implausible" || m === "stand-in");
}

// Runs between which a line may be drawn: neighbours that may be compared.
function stretches(runs) {
  const found = [];
  for (const run of runs) {
    if (run.latency === undefined) continue;
    if (run.unlike.length || !found.length) found.push([]);
    found.at(-1).push(run);
  }
  return found;
}

function pathThrough(points) {
  return points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
}

function historyPlot(one, selected, select) {
  const {width, height, left, right, top, bottom} = HISTORY;
  const measured = one.runs.filter((run) => run.latency !== undefined);
  const base = height - bottom;
  const last = sets.length - 1;
  const x = last ? scale([0, last], [left + 16, width - right - 16])
    : () => (left + width - right) / 2;
  let y = () => base;
  const parts = [];
  if (measured.length) {
    const values = measured.flatMap((run) => [run.latency, ...run.spread]);
    const range = paddedRange(values, medianOf(measured.map((run) => run.latency)), 0.03);
    y = scale(range, [base, top]);
    parts.push(yAxis(range, y, left, width - right, "latency, us"));
  }
  parts.push(setAxis(x, base));
  for (const run of one.runs) {
    if (run.unlike.length) parts.push(divider(run, x, top, base, "unlike", run.unlike));
    else if (run.changed.length) parts.push(divider(run, x, top, base, "changed", run.changed));
  }
  for (const stretch of stretches(one.runs)) {
    parts.push(svg("path", {class: "line", d: pathThrough(stretch.map((r) =>
      [x(r.set), y(r.latency)]))}));
  }
  parts.push(one.runs.map((run) => point(run, x(run.set), y, base, run.set === selected, select)));
  return h("figure", {class: "history"},
    frame(width, height, `History of ${one.name} over ${plural(sets.length, "result set")}`, parts),
    h("figcaption", {}, caption(one)));
}

function setAxis(x, base) {
  const every = Math.ceil(sets.length / 8);
  return svg("g", {class: "axis"}, sets.map((set, i) => {
    if ((sets.length - 1 - i) % every) return null;
    const [day, minute] = shortDate(set.date).split(" ");
    const lines = day ? [day.slice(5), minute] : [`set ${i + 1}`];
    return svg("text", {x: x(i), y: base + 18, "text-anchor": "middle"}, lines.map((line, k) =>
      svg("tspan", {x: x(i), dy: k ? 14 : 0}, line)), svg("title", {}, setTitle(i)));
  }));
}

function divider(run, x, top, base, kind, reasons) {
  const at = run.set ? (x(run.set) + x(run.set - 1)) / 2 : x(run.set);
  return svg("g", {class: `divider ${kind}`},
    svg("line", {x1: at, x2: at, y1: top, y2: base}),
    svg("rect", {x: at - 5, y: top, width: 10, height: base - top, opacity: 0}),
    svg("title", {}, [
      kind === "unlike" ? "not comparable, base (before) / new:" : "changed, before / now:",
      ...reasons].join("\n")));
}

function point(run, at, y, base, isSelected, select) {
  const classes = ["run", relied(run) ? "" : "doubted", isSelected ? "selected" : ""].join(" ");
  const marks = [];
  if (run.latency === undefined) {
    marks.push(svg("path", {class: "cross", d: `M${at - 4} ${base - 14}l8 8m0 -8l-8 8`}));
  } else {
    if (run.spread.length) {
      const [p5, p25, , p75, p95] = run.spread.map(y);
      marks.push(svg("line", {class: "whisker", x1: at, x2: at, y1: p5, y2: p95}),
        svg("line", {class: "box", x1: at, x2: at, y1: p25, y2: p75}));
    }
    marks.push(svg("circle", {cx: at, cy: y(run.latency), r: isSelected ? 5.5 : 4}));
  }
  return svg("g", {class: classes, onclick: () => select(run.set)},
    svg("rect", {x: at - 9, y: HISTORY.top, width: 18, height: base - HISTORY.top, opacity: 0}),
    marks, svg("title", {}, runTitle(run)));
}

function runTitle(run) {
  const number = run.latency === undefined ? run.how.verdict
    : `${microseconds(run.latency)} us, spread ${percent(run.metrics.cv_pct)} %`;
  return [setTitle(run.set), number, [run.how.method, cacheText(run)].filter(Boolean).join(", "),
    ...run.marks].join("\n");
}

// Explains what occurs in this plot.
function caption(one) {
  const has = (test) => one.runs.some(test);
  const said = [];
  if (has((r) => r.spread.length)) {
    said.push("bars: 5th to 95th and 25th to 75th percentile of a run's samples");
  }
  if (has((r) => r.latency !== undefined && !relied(r))) {
    said.push("hollow: not to be relied on");
  }
  if (has((r) => r.latency === undefined)) said.push("cross: no number");
  if (has((r) => r.unlike.length)) {
    said.push("dashed line: not comparable across it, another method, cache, statistic, schedule, "
      + "device or clock state");
  }
  if (has((r) => r.changed.length && !r.unlike.length)) {
    said.push("dotted line: driver, version, host or power limit changed");
  }
  said.push("the axis does not start at zero");
  return `${said.join(" · ")}.`;
}

// Drawn to at least 10 % around the median: below that a history looks flat, as it should.
function sparkline(one) {
  const [width, height] = [96, 22];
  const measured = one.runs.filter((run) => run.latency !== undefined);
  if (sets.length < 2 || !measured.length) return null;
  const values = measured.map((run) => run.latency);
  const y = scale(paddedRange(values, medianOf(values), 0.1), [height - 2, 2]);
  const x = scale([0, sets.length - 1], [4, width - 4]);
  const parts = [];
  for (const stretch of stretches(one.runs)) {
    const points = stretch.map((run) => [x(run.set), y(run.latency)]);
    parts.push(points.length > 1 ? svg("path", {class: "line", d: pathThrough(points)})
      : svg("circle", {cx: points[0][0], cy: points[0][1], r: 1.3}));
  }
  const end = measured.at(-1);
  parts.push(svg("circle", {class: relied(end) ? "" : "doubted", cx: x(end.set),
    cy: y(end.latency), r: 2.4}));
  return svg("svg", {viewBox: `0 0 ${width} ${height}`, class: "spark", "aria-hidden": "true"},
    parts);
}
