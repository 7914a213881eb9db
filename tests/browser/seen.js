// What the tests ask of a page: put into it by them.
window.seen = {
  view: () => document.querySelector(".carom-view").carom,

  camera() {
    const { azimuth, elevation, zoom } = this.view().camera;
    return [azimuth, elevation, zoom];
  },

  // Pictures a second while it plays and turns.
  async rate(seconds) {
    const view = this.view(), begin = performance.now(), drawn = view.draws, since = () => performance.now() - begin;
    const turn = () => {
      view.camera.turn(0.02, 0);
      if (since() < 1000 * seconds) { requestAnimationFrame(turn); }
    };
    if (!view.clock.playing) { document.querySelector(".carom-view .play").click(); }
    turn();
    await new Promise((done) => setTimeout(done, 1000 * seconds));
    return (view.draws - drawn) / since() * 1000;
  },

  pixels() {
    const { canvas } = this.view(), copy = document.createElement("canvas");
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const pen = copy.getContext("2d", { willReadFrequently: true });
    pen.drawImage(canvas, 0, 0);
    return pen.getImageData(0, 0, copy.width, copy.height).data;
  },

  // Pixels in the colour of contacts that are closed.
  lit() {
    const data = this.pixels();
    let count = 0;
    for (let i = 0; i < data.length; i += 4) {
      if (Math.abs(data[i] - 230) + Math.abs(data[i + 1] - 159) + data[i + 2] < 30) { count += 1; }
    }
    return count;
  },

  // A number that is another one when the picture is.
  picture() {
    const data = this.pixels();
    let sum = 0;
    for (let i = 0; i < data.length; i += 4) { sum = (31 * sum + data[i] + 3 * data[i + 1] + 7 * data[i + 2]) % 1000003; }
    return sum;
  },

  // The least contrast of a text with what is behind it (WCAG 2), and whose it is.
  leastContrast() {
    const rgb = (text) => text.match(/[\d.]+/g).map(Number);
    const linear = (v) => (v <= 10.03 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
    const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
    const behind = (one) => {
      for (; one; one = one.parentElement) {
        const colour = rgb(getComputedStyle(one).backgroundColor);
        if (colour.length < 4 || colour[3] > 0.5) { return colour; }
      }
      return [255, 255, 255];
    };
    const told = "h1, h2, p, td, th, figcaption, button, label, output, select, a, li, summary";
    const found = [...document.querySelectorAll(told)].filter((one) => one.textContent.trim() && one.offsetParent && !one.disabled);
    return found.map((one) => {
      const [low, high] = [luminance(rgb(getComputedStyle(one).color)), luminance(behind(one))].sort((a, b) => a - b);
      return [(high + 0.05) / (low + 0.05), one.tagName + " " + one.textContent.trim().slice(0, 40)];
    }).sort((a, b) => a[0] - b[0])[0];
  },
};
