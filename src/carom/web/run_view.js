// The pictures of a run: what an answer's numbers become. One component for app and notebook.

import { chart, short } from "./chart.js";
import { element } from "./elements.js";
import { spaceView } from "./space_view.js";
import { swayView } from "./sway_view.js";

const G = 9.80665;
const CHARTS = ["histories", "gap", "force", "loop", "spectra", "energy"];
const FORCES = [[1e-6, "MN"], [1e-3, "kN"], [1, "N"]];
const IMPULSES = [[1e-3, "kN·s"], [1, "N·s"]];
const ENERGIES = [[1e-6, "MJ"], [1e-3, "kJ"], [1, "J"]];

const column = (array, i) => array.values.subarray(i * array.shape[1], (i + 1) * array.shape[1]);
const times = (values, factor) => Float32Array.from(values, (value) => value * factor);

/** Units in which a largest value has few digits. */
function sized(values, units) {
  let most = 0;
  for (const value of values) { most = Math.max(most, Math.abs(value)); }
  return units.find(([factor]) => most * factor >= 1) || units[units.length - 1];
}

/** The cards, their parts by name. */
function laidOut(root) {
  const parts = {};
  const part = (name, kind, attributes = {}) => (parts[name] = element(kind, { "data-part": name, ...attributes }));
  const card = (title, content, wide = false) => element("figure", wide ? { class: "wide" } : {}, element("figcaption", {}, title), content);
  const canvas = (name, words) => part(name, "canvas", { role: "img", "aria-label": words });
  const table = (name) => element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": name }, part(name, "table"));
  parts.inLine = card("Sway", part("sway", "div"), true);
  parts.inSpace = card("In space: drag to turn", part("space", "div"), true);
  parts.inSpace.hidden = true;
  parts.gapTitle = element("span", {}, "Distance left");
  root.classList.add("carom-run");
  root.replaceChildren(
    part("sentences", "ul"),
    element("div", { class: "cards" }, parts.inLine, parts.inSpace,
      card("Highest floors", canvas("histories", "Displacements over time"), true),
      card(parts.gapTitle, canvas("gap", "Distance left over time")),
      card("Contact force, impacts marked", canvas("force", "Contact force over time")),
      card("Hardest impact: force over overlap", canvas("loop", "Force over overlap")),
      card("Floor spectra of the highest floors", canvas("spectra", "Pseudo-acceleration over period")),
      card("Where the energy goes", canvas("energy", "Energies over time")),
      card("Against the twin without contact", table("amplification")),
      card("Contacts", table("contacts"), true)),
    part("cautions", "ul", { class: "cautions" }),
  );
  return parts;
}

export class RunView {
  constructor(root) {
    this.parts = laidOut(root);
    this.charts = Object.fromEntries(CHARTS.map((name) => [name, chart(this.parts[name])]));
    this.swaying = swayView(this.parts.sway, 300);
    this.last = null;
  }

  show(said) {
    this.last = said;
    const { arrays } = said;
    const time = arrays.time.values;
    const names = said.structures.map((one) => one.name);
    this.charts.histories.draw({
      height: 210, x: { label: "time [s]" }, y: { label: "displacement [mm]" },
      curves: names.flatMap((name, i) => [
        { x: time, y: times(column(arrays["tops without"], i), 1e3), grey: true, dashed: i > 0 },
        { x: time, y: times(column(arrays.tops, i), 1e3), name, series: i },
      ]),
    });
    const label = said.contacts[said.contact] ? said.contacts[said.contact].label : "";
    this.parts.gapTitle.textContent = label ? "Distance left, " + label : "Distance left";
    if (arrays.gap) { this.contact(said, time); }
    const energies = Object.keys(arrays).filter((name) => name.startsWith("energy "));
    const [joules, energy] = sized(energies.flatMap((name) => [Math.max(...arrays[name].values)]), ENERGIES);
    this.charts.energy.draw({
      x: { label: "time [s]" }, y: { label: `energy [${energy}]` }, zero: true,
      curves: energies.map((name, i) => ({ x: arrays.moments.values, y: times(arrays[name].values, joules), name: name.slice(7), series: i })),
    });
    this.parts.sentences.replaceChildren(...said.sentences.map((one) => element("li", {}, one)));
    this.tables(said);
    this.parts.inLine.hidden = !said.line;
    this.parts.inSpace.hidden = !said.in_space;
    if (said.line) { this.swaying.show({ ...said.line, values: arrays.sway.values, columns: arrays.sway.shape[1] }); }
  }

