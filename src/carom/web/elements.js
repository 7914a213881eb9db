// Parts of a page, made in few words.

/** An element with attributes, and what is in it: elements or text. */
export function element(name, attributes = {}, ...content) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) { made.setAttribute(key, value); }
  made.append(...content);
  return made;
}

/** A list to choose from: pairs of a value and its words. */
export function choice(label, pairs, chosen) {
  const select = element("select", {}, ...pairs.map(([value, words]) => element("option", { value }, words)));
  select.value = chosen;
  return { select, whole: element("label", {}, label + " ", select) };
}
