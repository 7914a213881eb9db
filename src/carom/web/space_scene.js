// Structures in space on a canvas: at rest and moved, members by their forces, contacts lit while they are closed.

import { forceScale, visible } from "./colours.js";
import { apart, brief, strokeAll, trace, word } from "./paper.js";

const AFTERGLOW = 0.12;  // seconds for which an impact is seen after it ended

/** Draw all at a moment. `state`: magnified, colouring, showRest, sample, fresh (impacts). */
export function drawScene(pen, scene, camera, look, state) {
  pen.fillStyle = look.ground;
  pen.fillRect(0, 0, camera.width, camera.height);
  ground(pen, scene, camera, look);
  const rest = scene.skeletons.map((one) => camera.project(one.rest, one.restPlaces));
  const now = scene.skeletons.map((one) => camera.project(one.now, one.places));
  if (state.showRest) {
    pen.globalAlpha = 0.4;
    scene.skeletons.forEach((one, i) => { if (one.moves) { strokeAll(pen, one.straight, rest[i], 1, look.soft); } });
    pen.globalAlpha = 1;
  }
  scene.skeletons.forEach((one, i) => slabs(pen, one, now[i], look));
  scene.skeletons.forEach((one, i) => members(pen, one, now[i], look, state));
  scene.skeletons.forEach((one, i) => feet(pen, one, now[i], look));
  contacts(pen, scene, now, look, state);
  names(pen, scene, rest, camera, look);
  directions(pen, camera, look);
}

function ground(pen, scene, camera, look) {
  const { places } = scene.grid;
  camera.project(scene.grid.points, places);
  strokeAll(pen, scene.grid.strokes, places, 1, look.line);
}

function slabs(pen, one, places, look) {
  pen.fillStyle = pen.strokeStyle = visible(one.colour, look);
  pen.globalAlpha = 0.12;
  for (const corners of one.slabs) {
    if (corners.length < 3) { continue; }
    pen.beginPath();
    trace(pen, corners, places);
    pen.fill();
  }
  pen.globalAlpha = 1;
  pen.lineWidth = 1.6;
  pen.beginPath();
  for (const corners of one.slabs) {
    if (corners.length < 2) { continue; }
    trace(pen, corners, places);
    pen.closePath();
  }
  pen.stroke();
}

function members(pen, one, places, look, state) {
  const told = one.forces && state.colouring >= 0 ? one.forces.kinds[state.colouring] : null;
  const plain = told ? one.strokes.slice(one.members) : one.strokes;
  strokeAll(pen, plain, places, one.moves ? 1.3 : 1, one.moves ? visible(one.colour, look) : look.soft);
  if (!told) { return; }
  const scale = forceScale(told.signed, look), bins = scale.colours.map(() => []), count = one.members;
  const row = Math.min(Math.round(state.sample / one.forces.every), told.values.length / count - 1);
  for (let m = 0; m < count; m++) { bins[scale.bin(told.values[row * count + m] / 127 * told.largest / state.largest)].push(one.strokes[m]); }
  bins.forEach((strokes, b) => { if (strokes.length) { strokeAll(pen, strokes, places, 2.2, scale.colours[b]); } });
}

function feet(pen, one, places, look) {
  pen.fillStyle = look.soft;
  for (const foot of one.feet) { pen.fillRect(places[3 * foot] - 3, places[3 * foot + 1] - 3, 6, 6); }
}

function contacts(pen, scene, now, look, state) {
  pen.lineWidth = 1;
  const place = ([structure, point]) => now[structure].subarray(3 * point, 3 * point + 2);
  for (const one of scene.contacts) {
    const [a, b] = [place(one.left), place(one.right)];
    pen.strokeStyle = look.ink;
    pen.beginPath();
    pen.moveTo(a[0], a[1]);
    pen.lineTo(b[0], b[1]);
    pen.stroke();
    pen.fillStyle = look.ground;
    for (const at of [a, b]) {
      pen.beginPath();
      pen.arc(at[0], at[1], 2.5, 0, 2 * Math.PI);
      pen.fill();
      pen.stroke();
    }
  }
  const labels = [];
  for (const { hit, glow } of state.fresh) {
    const [a, b] = [place(scene.contacts[hit.contact].left), place(scene.contacts[hit.contact].right)];
    const x = 0.5 * (a[0] + b[0]), y = 0.5 * (a[1] + b[1]);
    pen.globalAlpha = 0.35 + 0.65 * glow;
    pen.fillStyle = look.hit;
    pen.strokeStyle = look.ink;
    pen.beginPath();
    pen.arc(x, y, 5 + 11 * Math.sqrt(hit.share), 0, 2 * Math.PI);
    pen.fill();
    pen.stroke();
    pen.globalAlpha = 1;
    labels.push({ text: hit.force, x, y: y - 20, share: hit.share });
  }
  labels.sort((one, other) => other.share - one.share);
  pen.font = "13px system-ui, sans-serif";
  for (const one of apart(labels, (text) => pen.measureText(text).width)) { word(pen, one.text, one.x, one.y, look); }
}

/** Impacts of a moment or just past, and how much of their glow is left. */
export function freshImpacts(impacts, time, slack) {
  const found = [];
  for (const hit of impacts) {
    const since = time - hit.time;
    if (since < -slack || since > hit.duration + AFTERGLOW) { continue; }
    found.push({ hit, glow: Math.max(0, 1 - Math.max(0, since - hit.duration) / AFTERGLOW) });
  }
  return found;
}

/** Names below their structures: the nearer ones first, none over another. */
function names(pen, scene, rest, camera, look) {
  pen.font = "13px system-ui, sans-serif";
  const words = scene.skeletons.map((one, i) => {
    let left = Infinity, right = -Infinity, bottom = -Infinity;
    for (let p = 0; p < rest[i].length; p += 3) {
      left = Math.min(left, rest[i][p]);
      right = Math.max(right, rest[i][p]);
      bottom = Math.max(bottom, rest[i][p + 1]);
    }
    return { text: brief(one.name, 24), x: 0.5 * (left + right), y: Math.min(bottom + 20, camera.height - 6) };
  });
  for (const one of words) {
    if (words.some((other) => other !== one && other.placed && Math.abs(other.x - one.x) < 90 && Math.abs(other.y - one.y) < 17)) { one.y -= 17; }
    one.placed = true;
    word(pen, one.text, one.x, one.y, look);
  }
}

function directions(pen, camera, look) {
  const x = 34, y = camera.height - 34, length = 22;
  pen.font = "11px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.strokeStyle = pen.fillStyle = look.soft;
  pen.lineWidth = 1.2;
  ["x", "y", "z"].forEach((name, i) => {
    const dx = length * camera.right[i], dy = -length * camera.up[i];
    if (Math.hypot(dx, dy) < 4) { return; }
    pen.beginPath();
    pen.moveTo(x, y);
    pen.lineTo(x + dx, y + dy);
    pen.stroke();
    pen.fillText(name, x + 1.35 * dx, y + 1.35 * dy + 4);
  });
}
