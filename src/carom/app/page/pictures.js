// The pictures of a run: what an answer's numbers become.

import { chart, short } from "../web/chart.js";
import { element } from "../web/elements.js";
import { drawSway } from "../web/sway.js";
import { Clock } from "../web/clock.js";
import { spaceView } from "../web/space_view.js";

const G = 9.80665;
const find = (id) => document.getElementById(id);
const column = (array, i) => array.values.subarray(i * array.shape[1], (i + 1) * array.shape[1]);
const times = (values, factor) => Float32Array.from(values, (value) => value * factor);

/** Units in which a largest value has few digits. */
function sized(values, units) {
  let most = 0;
  for (const value of values) { most = Math.max(most, Math.abs(value)); }
  return units.find(([factor]) => most * factor >= 1) || units[units.length - 1];
}
const FORCES = [[1e-6, "MN"], [1e-3, "kN"], [1, "N"]];
const ENERGIES = [[1e-6, "MJ"], [1e-3, "kJ"], [1, "J"]];

export class RunPictures {
  constructor() {
    this.charts = Object.fromEntries(["histories", "gap", "force", "loop", "spectra", "energy"].map((id) => [id, chart(find(id))]));
    this.last = null;
    this.clock = new Clock((seconds) => this.step(seconds), () => { find("play").textContent = this.clock.playing ? "Pause" : "Play"; });
    find("play").addEventListener("click", () => (this.clock.playing ? this.clock.pause() : this.clock.play()));
    find("moment").addEventListener("input", () => { this.at = Number(find("moment").value); this.sway(); });
    new ResizeObserver(() => this.sway()).observe(find("sway"));
    this.at = 0;
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
    find("gap-title").textContent = label ? "Distance left, " + label : "Distance left";
    const [factor, unit] = sized(arrays.blows.values, said.rigid ? [[1e-3, "kN·s"], [1, "N·s"]] : FORCES);
    if (arrays.gap) {
      this.charts.gap.draw({ x: { label: "time [s]" }, y: { label: "distance left [mm]" }, zero: true, curves: [{ x: time, y: times(arrays.gap.values, 1e3) }] });
      const mine = [...arrays.struck.values.keys()].filter((i) => arrays.struck.values[i] === said.contact);
      this.charts.force.draw({
        x: { label: "time [s]", range: [time[0], time[time.length - 1]] }, y: { label: `force [${unit}]` }, zero: true,
        curves: [{ x: time, y: times(arrays.force.values, factor), series: 1 }],
        marks: mine.map((i) => ({ x: arrays.starts.values[i] + 0.5 * arrays.durations.values[i], y: factor * arrays.blows.values[i] })),
      });
    }
    const energies = Object.keys(arrays).filter((name) => name.startsWith("energy "));
    const [joules, energy] = sized(energies.flatMap((name) => [Math.max(...arrays[name].values)]), ENERGIES);
    this.charts.energy.draw({
      x: { label: "time [s]" }, y: { label: `energy [${energy}]` }, zero: true,
      curves: energies.map((name, i) => ({ x: arrays.moments.values, y: times(arrays[name].values, joules), name: name.slice(7), series: i })),
    });
    find("sentences").replaceChildren(...said.sentences.map((one) => element("li", {}, one)));
    this.tables(said);
    find("in-line").hidden = said.in_space;
    find("in-space").hidden = !said.in_space;
    if (said.in_space) { return; }
    const moment = find("moment");
    moment.max = String(arrays.moments.values.length - 1);
    if (this.at > Number(moment.max)) { this.at = 0; }
    this.sway();
  }

  /** What takes longer and comes once nothing is moved. */
  closer(said) {
    const { arrays } = said, names = this.last.structures.map((one) => one.name);
    const [factor, unit] = sized(this.last.arrays.blows.values, this.last.rigid ? [[1e-3, "kN·s"], [1, "N·s"]] : FORCES);
    const loop = arrays.loop ? [{ x: times(arrays.overlap.values, 1e3), y: times(arrays.loop.values, factor), series: 1 }] : [];
    this.charts.loop.draw({ x: { label: "overlap [mm]", range: loop.length ? undefined : [0, 1] }, y: { label: `force [${unit}]`, range: loop.length ? undefined : [0, 1] }, zero: true, curves: loop });
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
    find("sentences").replaceChildren(...said.sentences.map((one) => element("li", {}, one)));
    find("cautions").replaceChildren(...said.cautions.map((one) => element("li", {}, one)));
    if (said.space) { this.turn(said.space); }
  }

  tables(said) {
    const head = (...words) => element("tr", {}, ...words.map((one) => element("th", { scope: "col" }, one)));
    const row = (...words) => element("tr", {}, ...words.map((one) => element("td", {}, one)));
    const times = ([with_, without]) => (without > 0 ? short(with_ / without) + " ×" : "–");
    find("amplification").replaceChildren(
      head("structure", "displacement", "acceleration", "drift"),
      ...said.structures.map((one) => row(one.name, `${short(1e3 * one.displacement[0])} mm, ${times(one.displacement)}`, `${short(one.acceleration[0] / G)} g, ${times(one.acceleration)}`, short(1e3 * one.drift) + " mm")),
    );
    find("contacts").replaceChildren(
      head("contact", "gap [mm]", "gap enough [mm]", "impacts"),
      ...said.contacts.map((one) => row(one.label, short(1e3 * one.gap), short(1e3 * Math.max(0, one.needed)), String(one.hits))),
    );
  }

  /** Structures in space, seen from where they were seen before. */
  turn(told) {
    const before = this.view && this.view.camera;
    if (this.view) { this.view.end(); }
    this.view = spaceView(find("space"), told);
    if (!before) { return; }
    const { azimuth, elevation, zoom, shift } = before;
    Object.assign(this.view.camera, { azimuth, elevation, zoom, shift });
    this.view.camera.turned();
    this.view.camera.fill();
    this.view.draw();
  }

  step(seconds) {
    const moments = this.last && this.last.arrays.moments.values;
    if (!moments) { return; }
    const rate = (moments.length - 1) / (moments[moments.length - 1] - moments[0]);
    this.at = (this.at + seconds * rate) % (moments.length - 1);
    this.sway();
  }

  sway() {
    const said = this.last;
    if (!said || said.in_space) { return; }
    const { moments, sway, starts, durations, struck } = said.arrays, at = Math.floor(this.at), now = moments.values[at];
    const closed = new Set();
    const apart = moments.values.length > 1 ? moments.values[1] - moments.values[0] : 0;
    starts.values.forEach((start, i) => { if (start <= now + apart && start + Math.max(durations.values[i], 0.06) >= now) { closed.add(struck.values[i]); } });
    const largest = Math.max(...said.structures.map((one) => one.displacement[0]), 0);
    drawSway(find("sway"), {
      standings: said.standings, structures: said.structures, contacts: said.contacts, sway: sway.values, floors: sway.shape[1], closed, largest,
      gap: Math.max(0, ...said.contacts.map((one) => one.gap)),
    }, at);
    find("moment").value = String(at);
    find("clock").textContent = now.toFixed(2) + " s";
  }
}
