// Structures along one line that sway: slabs on columns, enlarged, contacts lit while they are closed.

import { theme, visible } from "./colours.js";
import { SERIES } from "./chart.js";
import { brief, crisp } from "./paper.js";

const SHARE = 0.11;  // of the picture's width that the largest displacement takes
const BELOW = 26, ABOVE = 14;  // room below the ground and above the roofs [px]

/** Draw standings at a moment: {standings, structures, contacts, sway (moments × floors), closed: a set of contacts}. */
export function drawSway(canvas, told, moment) {
  const look = theme(canvas), pen = canvas.getContext("2d");
  const width = canvas.clientWidth, height = told.height || 260;
  if (!width) { return; }
  crisp(canvas, width, height);
  pen.clearRect(0, 0, width, height);
  const tall = Math.max(3, ...told.standings.map((one) => Math.max(0, ...one.levels)));
  const bay = Math.min(150, (0.82 * width) / told.standings.length), between = Math.min(60, 0.35 * bay);
  const whole = told.standings.length * bay + (told.standings.length - 1) * between, start = 0.5 * (width - whole);
  const ground = height - BELOW, scale = (ground - ABOVE) / tall;
  const enlarged = told.largest > 0 ? (SHARE * width) / told.largest : 0;
  const places = told.standings.map((one, i) => outline(one, start + i * (bay + between), bay, told, moment, ground, scale, Math.min(enlarged, between / Math.max(told.gap, 1e-9))));
  pen.strokeStyle = look.ink;
  pen.lineWidth = 1;
  pen.beginPath();
  pen.moveTo(0, ground + 0.5);
  pen.lineTo(width, ground + 0.5);
  pen.stroke();
  places.forEach((one, i) => building(pen, look, one, SERIES[i % SERIES.length], told.standings[i].name, bay, ground));
  for (const [c, contact] of told.contacts.entries()) {
    const left = side(places[contact.left], contact.levels[0], true), right = side(places[contact.right], contact.levels[1], false);
    const y = ground - scale * 0.5 * (contact.levels[0] + contact.levels[1]);
    pen.fillStyle = told.closed.has(c) ? visible("#d55e00", look) : look.line;
    pen.beginPath();
    pen.arc(0.5 * (left + right), y, told.closed.has(c) ? 5 : 2.5, 0, 2 * Math.PI);
    pen.fill();
  }
}

function outline(standing, x, bay, told, moment, ground, scale, enlarged) {
  const moving = standing.moving >= 0 ? told.structures[standing.moving] : null;
  const levels = standing.levels.length ? standing.levels : [3];
  const shifts = levels.map((_, i) => (moving ? enlarged * told.sway[moment * told.floors + moving.first + i] : 0));
  return { x, bay, levels, shifts, heights: levels.map((level) => ground - scale * level), still: !moving };
}

function side(place, level, right) {
  let at = place.levels.findIndex((one) => one >= level - 1e-6);
  at = at < 0 ? place.levels.length - 1 : at;
  return place.x + place.shifts[at] + (right ? place.bay : 0);
}

function building(pen, look, place, colour, name, bay, ground) {
  const tone = place.still ? look.soft : visible(colour, look);
  pen.strokeStyle = look.soft;
  pen.lineWidth = 1.2;
  for (const column of [0.06, 0.94]) {
    pen.beginPath();
    pen.moveTo(place.x + column * bay, ground);
    place.heights.forEach((y, i) => pen.lineTo(place.x + column * bay + place.shifts[i], y));
    pen.stroke();
  }
  pen.fillStyle = tone;
  place.heights.forEach((y, i) => pen.fillRect(place.x + place.shifts[i], y - 3, bay, 6));
  pen.fillStyle = look.ink;
  pen.font = "13px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "top";
  pen.fillText(brief(name, 22), place.x + 0.5 * bay, ground + 6);
}
