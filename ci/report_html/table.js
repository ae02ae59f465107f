// The table of cases: its head sorts, its rows open.

function caseTable(state, act) {
  const shown = shownColumns();
  const rows = sorted(chosen(state), state.sort, state.descending);
  const body = h("tbody", {});
  rows.forEach(({one, run}, place) => body.append(...rowsOf(one, run, shown, state, act, place)));
  if (!rows.length) {
    body.append(h("tr", {}, h("td", {class: "nothing", colspan: shown.length},
      "No case passes the filter. ",
      h("button", {class: "link", onclick: act.clear}, "Show all cases"))));
  }
  const table = h("table", {class: "cases", "aria-label": "Cases"},
    h("thead", {}, h("tr", {}, shown.map((column) => headCell(column, state, act)))), body);
  body.addEventListener("keydown", (event) => moveFocus(event, body));
  return {table, count: rows.length};
}

function headCell(column, state, act) {
  const sortedBy = state.sort === column.key;
  const direction = state.descending ? "descending" : "ascending";
  return h("th", {scope: "col", class: column.numeric ? "number" : null,
    "aria-sort": sortedBy ? direction : "none"},
  h("button", {title: column.hint, "data-sort": column.key, onclick: () => act.sort(column.key)},
    column.title, h("span", {class: "arrow", "aria-hidden": "true"},
      sortedBy ? (state.descending ? "▼" : "▲") : "")));
}

function rowsOf(one, run, shown, state, act, place) {
  const open = state.open.has(one.key);
  const id = `case-${one.index}`;
  const toggle = () => act.toggle(one.key);
  const row = h("tr", {id, class: open ? "case open" : "case", tabindex: place ? -1 : 0,
    "aria-expanded": String(open), "data-key": one.key,
    onclick: (event) => {
      // A text that was selected to be copied is no click.
      if (!String(window.getSelection()) && !event.target.closest("button, a")) toggle();
    },
    onkeydown: (event) => {
      if (event.target === row && (event.key === "Enter" || event.key === " ")) {
        event.preventDefault();
        toggle();
      }
    }},
  shown.map((column) => column.cell(one, run)));
  if (!open) return [row];
  return [row, h("tr", {class: "below"}, h("td", {colspan: shown.length},
    details(one, state.set, act.select)))];
}

// One row is a stop of the Tab key; the arrows go from row to row.
function moveFocus(event, body) {
  const row = event.target.closest("tr.case");
  if (!row || event.target !== row) return;
  const all = [...body.querySelectorAll("tr.case")];
  const at = all.indexOf(row);
  const next = {ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1}[event.key];
  if (next === undefined || !all[next]) return;
  event.preventDefault();
  row.tabIndex = -1;
  all[next].tabIndex = 0;
  all[next].focus();
}
