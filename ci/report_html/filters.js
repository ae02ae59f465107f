// Which cases are shown: words to find, and values to choose.

const choices = [
  {key: "backend", of: (one) => [one.backend]},
  {key: "op", of: (one) => [one.op]},
  {key: "impl", of: (one) => [one.impl]},
  {key: "types", of: (one) => [one.types]},
  {key: "method", of: (one, run) => [run?.how.method]},
  {key: "cache", of: (one, run) => [run && cacheText(run)]},
  {key: "capture", of: (one, run) => [run?.how.capture]},
  // The tiles above the table offer these two.
  {key: "verdict", tiles: true, of: (one, run) => [run ? run.how.verdict : "no result"]},
  {key: "mark", tiles: true, of: (one, run) => run?.marks || []},
];

const NUMBER = /^(latency|spread|peak|speedup|eager)(<=?|>=?)(\d*\.?\d+)$/;

// `add bf16 -own latency>100`: all words must hold; a minus excludes.
function wordTests(text) {
  return text.trim().toLowerCase().split(/\s+/).filter(Boolean).map((word) => {
    const numbers = NUMBER.exec(word);
    if (numbers) {
      const [, key, sign, bound] = numbers;
      const column = columns.find((c) => c.key === key);
      return (one, run) => holds(column.sortBy(one, run), sign, Number(bound));
    }
    if (word.length > 1 && word.startsWith("-")) {
      return (one, run) => !searched(one, run).includes(word.slice(1));
    }
    return (one, run) => searched(one, run).includes(word);
  });
}

function holds(value, sign, bound) {
  if (value === undefined) return false;
  const more = sign.startsWith(">") ? value > bound : value < bound;
  return more || (sign.endsWith("=") && value === bound);
}

function searched(one, run) {
  const parts = [one.backend, one.name];
  if (run) {
    const {how, context} = run;
    parts.push(how.verdict, how.message, how.method, cacheText(run), how.capture, reasonText(run),
      context.device, ...run.marks, ...(how.untrusted || []), how.implausible);
  }
  return parts.filter(Boolean).join("\n").toLowerCase();
}

// {one, run} of each case that passes.
function chosen(state) {
  const tests = wordTests(state.words);
  const asked = choices.filter((choice) => state.choices[choice.key]);
  return cases.map((one) => ({one, run: one.inSet.get(state.set)})).filter(({one, run}) =>
    tests.every((test) => test(one, run))
    && asked.every((choice) => choice.of(one, run).includes(state.choices[choice.key])));
}

// A box for each choice with more than one value; the values with how many cases have them.
function choiceBoxes(state, changed) {
  return choices.map((choice) => {
    const counts = new Map();
    for (const one of cases) {
      for (const value of choice.of(one, one.inSet.get(state.set))) {
        if (value && value !== NONE) counts.set(value, (counts.get(value) || 0) + 1);
      }
    }
    const now = state.choices[choice.key];
    if (now && !counts.has(now)) counts.set(now, 0);
    if (choice.tiles || (counts.size < 2 && !now)) return null;
    const values = [...counts.keys()].sort(compareTexts);
    return h("label", {class: now ? "choice set" : "choice"}, h("span", {}, choice.key),
      h("select", {name: choice.key, onchange: (event) => changed(choice.key, event.target.value)},
        h("option", {value: ""}, "all"),
        values.map((value) => h("option", {value, selected: value === now},
          `${clipped(value, 40)} (${counts.get(value)})`))));
  });
}

function clipped(text, most) {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
