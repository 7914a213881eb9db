// A structure by points, strokes through them, and how results move the points.

import { unpacked } from "./packing.js";

export class Skeleton {
  constructor(told) {
    this.name = told.name;
    this.colour = told.colour;
    this.moves = told.moves;
    this.points = unpacked(told.points);
    this.spread = unpacked(told.spread);  // how points stand farther apart per unit of magnification
    this.rows = unpacked(told.rows);
    this.motion = unpacked(told.motion);
    this.results = told.results;
    this.strokes = strokes(unpacked(told.strokes), unpacked(told.lengths));
    this.straight = this.strokes.map((stroke) => [stroke[0], stroke[stroke.length - 1]]);
    this.slabs = told.slabs;
    this.feet = told.feet;
    this.members = told.members;
    this.modes = told.modes.map((mode) => ({ frequency: mode.frequency, shape: unpacked(mode.shape) }));
    this.forces = told.forces && { every: told.forces.every, kinds: told.forces.kinds.map((kind) => ({ ...kind, values: unpacked(kind.values) })) };
    this.rest = new Float32Array(this.points.length);
    this.now = new Float32Array(this.points.length);
    this.y = new Float32Array(this.results);
  }

  /** Put all points where they stand at rest, with gaps drawn so many times as wide. */
  stand(magnified) {
    for (let i = 0; i < this.rest.length; i++) { this.rest[i] = this.points[i] + (magnified - 1) * this.spread[i]; }
  }

  /** The results at a moment between two samples. */
  at(sample) {
    const n = this.results, count = this.motion.length / n;
    const k = Math.min(Math.floor(sample), count - 1), after = Math.min(k + 1, count - 1), part = sample - k;
    for (let i = 0; i < n; i++) { this.y[i] = (1 - part) * this.motion[k * n + i] + part * this.motion[after * n + i]; }
    return this.y;
  }

  /** Move all points by results, so many times as far. */
  move(results, magnified) {
    const { rows, rest, now } = this, n = this.results;
    for (let i = 0, row = 0; i < now.length; i++, row += n) {
      let sum = 0;
      for (let k = 0; k < n; k++) { sum += rows[row + k] * results[k]; }
      now[i] = rest[i] + magnified * sum;
    }
  }

  /** The largest distance that a mode shape moves a point. */
  largest(shape) {
    let most = 0;
    for (let i = 0; i < this.rest.length; i += 3) {
      let square = 0;
      for (let axis = 0; axis < 3; axis++) {
        let sum = 0;
        for (let k = 0; k < this.results; k++) { sum += this.rows[(i + axis) * this.results + k] * shape[k]; }
        square += sum * sum;
      }
      most = Math.max(most, square);
    }
    return Math.sqrt(most);
  }
}

function strokes(points, lengths) {
  const found = [];
  let from = 0;
  for (const length of lengths) { found.push(points.subarray(from, from += length)); }
  return found;
}
