// Colours of a picture: those of the page around it, and scales for forces.

const BINS = 12;  // on each side of zero
const LIGHT = { "--ink": "#1a1a1a", "--soft": "#5f6368", "--line": "#d5d8dc", "--tint": "#f5f6f7", "--warn": "#d55e00" };

/** The colours of the page in which an element stands; a page that says none is light. */
export function theme(element) {
  const style = getComputedStyle(element);
  const read = (name) => style.getPropertyValue(name).trim() || LIGHT[name];
  const ground = rgb(read("--tint"));
  return {
    ink: read("--ink"), soft: read("--soft"), line: read("--line"), ground: read("--tint"), hit: "#e69f00",
    dark: 0.3 * ground[0] + 0.59 * ground[1] + 0.11 * ground[2] < 110,
  };
}

/** A colour that can be seen on this ground. */
export function visible(colour, look) { return look.dark ? mixed(rgb(colour), [255, 255, 255], 0.35) : colour; }

/** Colours for values from −1 to 1, or from 0 to 1: as many as there are bins. */
export function forceScale(signed, look) {
  const rest = look.dark ? [98, 104, 112] : [196, 200, 206];
  const pull = look.dark ? [255, 138, 76] : [200, 62, 0], push = look.dark ? [92, 176, 255] : [0, 84, 166];
  const found = [];
  for (let bin = signed ? -BINS : 0; bin <= BINS; bin++) {
    found.push(mixed(rest, bin < 0 ? push : pull, Math.pow(Math.abs(bin) / BINS, 0.7)));
  }
  return { colours: found, bin: (share) => Math.round(BINS * Math.max(signed ? -1 : 0, Math.min(1, share))) + (signed ? BINS : 0) };
}

function rgb(colour) {
  const short = /^#(.)(.)(.)$/.exec(colour), long = /^#(..)(..)(..)/.exec(colour), parts = /rgba?\((\d+)[ ,]+(\d+)[ ,]+(\d+)/.exec(colour);
  if (parts) { return parts.slice(1, 4).map(Number); }
  return (long ? long.slice(1, 4) : short ? short.slice(1, 4).map((c) => c + c) : ["f5", "f6", "f7"]).map((c) => parseInt(c, 16));
}

function mixed(a, b, share) {
  return "rgb(" + a.map((value, i) => Math.round((1 - share) * value + share * b[i])).join(",") + ")";
}
