// Structures along one line that sway and touch, with what plays them: for report, app and notebook.

import { Clock } from "./clock.js";
import { theme, visible } from "./colours.js";
import { choice, element } from "./elements.js";
import { apart, brief, crisp, word } from "./paper.js";
import { freshImpacts } from "./space_scene.js";

const BESIDE = 20, OVER = 40, UNDER = 36;  // room around the structures [px]

/**
 * Put the player into an element; `show(told)` gives it what sways: {begin, rate, tall, width, bay, amplification,
 * structures, impacts} as `carom.reports.animation` writes it, and `values`, metres, of so many `columns` a moment.
 */
export function swayView(root, tall = 440) {
  const canvas = element("canvas", { role: "img", "aria-label": "The structures swaying and touching" });
  const play = element("button", { type: "button", class: "play" }, "Play");
  const moment = element("input", { type: "range", class: "moment", min: 0, max: 0, step: 1, value: 0, "aria-label": "Moment" });
  const face = element("output", { class: "clock" });
  const speed = choice("speed", [["0.1", "1/10"], ["0.25", "1/4"], ["1", "1"], ["2", "2"]], "1");
  root.classList.add("carom-sway");
  root.replaceChildren(canvas, element("div", { class: "controls" }, play, moment, face, speed.whole));
  let told = null, frame = 0;

  const last = () => told.values.length / told.columns - 1;
  const clock = new Clock((seconds) => {
    frame += seconds * told.rate * Number(speed.select.value);
    if (frame >= last()) { frame = last(); clock.pause(); }
    draw();
  }, () => { play.textContent = clock.playing ? "Pause" : "Play"; });

  function draw() {
    if (!told || !canvas.clientWidth) { return; }
    const now = told.begin + frame / told.rate;
    drawSway(canvas, told, frame, freshImpacts(told.impacts, now, 0.5 / told.rate), tall);
    const words = now.toFixed(2) + " s";
    if (face.textContent !== words) { face.textContent = words; }
    moment.value = String(Math.floor(frame));
  }

  play.addEventListener("click", () => {
    if (clock.playing) { clock.pause(); return; }
    if (frame >= last()) { frame = 0; }
    clock.play();
  });
  moment.addEventListener("input", () => { clock.pause(); frame = Number(moment.value); draw(); });
  new ResizeObserver(draw).observe(root);

  function show(next) {
    const first = !told;
    told = next;
    moment.max = String(last());
    frame = Math.min(frame, last());
    if (first && told.impacts.length) { frame = Math.min(last(), Math.max(0, (told.impacts[0].time - told.begin) * told.rate)); }
    draw();
  }
  return { show, draw };
}

function drawSway(canvas, told, frame, fresh, most) {
  const look = theme(canvas), pen = canvas.getContext("2d");
  const width = canvas.clientWidth, height = Math.round(Math.min(Math.max(0.44 * width, 260), most));
  crisp(canvas, width, height);
  pen.clearRect(0, 0, width, height);
  const scale = Math.min((width - 2 * BESIDE) / (told.width + 0.8 * told.bay), (height - OVER - UNDER) / (1.08 * told.tall));
  const left = (width - told.width * scale) / 2, ground = height - UNDER;
  const x = (metres) => left + metres * scale, y = (metres) => ground - metres * scale;
  const k = Math.floor(frame), part = frame - k, after = Math.min(k + 1, told.values.length / told.columns - 1);
  const shift = (dof) => told.amplification * ((1 - part) * told.values[k * told.columns + dof] + part * told.values[after * told.columns + dof]);
  straight(pen, 0, ground, width, ground, 1.5, look.ink);
  for (const one of told.structures) { building(pen, look, told, one, { x, y, shift, scale, ground }); }
  const labels = [];
  for (const { hit, glow } of fresh) {
    const one = told.structures[hit.left], away = one.levels.map((level) => Math.abs(level - hit.level));
    const at = x(one.left + told.bay + (one.dofs.length ? shift(one.dofs[away.indexOf(Math.min(...away))]) : 0));
    flash(pen, look, at, y(hit.level), hit.share, glow);
    labels.push({ text: hit.force, share: hit.share, x: at, y: y(hit.level) - 26 });
  }
  labels.sort((a, b) => b.share - a.share);
  pen.textBaseline = "alphabetic";
  pen.font = "13px system-ui, sans-serif";
  for (const one of apart(labels, (text) => pen.measureText(text).width)) { word(pen, one.text, one.x, one.y, look); }
}

function building(pen, look, told, one, { x, y, shift, scale, ground }) {
  const room = told.bay * scale, most = Math.max(4, Math.floor(room / 7));
  pen.textBaseline = "top";
  word(pen, brief(one.name, most), x(one.left + 0.5 * told.bay), ground + 8, look);
  if (!one.dofs.length) {
    pen.fillStyle = look.line;
    pen.fillRect(x(one.left), y(one.height), room, one.height * scale);
    return;
  }
  let below = 0, base = 0;
  one.dofs.forEach((dof, i) => {
    const s = shift(dof), level = one.levels[i];
    for (const share of one.columns ? [0.06, 0.94] : []) {
      straight(pen, x(one.left + share * told.bay + base), y(below), x(one.left + share * told.bay + s), y(level), 1.5, look.ink);
    }
    straight(pen, x(one.left + s), y(level), x(one.left + told.bay + s), y(level), 6, visible(one.colour, look));
    below = level;
    base = s;
  });
}

function straight(pen, x1, y1, x2, y2, thick, colour) {
  pen.lineWidth = thick;
  pen.strokeStyle = colour;
  pen.beginPath();
  pen.moveTo(x1, y1);
  pen.lineTo(x2, y2);
  pen.stroke();
}

function flash(pen, look, x, y, share, glow) {
  pen.globalAlpha = 0.35 + 0.65 * glow;
  pen.fillStyle = look.hit;
  pen.strokeStyle = look.ink;
  pen.lineWidth = 1;
  pen.beginPath();
  pen.arc(x, y, 6 + 14 * Math.sqrt(share), 0, 2 * Math.PI);
  pen.fill();
  pen.stroke();
  pen.globalAlpha = 1;
}
