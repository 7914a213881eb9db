// Answers as Python packs them (carom.app.wire), and wishes, of which only the newest of a kind is under way.

/** What a message says, with its arrays as numbers. */
export function read(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const said = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const arrays = {};
  for (const [name, { at, shape }] of Object.entries(said.arrays)) {
    const count = shape.reduce((product, one) => product * one, 1);
    arrays[name] = { shape, values: new Float32Array(buffer, 4 + length + 4 * at, count) };
  }
  return { ...said, arrays };
}

export class Wishes {
  /** `send` takes a wish away, `hear` what is said, answers included. */
  constructor(send, hear) {
    this.send = send;
    this.hear = hear;
    this.number = 0;
    this.waiting = new Map();  // kind to the wish that goes out once the one under way is answered
    this.under = new Map();
  }

  wish(kind, told) {
    const wish = { ...told, kind, number: ++this.number };
    if (this.under.has(kind)) { this.waiting.set(kind, wish); } else { this.go(wish); }
  }

  go(wish) {
    this.under.set(wish.kind, wish.number);
    this.send(wish);
  }

  take(said) {
    for (const [kind, number] of this.under) {
      if (number !== said.number) { continue; }
      this.under.delete(kind);
      const next = this.waiting.get(kind);
      this.waiting.delete(kind);
      if (next) { this.go(next); }
    }
    this.hear(said);
  }
}
