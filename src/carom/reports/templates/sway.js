// The structures sway and touch, drawn from their displacements.
(function () {
  "use strict";
  var scene = JSON.parse(document.getElementById("scene").textContent);
  var width, height, scale, left, ground;

  function fit(room) {
    width = room;
    height = Math.round(Math.min(Math.max(0.44 * width, 260), 440));
    scale = Math.min((width - 40) / (scene.width + 0.8 * scene.bay), (height - 76) / (1.08 * scene.tall));
    left = (width - scene.width * scale) / 2;
    ground = height - 36;
    return height;
  }

  function x(metres) { return left + metres * scale; }
  function y(metres) { return ground - metres * scale; }

  function draw(pen, moved, fresh) {
    var magnified = scene.amplification * scene.unit;
    function shift(dof) { return magnified * moved(dof); }
    drawing.line(pen, 0, ground, width, ground, 1.5, "#1a1a1a");
    scene.structures.forEach(function (one) {
      drawing.call(pen, one.name, x(one.left + 0.5 * scene.bay), ground + 24, scene.bay * scale - 4);
      if (!one.dofs.length) {
        pen.fillStyle = "#cfcfcf";
        pen.fillRect(x(one.left), y(one.height), scene.bay * scale, one.height * scale);
        return;
      }
      var below = 0, base = 0;
      one.dofs.forEach(function (dof, i) {
        var s = shift(dof), level = one.levels[i];
        (one.columns ? [0.06, 0.94] : []).forEach(function (share) {
          drawing.line(pen, x(one.left + share * scene.bay + base), y(below), x(one.left + share * scene.bay + s), y(level), 1.5, "#1a1a1a");
        });
        drawing.line(pen, x(one.left + s), y(level), x(one.left + scene.bay + s), y(level), 6, one.colour);
        below = level;
        base = s;
      });
    });
    var labels = [];
    fresh.forEach(function (at) {
      var hit = at.hit, one = scene.structures[hit.left], floor = 0, nearest = Infinity;
      one.levels.forEach(function (level, i) {
        if (Math.abs(level - hit.level) < nearest) { nearest = Math.abs(level - hit.level); floor = i; }
      });
      var s = one.dofs.length ? shift(one.dofs[floor]) : 0;
      drawing.flash(pen, x(one.left + scene.bay + s), y(hit.level), hit.share, at.glow);
      labels.push({ text: hit.force, share: hit.share, x: x(one.left + scene.bay + s), y: y(hit.level) - 26 });
    });
    drawing.write(pen, labels);
  }

  player(scene, { fit: fit, draw: draw });
})();
