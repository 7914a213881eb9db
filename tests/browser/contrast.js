// The smallest contrast of words on what they stand on, as WCAG counts it.
(() => {
  const colour = (text) => (text.match(/[\d.]+/g) || []).map(Number);
  const linear = (value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  function ground(one) {
    for (let at = one; at; at = at.parentElement) {
      const found = colour(getComputedStyle(at).backgroundColor);
      if (found.length === 3 || found[3] > 0.99) { return found; }
    }
    return [255, 255, 255];
  }
  let worst = Infinity;
  const worded = [...document.body.querySelectorAll("*")].filter((one) => [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim()));
  for (const one of worded) {
    if (!one.offsetParent || one.tagName === "OPTION" || one.disabled || one.tagName === "SCRIPT" || one.tagName === "STYLE") { continue; }
    const [a, b] = [light(colour(getComputedStyle(one).color)), light(ground(one))];
    worst = Math.min(worst, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
  }
  return worst;
})();
