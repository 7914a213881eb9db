// What runs while something plays: one frame after another, as the browser asks for them.

export class Clock {
  /** `tick` is called before each frame with the seconds since the last one. */
  constructor(tick, changed) {
    this.tick = tick;
    this.changed = changed;
    this.playing = false;
  }

  play() {
    if (this.playing) { return; }
    this.playing = true;
    this.last = 0;
    this.changed();
    requestAnimationFrame((stamp) => this.step(stamp));
  }

  pause() {
    if (!this.playing) { return; }
    this.playing = false;
    this.changed();
  }

  step(stamp) {
    if (!this.playing) { return; }
    this.tick(this.last ? Math.min((stamp - this.last) / 1000, 0.25) : 0);
    this.last = stamp;
    requestAnimationFrame((next) => this.step(next));
  }
}

/** A function that runs once before the next picture, however often it is called until then. */
export function beforeNextFrame(draw) {
  let asked = false;
  return () => {
    if (asked) { return; }
    asked = true;
    requestAnimationFrame(() => { asked = false; draw(); });
  };
}
