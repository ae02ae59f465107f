// The page's data as objects: sets, and cases with their runs.

const data = JSON.parse(document.getElementById("data").textContent);
const sets = data.sets;

const cases = data.cases.map((packed, index) => {
  const [backend, op, impl, types, shape] = packed.id;
  const runs = packed.runs.map((row) => unpacked(row));
  const name = [op, impl, types, shape].filter(Boolean).join("/");
  const one = {index, backend, op, impl, types, shape, name, key: `${backend}/${name}`, runs};
  one.inSet = new Map(runs.map((run) => [run.set, run]));
  return one;
});

function unpacked(row) {
  const run = {};
  data.run_fields.forEach((field, i) => { run[field] = row[i]; });
  run.how = data.how[run.how];
  run.context = data.contexts[run.context];
  const metrics = {};
  run.metrics.forEach((value, i) => { if (value !== null) metrics[data.metrics[i]] = value; });
  run.metrics = metrics;
  run.marks = run.how.marks || [];
  run.latency = metrics.latency_us;
  return run;
}

function setTitle(index) {
  const {label, date} = sets[index];
  return date ? `${label} (${shortDate(date)})` : label;
}

// 2026-11-30T11:51:56Z -> 2026-11-30 11:51
function shortDate(date) {
  return date.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*$/, "$1 $2");
}

// Rotation is how cold is reached where nothing is said.
function cacheText(run) {
  const {cache, cold_by: by} = run.how;
  return by && by !== "rotation" && cache !== "warm" ? `${cache}, by ${by}` : cache || NONE;
}

// Why there is no number, or why it came about otherwise than asked.
function reasonText(run) {
  return [run.how.capture_reason, run.how.cache_note].filter(Boolean).join("; ");
}

// Numbers in texts are compared as numbers: the shape 64x8 comes before 1024x8.
const collator = new Intl.Collator("en", {numeric: true});

function compareTexts(a, b) {
  return collator.compare(a, b);
}
