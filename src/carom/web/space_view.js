// Structures in space that are turned, shaken, and shown in their modes: one component for report, app and notebook.

import { Camera, VIEWS } from "./camera.js";
import { Clock, beforeNextFrame } from "./clock.js";
import { forceScale, theme } from "./colours.js";
import { choice, element } from "./elements.js";
import { steer } from "./gestures.js";
import { crisp } from "./paper.js";
import { Skeleton } from "./skeleton.js";
import { drawScene, freshImpacts } from "./space_scene.js";

const STEPS = 400;  // of the slider of magnification
const MODE_SECONDS = 2;  // that a mode shape takes to swing once
const MODE_SIZE = 0.09;  // how far it swings, of the size of the scene
const TURNING = "Drag to turn, with two fingers or Ctrl and wheel to zoom; with keys: arrows, + and −, Home, space.";

/**
 * Put a turnable picture into an element; `told` is what `carom.reports.runs.space_data` writes.
 * Returns what tests and neighbours need: camera, clock, `draw()`, `end()`, and how many pictures were drawn.
 */
export function spaceView(root, told) {
  const skeletons = told.structures.map((one) => new Skeleton(one));
  const samples = told.samples, last = samples - 1;
  const first = told.impacts.length ? (told.impacts[0].time - told.begin) * told.rate : 0;
  const state = { magnified: told.magnified, colouring: -1, largest: 1, showRest: true, sample: Math.min(last, Math.max(0, first)), fresh: [], mode: null, phase: 0.25 };
  const scene = { skeletons, contacts: told.contacts, grid: null };
  for (const one of skeletons) { one.places = new Float32Array(one.points.length); one.restPlaces = new Float32Array(one.points.length); }

  const canvas = element("canvas", { tabindex: "0", role: "application", "aria-label": "The structures in space. " + TURNING });
  const pen = canvas.getContext("2d", { alpha: false });
  const play = element("button", { type: "button", class: "play" }, "Play");
  const moment = element("input", { type: "range", class: "moment", min: 0, max: last, step: 1, value: 0, "aria-label": "Moment" });
  const clockFace = element("output", { class: "clock" });
  const speed = choice("speed", [["0.1", "1/10"], ["0.25", "1/4"], ["1", "1"], ["2", "2"]], "1");
  const kinds = skeletons.flatMap((one) => one.forces ? one.forces.kinds : []).map((kind) => kind.name);
  const forceNames = kinds.filter((name, i) => kinds.indexOf(name) === i);
  const shown = choice("show", [["motion", "the motion"], ...skeletons.flatMap((one, i) => one.modes.map((mode, k) =>
    [i + "-" + k, `${one.name}, mode ${k + 1}: ${Number(mode.frequency.toPrecision(4))} Hz`]))], "motion");
  const colour = choice("members by", [["-1", "structure"], ...forceNames.map((name, i) => [String(i), name])], "-1");
  const size = element("input", { type: "range", class: "size", min: 0, max: STEPS, value: 0, "aria-label": "Magnification of displacements and gaps" });
  const sizeFace = element("output", { class: "magnified" });
  const resting = element("input", { type: "checkbox", checked: "" });
  const views = Object.keys(VIEWS).map((name) => element("button", { type: "button", "data-view": name }, name));
  const legend = element("div", { class: "forces", hidden: "" });
  root.classList.add("carom-view");
  root.replaceChildren(
    canvas, legend,
    element("div", { class: "controls" }, play, moment, clockFace, speed.whole),
    element("div", { class: "controls" }, shown.whole, ...(forceNames.length ? [colour.whole] : []),
      element("label", {}, "magnified ", size, " ", sizeFace), element("label", {}, resting, " at rest"),
      element("span", { class: "views", role: "group", "aria-label": "View" }, ...views)),
  );

  // magnification runs from 1 to four times what the page begins with, in equal ratios
  const most = Math.log(Math.max(4 * told.magnified, 2));
  size.value = String(Math.round(STEPS * Math.log(Math.max(told.magnified, 1)) / most));

  let camera = null, look = theme(root);
  const view = { canvas, draws: 0, spent: 0, clock: null, camera: null, draw, end };

  function stand() {
    for (const one of skeletons) { one.stand(state.magnified); one.now.set(one.rest); }
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (const one of skeletons) {
      for (let i = 0; i < one.rest.length; i++) { low[i % 3] = Math.min(low[i % 3], one.rest[i]); high[i % 3] = Math.max(high[i % 3], one.rest[i]); }
    }
    scene.grid = grid(low, high);
    return [low, high];
  }

  function pose() {
    state.fresh = [];
    if (state.mode) {
      const { skeleton, shape, amount } = state.mode, swing = amount * state.magnified / told.magnified * Math.sin(2 * Math.PI * state.phase);
      for (const one of skeletons) { one === skeleton ? one.move(shape, swing) : one.now.set(one.rest); }
      return;
    }
    for (const one of skeletons) { one.results ? one.move(one.at(state.sample), state.magnified) : one.now.set(one.rest); }
    state.fresh = freshImpacts(told.impacts, told.begin + state.sample / told.rate, 0.5 / told.rate);
  }

  function draw() {
    const begin = performance.now();
    pose();
    drawScene(pen, scene, camera, look, state);
    const now = state.mode ? state.mode.told : (told.begin + state.sample / told.rate).toFixed(2) + " s";
    if (clockFace.textContent !== now) { clockFace.textContent = now; }
    if (!state.mode) { moment.value = String(Math.round(state.sample)); }
    view.draws += 1;
    view.spent += performance.now() - begin;
  }
  const later = beforeNextFrame(draw);

  function fit() {
    const width = root.clientWidth || 960, height = Math.round(Math.min(Math.max(0.58 * width, 320), 0.78 * window.innerHeight, 620));
    crisp(canvas, width, height);
    camera.fit(width, height, 30);
  }

  function colours() {
    look = theme(root);
    if (state.colouring < 0) { legend.hidden = true; return; }
    const told = skeletons.flatMap((one) => one.forces ? [one.forces.kinds[state.colouring]] : []);
    state.largest = Math.max(...told.map((kind) => kind.largest));
    const scale = forceScale(told[0].signed, look), top = told.reduce((a, b) => a.largest > b.largest ? a : b).words;
    const bar = element("i", { style: `background: linear-gradient(90deg, ${scale.colours.join(", ")})` });
    legend.hidden = false;
    legend.replaceChildren(told[0].signed ? "compression" : "0", bar, told[0].signed ? `tension, ${top}` : top);
  }

  view.clock = new Clock((seconds) => {
    if (state.mode) { state.phase += seconds * Number(speed.select.value) / MODE_SECONDS; } else {
      state.sample += seconds * told.rate * Number(speed.select.value);
      if (state.sample >= last) { state.sample = last; view.clock.pause(); }
    }
    draw();
  }, () => { play.textContent = view.clock.playing ? "Pause" : "Play"; });

  function toggle() {
    if (view.clock.playing) { view.clock.pause(); return; }
    if (!state.mode && state.sample >= last) { state.sample = 0; }
    view.clock.play();
  }

  play.addEventListener("click", toggle);
  canvas.addEventListener("keydown", (event) => { if (event.key === " ") { event.preventDefault(); toggle(); } });
  moment.addEventListener("input", () => { view.clock.pause(); state.sample = Number(moment.value); later(); });
  size.addEventListener("input", () => { state.magnified = Math.exp(most * Number(size.value) / STEPS); stand(); magnification(); later(); });
  resting.addEventListener("change", () => { state.showRest = resting.checked; later(); });
  colour.select.addEventListener("change", () => { state.colouring = Number(colour.select.value); colours(); later(); });
  shown.select.addEventListener("change", () => {
    const [structure, mode] = shown.select.value.split("-").map(Number);
    state.mode = null;
    if (shown.select.value !== "motion") {
      const skeleton = skeletons[structure], { shape, frequency } = skeleton.modes[mode];
      state.mode = { skeleton, shape, told: Number(frequency.toPrecision(4)) + " Hz", amount: MODE_SIZE * camera.radius / (skeleton.largest(shape) || 1) };
      state.phase = 0.25;
      view.clock.play();
    } else { view.clock.pause(); }
    moment.disabled = Boolean(state.mode);
    colour.select.disabled = Boolean(state.mode);
    state.colouring = state.mode ? -1 : Number(colour.select.value);
    colours();
    later();
  });
  views.forEach((button) => button.addEventListener("click", () => { camera.look(button.dataset.view); later(); }));
  canvas.addEventListener("dblclick", () => { camera.look("in space"); later(); });

  function magnification() { sizeFace.textContent = "× " + Number(state.magnified.toPrecision(2)); }

  camera = view.camera = new Camera(...stand());
  magnification();
  steer(canvas, camera, () => { if (!view.clock.playing) { later(); } });
  const resized = new ResizeObserver(() => { fit(); later(); }), darkness = matchMedia("(prefers-color-scheme: dark)");
  const recoloured = () => { colours(); later(); };
  resized.observe(root);
  darkness.addEventListener("change", recoloured);
  fit();
  draw();
  root.carom = view;
  return view;

  /** Stop, and hear nothing of the page any more: another picture takes this one's place. */
  function end() {
    view.clock.pause();
    resized.disconnect();
    darkness.removeEventListener("change", recoloured);
    root.replaceChildren();
  }
}

/** Lines on the ground below all that stands, at round distances. */
function grid(low, high) {
  const span = Math.max(high[0] - low[0], high[1] - low[1]) || 1;
  const step = [1, 2, 5, 10].map((by) => by * 10 ** Math.floor(Math.log10(span / 8))).find((by) => span / by <= 10);
  const from = [0, 1].map((i) => Math.floor(low[i] / step - 0.5)), to = [0, 1].map((i) => Math.ceil(high[i] / step + 0.5));
  const points = [], z = Math.min(0, low[2]);
  for (let i = from[0]; i <= to[0]; i++) { points.push(i * step, from[1] * step, z, i * step, to[1] * step, z); }
  for (let j = from[1]; j <= to[1]; j++) { points.push(from[0] * step, j * step, z, to[0] * step, j * step, z); }
  const strokes = Array.from({ length: points.length / 6 }, (_, k) => [2 * k, 2 * k + 1]);
  return { points: new Float32Array(points), places: new Float32Array(points.length), strokes };
}
