// The structures sway and touch, drawn from their displacements.
(function () {
  "use strict";
  var scene = JSON.parse(document.getElementById("scene").textContent);
  var figure = document.getElementById("sway"), canvas = figure.querySelector("canvas"), pen = canvas.getContext("2d");
  var play = figure.querySelector(".play"), moment = figure.querySelector(".moment");
  var clock = figure.querySelector(".clock"), speed = figure.querySelector(".speed");
  var AFTERGLOW = 0.12, frame = 0, playing = false, last = 0;

  var dense, width, height, scale, left, ground;

  function fit() {
    dense = Math.min(window.devicePixelRatio || 1, 2);
    width = canvas.clientWidth || 960;
    height = Math.round(Math.min(Math.max(0.44 * width, 260), 440));
    canvas.width = width * dense;
    canvas.height = height * dense;
    scale = Math.min((width - 40) / (scene.width + 0.8 * scene.bay), (height - 76) / (1.08 * scene.tall));
    left = (width - scene.width * scale) / 2;
    ground = height - 36;
  }

  function x(metres) { return left + metres * scale; }
  function y(metres) { return ground - metres * scale; }

  function line(x1, y1, x2, y2, thick, colour) {
    pen.lineWidth = thick;
    pen.strokeStyle = colour;
    pen.beginPath();
    pen.moveTo(x1, y1);
    pen.lineTo(x2, y2);
    pen.stroke();
  }

  // A name no wider than its room: smaller letters first, then without its middle.
  function call(name, middle, room) {
    var size = 15, most = name.length, shown = name, end;
    function wide() { pen.font = size + "px system-ui, sans-serif"; return pen.measureText(shown).width > room; }
    while (wide() && size > 10) { size -= 1; }
    while (wide() && most > 4) {
      most -= 1;
      end = Math.floor(most / 3);
      shown = name.slice(0, most - end - 1) + "…" + name.slice(-end);
    }
    pen.fillText(shown, middle, ground + 24);
  }

  // The hardest first; a force whose label would cover another's is left out.
  function write(labels) {
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

  function draw() {
    var k = Math.floor(frame), part = frame - k, after = Math.min(k + 1, scene.sway.length - 1);
    var now = scene.begin + frame / scene.rate, magnified = scene.amplification * 1e-4;
    function shift(dof) { return magnified * ((1 - part) * scene.sway[k][dof] + part * scene.sway[after][dof]); }
    pen.setTransform(dense, 0, 0, dense, 0, 0);
    pen.clearRect(0, 0, width, height);
    line(0, ground, width, ground, 1.5, "#1a1a1a");
    pen.textAlign = "center";
    scene.structures.forEach(function (one) {
      pen.fillStyle = "#1a1a1a";
      call(one.name, x(one.left + 0.5 * scene.bay), scene.bay * scale - 4);
      if (!one.dofs.length) {
        pen.fillStyle = "#cfcfcf";
        pen.fillRect(x(one.left), y(one.height), scene.bay * scale, one.height * scale);
        return;
      }
      var below = 0, base = 0;
      one.dofs.forEach(function (dof, i) {
        var s = shift(dof), level = one.levels[i];
        (one.columns ? [0.06, 0.94] : []).forEach(function (share) {
          line(x(one.left + share * scene.bay + base), y(below), x(one.left + share * scene.bay + s), y(level), 1.5, "#1a1a1a");
        });
        line(x(one.left + s), y(level), x(one.left + scene.bay + s), y(level), 6, one.colour);
        below = level;
        base = s;
      });
    });
    var labels = [];
    scene.impacts.forEach(function (hit) {
      var since = now - hit.time;
      if (since < -0.5 / scene.rate || since > hit.duration + AFTERGLOW) { return; }
      var one = scene.structures[hit.left], floor = 0, nearest = Infinity;
      one.levels.forEach(function (level, i) {
        if (Math.abs(level - hit.level) < nearest) { nearest = Math.abs(level - hit.level); floor = i; }
      });
      var s = one.dofs.length ? shift(one.dofs[floor]) : 0, fade = Math.max(0, 1 - Math.max(0, since - hit.duration) / AFTERGLOW);
      pen.globalAlpha = 0.35 + 0.65 * fade;
      pen.fillStyle = "#e69f00";
      pen.strokeStyle = "#1a1a1a";
      pen.lineWidth = 1;
      pen.beginPath();
      pen.arc(x(one.left + scene.bay + s), y(hit.level), 6 + 14 * Math.sqrt(hit.share), 0, 2 * Math.PI);
      pen.fill();
      pen.stroke();
      pen.globalAlpha = 1;
      labels.push({ text: hit.force, share: hit.share, x: x(one.left + scene.bay + s), y: y(hit.level) - 26 });
    });
    write(labels);
    clock.textContent = now.toFixed(2) + " s";
    moment.value = String(k);
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
})();