  contact(said, time) {
    const { arrays } = said, [factor, unit] = sized(arrays.blows.values, said.rigid ? IMPULSES : FORCES);
    this.charts.gap.draw({ x: { label: "time [s]" }, y: { label: "distance left [mm]" }, zero: true, curves: [{ x: time, y: times(arrays.gap.values, 1e3) }] });
    const mine = [...arrays.struck.values.keys()].filter((i) => arrays.struck.values[i] === said.contact);
    this.charts.force.draw({
      x: { label: "time [s]", range: [time[0], time[time.length - 1]] }, y: { label: `force [${unit}]` }, zero: true,
      curves: [{ x: time, y: times(arrays.force.values, factor), series: 1 }],
      marks: mine.map((i) => ({ x: arrays.starts.values[i] + 0.5 * arrays.durations.values[i], y: factor * arrays.blows.values[i] })),
    });
  }

  /** What takes longer and comes once nothing is moved. */
  closer(said) {
    const { arrays } = said, names = this.last.structures.map((one) => one.name);
    const [factor, unit] = sized(this.last.arrays.blows.values, this.last.rigid ? IMPULSES : FORCES);
    const loop = arrays.loop ? [{ x: times(arrays.overlap.values, 1e3), y: times(arrays.loop.values, factor), series: 1 }] : [];
    const range = loop.length ? undefined : [0, 1];
    this.charts.loop.draw({ x: { label: "overlap [mm]", range }, y: { label: `force [${unit}]`, range }, zero: true, curves: loop });
    if (arrays.periods) {
      const periods = arrays.periods.values;
      this.charts.spectra.draw({
        x: { label: "period [s]", log: true, range: [periods[0], periods[periods.length - 1]] }, y: { label: "PSA [g]" }, zero: true,
        curves: names.flatMap((name, i) => [
          { x: periods, y: times(column(arrays["psa without"], i), 1 / G), grey: true, dashed: i > 0 },
          { x: periods, y: times(column(arrays.psa, i), 1 / G), name, series: i },
        ]),
      });
    }
    this.parts.sentences.replaceChildren(...said.sentences.map((one) => element("li", {}, one)));
    this.parts.cautions.replaceChildren(...said.cautions.map((one) => element("li", {}, one)));
    if (said.space) { this.turn(said.space); }
  }

  tables(said) {
    const head = (...words) => element("tr", {}, ...words.map((one) => element("th", { scope: "col" }, one)));
    const row = (...words) => element("tr", {}, ...words.map((one) => element("td", {}, one)));
    const against = ([with_, without]) => (without > 0 ? short(with_ / without) + " ×" : "–");
    this.parts.amplification.replaceChildren(
      head("structure", "displacement", "acceleration", "drift"),
      ...said.structures.map((one) => row(one.name, `${short(1e3 * one.displacement[0])} mm, ${against(one.displacement)}`, `${short(one.acceleration[0] / G)} g, ${against(one.acceleration)}`, short(1e3 * one.drift) + " mm")),
    );
    this.parts.contacts.replaceChildren(
      head("contact", "gap [mm]", "gap enough [mm]", "impacts"),
      ...said.contacts.map((one) => row(one.label, short(1e3 * one.gap), short(1e3 * Math.max(0, one.needed)), String(one.hits))),
    );
  }

  /** Structures in space, seen from where they were seen before. */
  turn(told) {
    const before = this.view && this.view.camera;
    if (this.view) { this.view.end(); }
    this.view = spaceView(this.parts.space, told);
    if (!before) { return; }
    const { azimuth, elevation, zoom, shift } = before;
    Object.assign(this.view.camera, { azimuth, elevation, zoom, shift });
    this.view.camera.turned();
    this.view.camera.fill();
    this.view.draw();
  }
}
