// Sliders, one for each quantity that may be moved, and lists of laws and motions.

import { choice, element } from "./elements.js";
import { short } from "./chart.js";

const SLIDER_STEPS = 400;  // of a slider

/** A slider of a control; `moved` is called with its path and its value in SI. */
export function slider(control, moved) {
  const { low, high, equal_ratios: ratios } = control;
  const share = (value) => (ratios ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low));
  const value = (at) => (ratios ? low * (high / low) ** at : low + at * (high - low));
  const input = element("input", { type: "range", min: 0, max: SLIDER_STEPS, step: 1, "data-path": control.path });
  const output = element("output", {});
  const words = (now) => (control.unit === "×" ? "× " : "") + short(now * control.factor) + (control.unit && control.unit !== "×" ? " " + control.unit : "");
  const show = (now) => { output.textContent = words(now); input.setAttribute("aria-valuetext", words(now)); };
  const set = (now) => { input.value = String(Math.round(SLIDER_STEPS * share(now))); show(now); };
  input.addEventListener("input", () => { const now = value(Number(input.value) / SLIDER_STEPS); show(now); moved(control.path, now); });
  set(control.value);
  const label = element("label", { class: "control" }, element("span", {}, control.title), output, input);
  return { whole: label, reset: () => set(control.value) };
}

/** All sliders of a scenario, those of one thing under one heading, and for each law a list to choose from. */
export function controlsOf(told, moved, chosen) {
  const groups = new Map();
  const resets = [];
  const group = (name) => {
    if (!groups.has(name)) { groups.set(name, element("fieldset", {}, element("legend", {}, name))); }
    return groups.get(name);
  };
  for (const control of told.controls.filter((one) => one.path.startsWith("contacts."))) { add(control); }
  for (const [name, law] of Object.entries(told.laws)) {
    if (!told.catalogue.some((one) => one.name === law)) { continue; }
    const list = choice("law", told.catalogue.map((one) => [one.name, one.title]), law);
    list.whole.className = "control";
    list.select.addEventListener("change", () => chosen(name, list.select.value));
    resets.push(() => { list.select.value = law; });
    group(name).append(list.whole);
  }
  for (const control of told.controls.filter((one) => !one.path.startsWith("contacts."))) { add(control); }

  function add(control) {
    const made = slider(control, moved);
    resets.push(made.reset);
    group(control.group).append(made.whole);
  }
  return { whole: [...groups.values()], reset: () => resets.forEach((one) => one()) };
}

/** What shakes the ground: a list of records where there are several, and how strong they are. */
export function shakingOf(told, wish, changed) {
  const parts = [];
  if (told.motions.length) {
    const list = choice("motion", told.motions.map((name) => [name, name]), wish.motion || told.motions[0]);
    list.whole.className = "control";
    list.select.addEventListener("change", () => { wish.motion = list.select.value; changed(); });
    parts.push(list.whole);
  }
  if (told.pga > 0) {
    const control = { path: "pga", title: "peak ground acceleration", unit: "g", factor: 1, value: wish.pga || told.pga, low: 0.02, high: Math.max(1.5, 2 * told.pga), equal_ratios: false };
    parts.push(slider(control, (_, value) => { wish.pga = value; changed(); }).whole);
  }
  return parts;
}

/** What a run came to, in a line. */
export function inShort(said) {
  const blow = said.force ? `, hardest ${short(said.force / 1e6)} MN` : "";
  const crowd = said.coarse ? "; coarse, since others wait" : "";
  return `${said.impacts} impact${said.impacts === 1 ? "" : "s"}${blow}; computed in ${Math.round(1e3 * said.seconds)} ms${crowd}`;
}

/** A number to type. */
export function numeric(label, value, changed) {
  const input = element("input", { type: "number", step: "any", value });
  input.addEventListener("input", changed);
  return { whole: element("label", {}, label + " ", input), value: () => Number(input.value) };
}
