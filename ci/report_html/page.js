// The page: its state, kept in the address, and what changes it.

const root = document.getElementById("report");
const initial = () => ({set: sets.length - 1, sort: "op", descending: false, words: "",
  choices: {}, open: new Set()});
let state = initial();
const parts = {};

const act = {
  sort(key) {
    // A second press turns the order; numbers begin with the greatest.
    const numeric = Boolean(columns.find((column) => column.key === key).numeric);
    state.descending = state.sort === key ? !state.descending : numeric;
    state.sort = key;
    draw();
    root.querySelector(`[data-sort="${key}"]`).focus();
  },
  toggle(key) {
    if (!state.open.delete(key)) state.open.add(key);
    draw();
    focusCase(key);
  },
  select(set) {
    state.set = set;
    draw();
  },
  choose(key, value) {
    if (value) state.choices[key] = value;
    else delete state.choices[key];
    draw();
  },
  words(text) {
    state.words = text;
    draw();
  },
  clear() {
    state.words = "";
    state.choices = {};
    draw();
    parts.words.focus();
  },
  show(key) {
    state.words = "";
    state.choices = {};
    state.open.add(key);
    draw();
    focusCase(key);
    rowOf(key).scrollIntoView({block: "start"});
  },
};

function rowOf(key) {
  return [...root.querySelectorAll("tr.case")].find((row) => row.dataset.key === key);
}

function focusCase(key) {
  const row = rowOf(key);
  if (!row) return;
  for (const other of root.querySelectorAll("tr.case[tabindex='0']")) other.tabIndex = -1;
  row.tabIndex = 0;
  row.focus({preventScroll: true});
}

function build() {
  parts.sets = h("select", {name: "set", onchange: (event) =>
    act.select(Number(event.target.value))},
  sets.map((set, i) => h("option", {value: i}, setTitle(i))).reverse());
  parts.words = h("input", {type: "search", name: "words", spellcheck: "false",
    placeholder: "Filter: words, -word, latency>100, peak<50", "aria-label": "Filter the cases",
    "aria-keyshortcuts": "/", oninput: (event) => act.words(event.target.value)});
  for (const name of ["banner", "summary", "context", "exceptions", "choices", "table"]) {
    parts[name] = h("div", {class: name});
  }
  parts.clear = h("button", {type: "button", class: "clear", onclick: act.clear}, "Clear");
  parts.filtered = h("p", {class: "print-only"});
  parts.count = h("output", {class: "count", "aria-live": "polite"});
  root.append(
    h("header", {class: "top"},
      h("div", {}, h("h1", {}, data.title),
        h("p", {class: "dim"}, [plural(cases.length, "case"), plural(sets.length, "result set"),
          `page made ${data.made}`].join(" · "))),
      h("label", {class: "choice"}, h("span", {}, "result set"), parts.sets)),
    parts.banner, parts.summary,
    h("div", {class: "overview"},
      h("section", {class: "card"}, h("h2", {}, "Measured on"), parts.context),
      h("section", {class: "card"}, h("h2", {}, "What fell back or is in doubt, and why"),
        parts.exceptions)),
    h("form", {class: "toolbar", role: "search", onsubmit: (event) => event.preventDefault()},
      parts.words, parts.choices,
      parts.clear, parts.filtered, parts.count),
    parts.table, footer());
  document.addEventListener("keydown", shortcut);
  window.addEventListener("hashchange", () => {
    if (location.hash !== written) {
      read();
      draw();
    }
  });
}

function footer() {
  const thinned = cases.flatMap((one) => one.runs).filter((r) => r.samples.length < r.measured);
  return h("footer", {class: "dim"},
    h("p", {class: "keys"}, "A row opens with a click or Enter; arrow keys go from row to row, / "
      + "to the filter, Esc closes. The address holds what is shown."),
    h("p", {}, "A history is for looking: whether a step is a change of the code is for ci/ab.py "
      + "to say."),
    thinned.length ? h("p", {class: "thinned"}, `Samples are thinned for ${plural(thinned.length,
      "run")}: evenly spaced ones and the most extreme are drawn. All statistics are of all `
      + "samples.") : "",
    h("details", {}, h("summary", {}, `Result sets, in the order given (${sets.length})`),
      h("ol", {}, sets.map((set) => h("li", {}, set.path, " ", shortDate(set.date))))));
}

function draw() {
  const fill = (part, ...content) => part.replaceChildren(...content.flat(Infinity)
    .filter((c) => c !== null && c !== ""));
  parts.sets.value = String(state.set);
  if (parts.words.value !== state.words) parts.words.value = state.words;
  fill(parts.banner, standInBanner(state.set));
  fill(parts.summary, summary(state, act.choose));
  fill(parts.context, contextTable(state.set));
  fill(parts.exceptions, exceptionList(state.set, act.show));
  const focused = document.activeElement?.name;
  fill(parts.choices, choiceBoxes(state, act.choose));
  if (focused) parts.choices.querySelector(`[name="${focused}"]`)?.focus();
  const {table, count} = caseTable(state, act);
  fill(parts.table, table);
  parts.clear.hidden = !state.words && !Object.keys(state.choices).length;
  parts.filtered.textContent = [setTitle(state.set), state.words,
    ...Object.entries(state.choices).map(([key, value]) => `${key}: ${value}`)]
    .filter(Boolean).join(" · ");
  parts.count.textContent = count === cases.length ? plural(count, "case")
    : `${count} of ${plural(cases.length, "case")}`;
  write();
}

function shortcut(event) {
  const typing = event.target.closest?.("input, select, textarea");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    parts.words.focus();
    parts.words.select();
  } else if (event.key === "Escape") {
    const below = event.target.closest?.("tr.below");
    const row = below ? below.previousElementSibling : event.target.closest?.("tr.case.open");
    if (row) act.toggle(row.dataset.key);
    else if (event.target === parts.words && state.words) act.words("");
  }
}

let written = "";

function write() {
  const asked = new URLSearchParams();
  if (state.set !== sets.length - 1) asked.set("set", state.set + 1);
  if (state.sort !== "op" || state.descending) {
    asked.set("sort", (state.descending ? "-" : "") + state.sort);
  }
  if (state.words) asked.set("words", state.words);
  for (const [key, value] of Object.entries(state.choices)) asked.set(key, value);
  for (const key of state.open) asked.append("open", key);
  const text = String(asked);
  if (text === location.hash.slice(1)) return;
  history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
  written = location.hash;
}

function read() {
  const asked = new URLSearchParams(location.hash.slice(1));
  state = initial();
  const set = Number(asked.get("set")) - 1;
  if (Number.isInteger(set) && sets[set]) state.set = set;
  const sort = asked.get("sort") || "op";
  state.descending = sort.startsWith("-");
  const key = sort.replace(/^-/, "");
  if (columns.some((column) => column.key === key)) state.sort = key;
  state.words = asked.get("words") || "";
  for (const choice of choices) {
    if (asked.get(choice.key)) state.choices[choice.key] = asked.get(choice.key);
  }
  state.open = new Set(asked.getAll("open").filter((open) =>
    cases.some((one) => one.key === open)));
}

build();
read();
draw();
