// Turning, zooming and moving by mouse, fingers and keys.

const PER_PIXEL = 0.008;  // radians
const KEY_TURN = 0.09;

/** Let a canvas steer a camera; `changed` is called after each move. Fingers that go up or down scroll the page. */
export function steer(canvas, camera, changed) {
  const fingers = new Map();

  function middle() {
    const all = [...fingers.values()], n = all.length;
    const x = all.reduce((sum, p) => sum + p.x, 0) / n, y = all.reduce((sum, p) => sum + p.y, 0) / n;
    return { x, y, spread: n > 1 ? Math.hypot(all[0].x - all[1].x, all[0].y - all[1].y) : 0 };
  }

  function fromMiddle(event) {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left - 0.5 * box.width, event.clientY - box.top - 0.5 * box.height];
  }

  canvas.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) { return; }
    const before = middle();
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const now = middle(), x = now.x - before.x, y = now.y - before.y;
    if (fingers.size > 1) {
      if (before.spread && now.spread) { camera.zoomed(now.spread / before.spread, ...fromMiddle({ clientX: now.x, clientY: now.y })); }
      camera.moved(x, y);
    } else if (event.shiftKey || event.buttons === 2 || event.buttons === 4) {
      camera.moved(x, y);
    } else {
      camera.turn(-PER_PIXEL * x, PER_PIXEL * y);
    }
    changed();
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
    canvas.addEventListener(end, (event) => fingers.delete(event.pointerId));
  }
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && document.activeElement !== canvas) { return; }  // the wheel scrolls the page until the picture is clicked
    event.preventDefault();
    camera.zoomed(Math.exp(-0.0015 * event.deltaY), ...fromMiddle(event));
    changed();
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const moves = {
      ArrowLeft: () => camera.turn(KEY_TURN, 0), ArrowRight: () => camera.turn(-KEY_TURN, 0),
      ArrowUp: () => camera.turn(0, KEY_TURN), ArrowDown: () => camera.turn(0, -KEY_TURN),
      "+": () => camera.zoomed(1.15), "=": () => camera.zoomed(1.15), "-": () => camera.zoomed(1 / 1.15),
      Home: () => camera.look("in space"), 0: () => camera.look("in space"),
    };
    if (!moves[event.key] || event.ctrlKey || event.metaKey || event.altKey) { return; }
    event.preventDefault();
    moves[event.key]();
    changed();
  });
}
