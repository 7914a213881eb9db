// The explorer in a notebook: wishes go to the kernel that holds the problem, answers come back as bytes.

import { controlsOf, inShort, shakingOf } from "./controls.js";
import { element } from "./elements.js";
import { RunView } from "./run_view.js";
import { Wishes, read } from "./wire.js";

const AT_REST = 150;  // how long nothing was moved before what takes longer is asked for [ms]

/** Put the explorer into an output of a notebook (anywidget's `render`); returns what ends it. */
export function notebookView({ model, el }) {
  const state = element("p", { class: "state", role: "status" }, "Waiting for the kernel …");
  const moves = element("div", { class: "carom-moves" }), pictures = element("div", {});
  el.replaceChildren(element("div", { class: "carom-widget" }, state, moves, pictures));
  const view = new RunView(pictures), wish = { moved: {}, laws: {} };
  const wishes = new Wishes((one) => model.send(one), hear);
  let rest = 0;

  function run() { wishes.wish("run", wish); }

  function say(words, wrong = false) {
    state.textContent = words;
    state.className = wrong ? "state wrong" : "state";
  }

  function hear(said) {
    if (said.kind === "scenario") { begin(said); }
    if (said.kind === "refused") { say(said.words, true); }
    if (said.kind === "details") { view.closer(said); }
    if (said.kind !== "answer") { return; }
    requestAnimationFrame(() => view.show(said));
    clearTimeout(rest);
    rest = setTimeout(() => wishes.wish("details", {}), AT_REST);
    say(inShort(said));
  }

  function begin(told) {
    const made = controlsOf(told, (path, value) => { wish.moved[path] = value; run(); }, (name, law) => { wish.laws[name] = law; run(); });
    moves.replaceChildren(...shakingOf(told, wish, run), ...made.whole);
    run();
  }

  function taken(_, buffers) {
    const { buffer, byteOffset, byteLength } = buffers[0];
    wishes.take(read(buffer.slice(byteOffset, byteOffset + byteLength)));
  }

  model.on("msg:custom", taken);
  wishes.wish("told", {});
  return () => {
    clearTimeout(rest);
    model.off("msg:custom", taken);
    if (view.view) { view.view.end(); }
  };
}
