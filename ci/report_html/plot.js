// What the plots share: scales, ticks, axes.

function scale([from, to], [low, high]) {
  const factor = (high - low) / (to - from || 1);
  return (value) => low + (value - from) * factor;
}

// About `count` round values within the range.
function ticks([from, to], count) {
  const rough = (to - from) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough * 0.999);
  const found = [];
  for (let i = Math.ceil(from / step - 1e-9); i * step <= to * (1 + 1e-12); ++i) {
    found.push(i * step);
  }
  return {step, values: found};
}

// The range of the values with room around; noise is not drawn larger than `least` of the middle.
function paddedRange(values, middle, least) {
  const low = Math.min(...values, middle * (1 - least));
  const high = Math.max(...values, middle * (1 + least));
  const room = (high - low) * 0.06;
  return [Math.max(0, low - room), high + room];
}

function yAxis(range, y, left, right, title) {
  const {step, values} = ticks(range, 5);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return svg("g", {class: "axis"},
    values.map((value) => [
      svg("line", {class: "grid", x1: left, x2: right, y1: y(value), y2: y(value)}),
      svg("text", {x: left - 7, y: y(value), "text-anchor": "end", "dominant-baseline": "central"},
        value.toFixed(digits)),
    ]),
    svg("text", {class: "title", x: 4, y: 12}, title));
}

function frame(width, height, label, ...children) {
  return svg("svg", {viewBox: `0 0 ${width} ${height}`, class: "plot", role: "img",
    "aria-label": label}, children);
}

function quantile(sorted, q) {
  const place = q * (sorted.length - 1);
  const low = Math.floor(place);
  const next = sorted[Math.min(low + 1, sorted.length - 1)];
  return sorted[low] + (next - sorted[low]) * (place - low);
}

function medianOf(values) {
  return quantile([...values].sort((a, b) => a - b), 0.5);
}
