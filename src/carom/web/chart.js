// Curves over an axis on a canvas, with values to read off: one picture for report, app and notebook.

import { theme, visible } from "./colours.js";
import { crisp } from "./paper.js";

export const SERIES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#7f6a00"];  // told apart by the colour-blind too
const LEFT = 58, RIGHT = 12, TOP = 12, BOTTOM = 36;  // room around the curves [px]
const SMALL = 12;  // letters [px]
const NEAR = 24;  // how far from a curve the pointer may be to read it [px]

/** A chart on a canvas; `draw(told)` draws it anew: {x, y, curves: [{x, y, name, series, dashed, grey}], marks, height, zero}. */
export function chart(canvas) {
  const pen = canvas.getContext("2d");
  const state = { told: null, pointer: null };
  const again = () => { if (state.told) { paint(canvas, pen, state); } };
  canvas.addEventListener("pointermove", (event) => { state.pointer = { x: event.offsetX, y: event.offsetY }; again(); });
  canvas.addEventListener("pointerleave", () => { state.pointer = null; again(); });
  new ResizeObserver(again).observe(canvas);
  return { draw(told) { state.told = told; again(); }, again };
}

function paint(canvas, pen, { told, pointer }) {
  const look = theme(canvas), width = canvas.clientWidth, height = told.height || 190;
  if (!width) { return; }
  crisp(canvas, width, height);
  pen.clearRect(0, 0, width, height);
  const curves = told.curves.filter((curve) => curve.x.length > 1);
  const words = legend(pen, curves, LEFT, width - RIGHT);
  const box = { left: LEFT, right: width - RIGHT, top: TOP + words.height, bottom: height - BOTTOM };
  const across = told.x.range || span(curves.map((curve) => curve.x), 0);
  const up = told.y.range || span([...curves.map((curve) => curve.y), (told.marks || []).map((mark) => mark.y)], 0.06, told.zero);
  const at = {
    x: (value) => box.left + (box.right - box.left) * ratio(value, across, told.x.log),
    y: (value) => box.bottom - (box.bottom - box.top) * ratio(value, up, told.y.log),
  };
  axes(pen, look, box, at, told, across, up);
  pen.save();
  pen.beginPath();
  pen.rect(box.left, box.top, box.right - box.left, box.bottom - box.top);
  pen.clip();
  curves.forEach((curve) => line(pen, look, curve, at));
  for (const mark of told.marks || []) { dot(pen, at.x(mark.x), at.y(mark.y), visible("#d55e00", look)); }
  pen.restore();
  for (const one of words.entries) { entry(pen, look, one); }
  if (pointer) { reading(pen, look, curves, at, box, pointer, told); }
}

function span(rows, room, zero = false) {
  let low = zero ? 0 : Infinity, high = zero ? 0 : -Infinity;
  for (const row of rows) { for (const value of row) { if (value < low) { low = value; } if (value > high) { high = value; } } }
  if (!(high > low)) { const middle = Number.isFinite(low) ? low : 0; return [middle - 1, middle + 1]; }
  return [low - room * (high - low), high + room * (high - low)];
}

function ratio(value, [low, high], log) {
  return log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
}

/** Round numbers between two limits: about so many. */
export function ticks([low, high], about, log = false) {
  if (log) {
    const found = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++) {
      for (const digit of [1, 2, 5]) { const value = digit * 10 ** power; if (value >= 0.999 * low && value <= 1.001 * high) { found.push(value); } }
    }
    return found.length > 2 * about ? found.filter((value) => /^1/.test(String(value / 10 ** Math.floor(Math.log10(value))))) : found;
  }
  const rough = (high - low) / about, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((one) => one >= rough);
  const found = [];
  for (let i = Math.ceil(low / step); i * step <= high + 1e-9 * step; i++) { found.push(i * step); }
  return found;
}

/** A number in few letters. */
export function short(value) {
  if (value === 0) { return "0"; }
  const size = Math.abs(value);
  return size >= 1e5 || size < 1e-3 ? value.toExponential(1).replace("e+", "e") : String(Number(value.toPrecision(3)));
}

