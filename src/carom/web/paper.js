// What pictures on a canvas have in common: crisp pixels, lines in one stroke, words in their room.

/** Give a canvas the pixels that its place on the page has; return its size on the page. */
export function crisp(canvas, width, height) {
  const dense = Math.min(window.devicePixelRatio || 1, 2);
  canvas.style.height = height + "px";
  canvas.width = Math.round(width * dense);
  canvas.height = Math.round(height * dense);
  canvas.getContext("2d").setTransform(dense, 0, 0, dense, 0, 0);
}

/** Draw many strokes through places at once. */
export function strokeAll(pen, strokes, places, thick, colour) {
  pen.lineWidth = thick;
  pen.strokeStyle = colour;
  pen.beginPath();
  for (const stroke of strokes) { trace(pen, stroke, places); }
  pen.stroke();
}

/** Add a stroke to the path that is being drawn. */
export function trace(pen, stroke, places) {
  pen.moveTo(places[3 * stroke[0]], places[3 * stroke[0] + 1]);
  for (let i = 1; i < stroke.length; i++) { pen.lineTo(places[3 * stroke[i]], places[3 * stroke[i] + 1]); }
}

/** Draw a word that can be read whatever lies below it. */
export function word(pen, text, x, y, look, size = 13) {
  pen.font = size + "px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.lineWidth = 4;
  pen.lineJoin = "round";
  pen.strokeStyle = look.ground;
  pen.fillStyle = look.ink;
  pen.strokeText(text, x, y);
  pen.fillText(text, x, y);
}

/** The first so many letters of a name, and its end, for numbers stand at the end. */
export function brief(name, most) {
  if (name.length <= most) { return name; }
  const end = Math.floor(most / 3);
  return name.slice(0, most - end - 1) + "…" + name.slice(-end);
}

/** Words that do not cover each other: those that come first stay. */
export function apart(words, width) {
  const kept = [];
  for (const one of words) {
    const half = 0.5 * width(one.text) + 3;
    if (kept.some((other) => Math.abs(other.x - one.x) < other.half + half && Math.abs(other.y - one.y) < 17)) { continue; }
    kept.push({ ...one, half });
  }
  return kept;
}
