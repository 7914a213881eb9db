// The socket: wishes go out as JSON, answers come back as bytes.

import { Wishes, read } from "../web/wire.js";

/** Wishes over a socket; `lost` is called when it closes. */
export function connected(hear, lost) {
  const socket = new WebSocket(`ws://${location.host}/explore`);
  const wishes = new Wishes((wish) => socket.send(JSON.stringify(wish)), hear);
  socket.binaryType = "arraybuffer";
  socket.onmessage = (event) => wishes.take(read(event.data));
  socket.onclose = lost;
  return wishes;
}