function axes(pen, look, box, at, told, across, up) {
  pen.font = SMALL + "px system-ui, sans-serif";
  pen.strokeStyle = look.line;
  pen.fillStyle = look.soft;
  pen.lineWidth = 1;
  pen.textAlign = "center";
  pen.textBaseline = "top";
  pen.beginPath();
  for (const value of ticks(across, Math.max(3, (box.right - box.left) / 80), told.x.log)) {
    const x = Math.round(at.x(value)) + 0.5;
    pen.moveTo(x, box.top);
    pen.lineTo(x, box.bottom);
    pen.fillText(short(value), x, box.bottom + 4);
  }
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  for (const value of ticks(up, Math.max(2, (box.bottom - box.top) / 38), told.y.log)) {
    const y = Math.round(at.y(value)) + 0.5;
    pen.moveTo(box.left, y);
    pen.lineTo(box.right, y);
    pen.fillText(short(value), box.left - 5, y);
  }
  pen.stroke();
  pen.textAlign = "center";
  pen.textBaseline = "alphabetic";
  pen.fillText(told.x.label, 0.5 * (box.left + box.right), box.bottom + BOTTOM - 5);
  pen.save();
  pen.translate(12, 0.5 * (box.top + box.bottom));
  pen.rotate(-Math.PI / 2);
  pen.fillText(told.y.label, 0, 0);
  pen.restore();
}

function colour(curve, look) { return curve.grey ? look.soft : visible(SERIES[(curve.series || 0) % SERIES.length], look); }

function line(pen, look, curve, at) {
  pen.strokeStyle = colour(curve, look);
  pen.lineWidth = curve.grey ? 1 : 1.6;
  pen.setLineDash(curve.dashed ? [5, 4] : []);
  pen.beginPath();
  for (let i = 0; i < curve.x.length; i++) {
    const x = at.x(curve.x[i]), y = at.y(curve.y[i]);
    if (i) { pen.lineTo(x, y); } else { pen.moveTo(x, y); }
  }
  pen.stroke();
  pen.setLineDash([]);
}

function dot(pen, x, y, colour) {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.arc(x, y, 2.5, 0, 2 * Math.PI);
  pen.fill();
}

/** Where the names of curves stand, above the box, and how much room they take. */
function legend(pen, curves, left, right) {
  pen.font = SMALL + "px system-ui, sans-serif";
  const entries = [];
  let x = left, row = 0;
  for (const curve of curves.filter((one) => one.name)) {
    const wide = 26 + pen.measureText(curve.name).width;
    if (x + wide > right && x > left) { x = left; row += 1; }
    entries.push({ curve, x, y: 9 + 16 * row });
    x += wide + 14;
  }
  return { entries, height: entries.length ? 8 + 16 * row : 0 };
}

function entry(pen, look, { curve, x, y }) {
  pen.strokeStyle = colour(curve, look);
  pen.lineWidth = 2;
  pen.setLineDash(curve.dashed ? [5, 4] : []);
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(x + 18, y);
  pen.stroke();
  pen.setLineDash([]);
  pen.fillStyle = look.ink;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  pen.fillText(curve.name, x + 23, y);
}

/** Write the values of the curve that is nearest to the pointer. */
function reading(pen, look, curves, at, box, pointer, told) {
  let best = null;
  for (const curve of curves) {
    for (let i = 0; i < curve.x.length; i++) {
      const away = Math.hypot(at.x(curve.x[i]) - pointer.x, at.y(curve.y[i]) - pointer.y);
      if (away < NEAR && (!best || away < best.away)) { best = { away, x: curve.x[i], y: curve.y[i], name: curve.name || "" }; }
    }
  }
  if (!best) { return; }
  const words = [best.name, short(best.x) + unit(told.x.label), short(best.y) + unit(told.y.label)].filter(Boolean).join(" · ");
  pen.font = SMALL + "px system-ui, sans-serif";
  const wide = pen.measureText(words).width + 12, x = at.x(best.x), y = at.y(best.y);
  const left = Math.min(Math.max(x - 0.5 * wide, box.left), box.right - wide), top = y - 28 < box.top ? y + 10 : y - 28;
  dot(pen, x, y, look.ink);
  pen.fillStyle = look.ink;
  pen.fillRect(left, top, wide, 20);
  pen.fillStyle = look.ground;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  pen.fillText(words, left + 6, top + 10);
}

function unit(label) {
  const found = /\[(.*)\]/.exec(label);
  return found ? " " + found[1] : "";
}
