// The page: what a visitor moves becomes a wish, and what comes of it is drawn.

import { choice, element } from "../web/elements.js";
import { chart, short } from "../web/chart.js";
import { controlsOf, inShort, numeric, shakingOf } from "../web/controls.js";
import { RunView } from "../web/run_view.js";
import { connected } from "./connection.js";

const find = (id) => document.getElementById(id);
const FILES = ["scenario.toml", "response.nc", "impacts.csv"];
const STILL = 120;  // how long nothing was moved before what takes longer is asked for [ms]
const FIRST_LAWS = ["kelvin-voigt", "hunt-crossley-exact", "lankarani-nikravesh-1990", "jankowski-2005"];

const wish = { moved: {}, laws: {} };
const pictures = new RunView(find("view-run"));
const drawn = { laws: chart(find("law-loops")), achieved: chart(find("law-achieved")), gaps: chart(find("study-gaps")), fragility: chart(find("study-fragility")) };
let told = null, closer = 0;
const connection = connected(hear, () => state("The explorer has ended. Start it again with `carom app`.", true));
window.explorer = { connection, painted: 0, answered: 0 };  // what tests look at

function state(words, wrong = false) {
  find("state").textContent = words;
  find("state").className = wrong ? "wrong" : "";
}

function hear(said) {
  if (said.kind === "scenario") { begin(said); }
  if (said.kind === "refused") { state(said.words, true); find("study-progress").hidden = true; }
  if (said.kind === "answer") {
    window.explorer.answered = said.number;
    requestAnimationFrame(() => {
      pictures.show(said);
      window.explorer.painted = said.number;
    });
    clearTimeout(closer);
    closer = setTimeout(() => { if (said.coarse) { connection.wish("run", { ...wish, full: true }); } else { connection.wish("details", {}); } }, STILL);
    state(inShort(said));
  }
  if (said.kind === "details") { pictures.closer(said); }
  if (said.kind === "laws") { showLaws(said); }
  if (said.kind === "study") { showStudy(said); }
  if (said.kind === "progress") { find("study-progress").value = said.share; }
  if (said.kind === "advice") { find("advice-said").textContent = said.words; }
}

function run() { connection.wish("run", wish); }

function begin(said) {
  told = said;
  document.title = "carom: " + said.title;
  find("title").textContent = said.title;
  const made = controlsOf(said, (path, value) => { wish.moved[path] = value; run(); }, (name, law) => { wish.laws[name] = law; run(); });
  find("controls").replaceChildren(...made.whole);
  shake(said);
  find("reset").onclick = () => {
    wish.moved = {};
    wish.laws = {};
    delete wish.pga;
    made.reset();
    shake(told);
    run();
  };
  find("downloads").replaceChildren(
    ...FILES.map((name) => button(name, () => { location.assign(`/download/files/${name}?token=${said.token}`); })),
    button("figures", saveFigures),
  );
  laws(said);
  advice();
  find("moves").open = !matchMedia("(max-width: 760px)").matches;  // there pictures come first
  state("Computing. The first time kernels are compiled, which takes some seconds.");
  run();
}

function button(words, click) {
  const made = element("button", { type: "button" }, words);
  made.addEventListener("click", click);
  return made;
}

function shake(said) { find("motion").replaceChildren(...shakingOf(said, wish, run)); }

function laws(said) {
  const boxes = said.catalogue.map((one) => {
    const box = element("input", { type: "checkbox", value: one.name });
    box.checked = FIRST_LAWS.includes(one.name);
    box.addEventListener("change", ask);
    return element("label", {}, box, " ", one.title);
  });
  find("law-choices").replaceChildren(...boxes);
  const numbers = [["stiffness [N/m]", 1e9], ["restitution e", 0.65], ["mass [kg]", 1e5], ["velocity [m/s]", 0.3]].map(([label, value]) => numeric(label, value, ask));
  find("law-numbers").replaceChildren(...numbers.map((one) => one.whole));
  function ask() {
    const names = boxes.map((one) => one.firstChild).filter((one) => one.checked).map((one) => one.value).slice(0, 6);
    const [stiffness, restitution, mass, velocity] = numbers.map((one) => one.value());
    connection.wish("laws", { names, stiffness, restitution, mass, velocity });
  }
  ask();
}

function showLaws(said) {
  const found = said.laws.map((one, i) => ({ ...one, i })).filter((one) => said.arrays["overlap " + one.i]);
  const mm = (values) => Float32Array.from(values, (value) => 1e3 * value), kn = (values) => Float32Array.from(values, (value) => 1e-3 * value);
  drawn.laws.draw({ height: 260, x: { label: "overlap [mm]" }, y: { label: "force [kN]" }, zero: true,
    curves: found.map((one) => ({ x: mm(said.arrays["overlap " + one.i].values), y: kn(said.arrays["force " + one.i].values), name: one.name, series: one.i })) });
  const asked = said.arrays.asked.values;
  drawn.achieved.draw({ height: 260, x: { label: "e asked for", range: [0, 1] }, y: { label: "e achieved", range: [0, 1.02] },
    curves: [{ x: [0, 1], y: [0, 1], grey: true }, ...found.filter((one) => said.arrays["achieved " + one.i]).map((one) => {
      const got = said.arrays["achieved " + one.i].values, sound = [...got.keys()].filter((k) => got[k] >= 0);
      return { x: sound.map((k) => asked[k]), y: sound.map((k) => got[k]), name: one.name, series: one.i };
    })] });
  const cells = (kind, words) => words.map((one) => element(kind, kind === "th" ? { scope: "col" } : {}, one));
  find("law-table").replaceChildren(
    element("tr", {}, ...cells("th", ["law", "e achieved", "peak force [kN]", "duration [ms]"])),
    ...said.laws.map((one) => element("tr", {}, ...cells("td", one.words ? [one.name, one.words, "", ""] : [one.name, short(one.restitution), short(one.peak_force / 1e3), short(1e3 * one.duration)]))),
  );
}

