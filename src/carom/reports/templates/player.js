// A canvas that plays: a picture says how it is fitted and drawn, the rest is the same for all.
function player(scene, picture) {
  "use strict";
  var figure = document.getElementById("sway"), canvas = figure.querySelector("canvas"), pen = canvas.getContext("2d");
  var play = figure.querySelector(".play"), moment = figure.querySelector(".moment");
  var clock = figure.querySelector(".clock"), speed = figure.querySelector(".speed");
  var AFTERGLOW = 0.12, frame = 0, playing = false, last = 0, dense = 1, width, height;

  function fit() {
    dense = Math.min(window.devicePixelRatio || 1, 2);
    width = canvas.clientWidth || 960;
    height = picture.fit(width);
    canvas.width = width * dense;
    canvas.height = height * dense;
  }

  function draw() {
    var k = Math.floor(frame), part = frame - k, after = Math.min(k + 1, scene.sway.length - 1);
    var now = scene.begin + frame / scene.rate;
    function moved(dof) { return (1 - part) * scene.sway[k][dof] + part * scene.sway[after][dof]; }
    pen.setTransform(dense, 0, 0, dense, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.textAlign = "center";
    picture.draw(pen, moved, fresh(now));
    clock.textContent = now.toFixed(2) + " s";
    moment.value = String(k);
  }

  // Impacts of this moment or just past, and how much of their glow is left.
  function fresh(now) {
    var found = [];
    scene.impacts.forEach(function (hit) {
      var since = now - hit.time;
      if (since < -0.5 / scene.rate || since > hit.duration + AFTERGLOW) { return; }
      found.push({ hit: hit, glow: Math.max(0, 1 - Math.max(0, since - hit.duration) / AFTERGLOW) });
    });
    return found;
  }

  function step(stamp) {
    if (!playing) { return; }
    if (last) { frame += (stamp - last) / 1000 * scene.rate * Number(speed.value); }
    last = stamp;
    if (frame >= scene.sway.length - 1) { frame = scene.sway.length - 1; stop(); }
    draw();
    if (playing) { window.requestAnimationFrame(step); }
  }

  function stop() { playing = false; play.textContent = "Play"; }

  play.addEventListener("click", function () {
    if (playing) { stop(); return; }
    if (frame >= scene.sway.length - 1) { frame = 0; }
    playing = true;
    last = 0;
    play.textContent = "Pause";
    window.requestAnimationFrame(step);
  });
  moment.addEventListener("input", function () { stop(); frame = Number(moment.value); draw(); });
  if (scene.impacts.length) { frame = Math.min(scene.sway.length - 1, Math.max(0, (scene.impacts[0].time - scene.begin) * scene.rate)); }
  window.addEventListener("resize", function () { fit(); draw(); });
  fit();
  draw();
}

// What pictures have in common: lines, names in their room, forces beside impacts.
var drawing = (function () {
  "use strict";

  function line(pen, x1, y1, x2, y2, thick, colour) {
    pen.lineWidth = thick;
    pen.strokeStyle = colour;
    pen.beginPath();
    pen.moveTo(x1, y1);
    pen.lineTo(x2, y2);
    pen.stroke();
  }

  // A name no wider than its room: smaller letters first, then without its middle.
  function call(pen, name, middle, below, room) {
    var size = 15, most = name.length, shown = name, end;
    function wide() { pen.font = size + "px system-ui, sans-serif"; return pen.measureText(shown).width > room; }
    while (wide() && size > 10) { size -= 1; }
    while (wide() && most > 4) {
      most -= 1;
      end = Math.floor(most / 3);
      shown = name.slice(0, most - end - 1) + "…" + name.slice(-end);
    }
    pen.fillStyle = "#1a1a1a";
    pen.fillText(shown, middle, below);
  }

  function flash(pen, x, y, share, glow) {
    pen.globalAlpha = 0.35 + 0.65 * glow;
    pen.fillStyle = "#e69f00";
    pen.strokeStyle = "#1a1a1a";
    pen.lineWidth = 1;
    pen.beginPath();
    pen.arc(x, y, 6 + 14 * Math.sqrt(share), 0, 2 * Math.PI);
    pen.fill();
    pen.stroke();
    pen.globalAlpha = 1;
  }

  // The hardest first; a force whose label would cover another's is left out.
  function write(pen, labels) {
    var written = [];
    pen.font = "15px system-ui, sans-serif";
    pen.lineWidth = 4;
    pen.lineJoin = "round";
    pen.strokeStyle = "#f5f6f7";
    pen.fillStyle = "#1a1a1a";
    labels.sort(function (a, b) { return b.share - a.share; }).forEach(function (one) {
      var half = 0.5 * pen.measureText(one.text).width + 3;
      if (written.some(function (other) { return Math.abs(other.x - one.x) < other.half + half && Math.abs(other.y - one.y) < 18; })) { return; }
      written.push({ x: one.x, y: one.y, half: half });
      pen.strokeText(one.text, one.x, one.y);
      pen.fillText(one.text, one.x, one.y);
    });
  }

  return { line: line, call: call, flash: flash, write: write };
})();
