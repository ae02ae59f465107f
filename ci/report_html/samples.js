// The samples of one run in the order of measurement, and how they are distributed.

const SAMPLES = {width: 560, height: 264, left: 62, right: 70, top: 24, bottom: 34};

function samplesPlot(run) {
  const {width, height, left, right, top, bottom} = SAMPLES;
  const count = run.samples.length;
  const base = height - bottom;
  const edge = width - right;
  const range = paddedRange([...run.samples, run.latency], run.latency, 0.005);
  const y = scale(range, [base, top]);
  const x = scale([0, Math.max(1, count - 1)], [left + 8, edge - 8]);
  const radius = count > 150 ? 1.7 : count > 40 ? 2.3 : 3;
  const latency = y(run.latency);
  return h("figure", {class: "samples"},
    frame(width, height, `${plural(run.measured, "sample")} of the run in ${setTitle(run.set)}`,
      yAxis(range, y, left, edge, "sample, us"),
      svg("g", {class: "axis"},
        svg("text", {x: left, y: base + 20}, "first"),
        svg("text", {x: edge, y: base + 20, "text-anchor": "end"}, "last")),
      histogram(run.samples, range, y, edge + 6, width - edge - 12),
      svg("line", {class: "level", x1: left, x2: edge, y1: latency, y2: latency}),
      svg("g", {class: "dots"}, run.samples.map((us, i) =>
        svg("circle", {cx: x(i).toFixed(1), cy: y(us).toFixed(1), r: radius})))),
    h("figcaption", {}, samplesCaption(run)));
}

function histogram(values, range, y, left, room) {
  const bins = 28;
  const counts = new Array(bins).fill(0);
  const bin = scale(range, [0, bins]);
  for (const value of values) counts[Math.min(bins - 1, Math.floor(bin(value)))] += 1;
  const most = Math.max(...counts);
  const value = scale([0, bins], range);
  return svg("g", {class: "bars"}, counts.map((count, i) => count && svg("rect", {
    x: left, width: (room * count / most).toFixed(1), y: y(value(i + 1)).toFixed(1),
    height: Math.max(1, y(value(i)) - y(value(i + 1)) - 1).toFixed(1)}) || null));
}

function samplesCaption(run) {
  const what = `line: latency_us, the ${run.how.statistic || "statistic"} of all`;
  const drawn = run.samples.length < run.measured
    ? `${run.samples.length} of ${run.measured} samples drawn: evenly spaced ones, and the most `
      + "extreme"
    : plural(run.measured, "sample");
  return `${drawn} · ${what}.`;
}
