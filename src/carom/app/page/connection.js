// The socket: wishes go out as JSON, answers come back as bytes; only the newest wish of a kind is under way.

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

export class Connection {
  constructor(hear, lost) {
    this.hear = hear;
    this.number = 0;
    this.waiting = new Map();  // kind to the wish that goes out once the one under way is answered
    this.under = new Map();
    this.socket = new WebSocket(`ws://${location.host}/explore`);
    this.socket.binaryType = "arraybuffer";
    this.socket.onmessage = (event) => this.take(read(event.data));
    this.socket.onclose = () => lost();
  }

  wish(kind, told) {
    const wish = { kind, number: ++this.number, ...told };
    if (this.under.has(kind)) { this.waiting.set(kind, wish); return; }
    this.send(wish);
  }

  send(wish) {
    this.under.set(wish.kind, wish.number);
    wish.sent = performance.now();
    this.socket.send(JSON.stringify(wish));
  }

  take(said) {
    for (const [kind, number] of this.under) {
      if (number !== said.number) { continue; }
      this.under.delete(kind);
      const next = this.waiting.get(kind);
      this.waiting.delete(kind);
      if (next) { this.send(next); }
    }
    this.hear(said);
  }
}