function showStudy(said) {
  find("study-progress").hidden = true;
  const mm = (value) => short(1e3 * value) + " mm", { arrays } = said;
  const rules = Object.entries(said.rules).map(([name, value]) => `${name} ${mm(value)}`).join(", ");
  const between = said.median !== null && said.interval.every((one) => one !== null) ? ` (95 %: ${short(said.interval[0])} to ${short(said.interval[1])} g)` : "";
  const fragile = said.median === null ? said.words : `One motion in two touches at a PGA of ${short(said.median)} g${between}, dispersion ${short(said.beta)}.`;
  const failed = said.failed ? ` ${said.failed} of ${said.runs} runs failed and count as neither.` : "";
  find("study-said").textContent = `${fragile}${failed} No motion of the suite closes ${mm(said.largest)} at ${said.contact} at ${short(said.pga)} g; half of them need more than ${mm(said.middle)}. Rules ask for, on average: ${rules}.`;
  const curve = arrays.curve ? [
    { x: arrays.pga.values, y: arrays.low.values, grey: true }, { x: arrays.pga.values, y: arrays.high.values, grey: true },
    { x: arrays.pga.values, y: arrays.curve.values, name: "fitted", series: 0 },
  ] : [{ x: arrays.levels.values, y: arrays.observed.values, name: "observed", series: 0 }];
  const { values } = arrays.levels;
  drawn.fragility.draw({ height: 280, x: { label: "PGA [g]", range: [values[0], values[values.length - 1]], log: true }, y: { label: "probability of touching", range: [0, 1.02] }, curves: curve,
    marks: [...values].map((x, i) => ({ x, y: arrays.observed.values[i] })) });
  drawn.gaps.draw({ height: 280, x: { label: "gap [mm]" }, y: { label: "share of motions that touch", range: [0, 1.02] },
    curves: [{ x: Float32Array.from(arrays.gaps.values, (value) => 1e3 * value), y: arrays.share.values, name: "thirty motions" }] });
}

function advice() {
  const materials = ["concrete", "steel"].map((name) => [name, name]);
  const lists = ["one body of", "the other of"].map((label) => choice(label, materials, "concrete"));
  const numbers = [["mass [kg]", 2.4e5], ["other mass [kg]", 1.8e5], ["velocity [m/s]", 0.5]].map(([label, value]) => numeric(label, value, ask));
  lists.forEach((one) => one.select.addEventListener("change", ask));
  find("advice-numbers").replaceChildren(...lists.map((one) => one.whole), ...numbers.map((one) => one.whole));
  function ask() {
    const [mass, other_mass, velocity] = numbers.map((one) => one.value());
    connection.wish("advice", { materials: lists.map((one) => one.select.value), mass, other_mass, velocity });
  }
  ask();
}

find("ask-study").addEventListener("click", () => {
  find("study-progress").hidden = false;
  find("study-progress").value = 0;
  find("study-said").textContent = "";
  connection.wish("study", { ...wish, pga: wish.pga || told.pga });
});

find("record").addEventListener("change", async () => {
  const [file] = find("record").files;
  if (!file) { return; }
  find("record-said").textContent = "Reading …";
  const answer = await fetch(`/record?token=${told.token}`, { method: "PUT", body: file });
  const words = await answer.text();
  find("record-said").textContent = answer.ok ? `Taken as "${words}".` : words;
  if (!answer.ok) { return; }
  told.motions.unshift(words);
  wish.motion = words;
  shake(told);
  run();
});

function saveFigures() {
  for (const canvas of document.querySelectorAll("#view-run canvas")) {
    const link = element("a", { download: `carom-${canvas.dataset.part || "structures"}.png`, href: canvas.toDataURL("image/png") });
    link.click();
  }
}

// Tabs, by pointer and by arrow keys.
const tabs = [...document.querySelectorAll("[role=tab]")];
function show(tab) {
  for (const one of tabs) {
    const chosen = one === tab;
    one.setAttribute("aria-selected", String(chosen));
    one.tabIndex = chosen ? 0 : -1;
    find(one.getAttribute("aria-controls")).hidden = !chosen;
  }
}
for (const [i, tab] of tabs.entries()) {
  tab.addEventListener("click", () => show(tab));
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) { return; }
    const next = tabs[(i + step + tabs.length) % tabs.length];
    show(next);
    next.focus();
  });
}
