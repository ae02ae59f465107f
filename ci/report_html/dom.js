// Elements and numbers. Every text goes in as a text node or an attribute: nothing is parsed.

const SVG = "http://www.w3.org/2000/svg";

// h("td", {class: "number", onclick: f}, "text", element, [more], null)
function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === "") continue;
    element.append(child instanceof Node ? child : document.createTextNode(child));
  }
  return element;
}

const NONE = "–";

function fixed(value, digits) {
  return value === undefined ? NONE : value.toFixed(digits).replace("-", "−");
}

// Microseconds to four digits at least, never in powers of ten.
function microseconds(value) {
  if (value === undefined) return NONE;
  const size = Math.abs(value);
  return fixed(value, size >= 1000 ? 1 : size >= 100 ? 2 : size >= 1 ? 3 : 4);
}

function percent(value) {
  return value === undefined ? NONE : fixed(value, Math.abs(value) < 9.995 ? 2 : 1);
}

function plural(count, one, many = one + "s") {
  return `${count} ${count === 1 ? one : many}`;
}

function pill(text, kind, title) {
  return h("span", {class: `pill ${kind}`, title}, text);
}

const MARK_KINDS = {
  "stand-in": "violet", implausible: "red", untrusted: "amber", "not captured": "blue",
  "not cold": "blue",
};

function verdictKind(verdict) {
  if (verdict === "ok") return "green";
  return verdict === "skipped" || verdict === "no result" ? "grey" : "red";
}
