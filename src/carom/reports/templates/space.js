// Structures in space: from above and from the side, moved by what the results say of their points.
(function () {
  "use strict";
  var scene = JSON.parse(document.getElementById("scene").textContent);
  var NAMES = 40, TITLE = 52, EDGE = 16;
  var width, height, views;

  // Plan and elevation beside each other where there is room, else below each other; one scale for both.
  function fit(room) {
    var low = scene.box[0], high = scene.box[1], axis = scene.axis;
    var span = [0, 1, 2].map(function (i) { return high[i] - low[i]; });
    var beside = room >= 640, half = beside ? room / 2 : room;
    var scale = Math.min((half - 2 * EDGE) / Math.max(span[0], span[axis]), 360 / Math.max(span[1], span[2]));
    var tall = [span[1] * scale + TITLE + NAMES, span[2] * scale + TITLE + NAMES];
    width = room;
    height = Math.round(beside ? Math.max(tall[0], tall[1]) : tall[0] + tall[1]) + EDGE;
    views = [
      view(0, 1, 0.5 * half, beside ? height - NAMES : tall[0] - NAMES, "from above"),
      view(axis, 2, beside ? 1.5 * half : 0.5 * half, height - NAMES, "from the side, " + "xyz"[axis] + " to the right")
    ];
    function view(across, up, middle, bottom, title) {
      return {
        across: across, up: up, title: title, left: middle - 0.5 * half, right: middle + 0.5 * half, bottom: bottom, top: bottom - span[up] * scale - 10,
        x: function (point) { return middle + (point[across] - 0.5 * (low[across] + high[across])) * scale; },
        y: function (point) { return bottom - (point[up] - low[up]) * scale; }
      };
    }
    return height;
  }

  // Where the points of a structure are drawn now.
  function places(one, moved) {
    var magnified = scene.amplification * scene.unit;
    return one.points.map(function (point, i) {
      var at = point.slice();
      one.weights[i].forEach(function (by) {
        var much = magnified * moved(by[0]);
        at[0] += much * by[1];
        at[1] += much * by[2];
        at[2] += much * by[3];
      });
      return at;
    });
  }

  function polygon(pen, view, points, corners) {
    pen.beginPath();
    corners.forEach(function (c, i) { pen[i ? "lineTo" : "moveTo"](view.x(points[c]), view.y(points[c])); });
    pen.closePath();
  }

  function seen(pen, view, one, points, rest) {
    if (view.up === 2 || !one.flat) {
      one.edges.forEach(function (edge) {
        drawing.line(pen, view.x(points[edge[0]]), view.y(points[edge[0]]), view.x(points[edge[1]]), view.y(points[edge[1]]), 1.2, "#1a1a1a");
      });
    }
    one.slabs.forEach(function (corners, k) {
      var top = k === one.slabs.length - 1;
      if (view.up === 1 && corners.length > 2) {
        pen.setLineDash([3, 3]);
        pen.lineWidth = 1;
        pen.strokeStyle = "#9aa0a6";
        if (top) { polygon(pen, view, rest, corners); pen.stroke(); }
        pen.setLineDash([]);
        polygon(pen, view, points, corners);
        pen.globalAlpha = 0.1;
        pen.fillStyle = one.colour;
        pen.fill();
        pen.globalAlpha = 1;
        pen.lineWidth = top ? 3 : 1;
        pen.strokeStyle = one.colour;
        pen.stroke();
        return;
      }
      corners.forEach(function (c, i) {
        var next = corners[(i + 1) % corners.length];
        drawing.line(pen, view.x(points[c]), view.y(points[c]), view.x(points[next]), view.y(points[next]), view.up === 2 ? 4 : 3, one.colour);
      });
    });
  }

  function draw(pen, moved, fresh) {
    var now = scene.structures.map(function (one) { return places(one, moved); });
    views.forEach(function (view) {
      pen.font = "13px system-ui, sans-serif";
      pen.fillStyle = "#5f6368";
      pen.textAlign = "left";
      pen.fillText(view.title, view.left + EDGE, Math.max(view.top - 30, 14));
      pen.textAlign = "center";
      if (view.up === 2) { drawing.line(pen, view.left + 4, view.y([0, 0, 0]), view.right - 4, view.y([0, 0, 0]), 1.5, "#1a1a1a"); }
      var named = [];
      scene.structures.forEach(function (one, i) {
        var across = one.points.map(function (point) { return view.x(point); }), up = one.points.map(function (point) { return view.y(point); });
        var bottom = Math.max.apply(null, up), top = Math.min.apply(null, up);
        var low = Math.min.apply(null, across), high = Math.max.apply(null, across);
        seen(pen, view, one, now[i], one.points);
        if (view.up === 1 && Math.min(high - low, bottom - top) > 60) {  // from above, its name stands in it
          drawing.call(pen, one.name, 0.5 * (low + high), 0.5 * (bottom + top) + 5, high - low - 12);
          return;
        }
        var middle = 0.5 * (low + high), half = 4 * one.name.length;
        var lower = named.filter(function (other) { return Math.abs(other.middle - middle) < other.half + half; }).length;
        named.push({ middle: middle, half: Math.min(half, 0.5 * Math.max(high - low, 46)) });
        drawing.call(pen, one.name, middle, view.bottom + (lower % 2 ? 36 : 22), Math.max(high - low, 46));
      });
      scene.contacts.forEach(function (one) {
        [one.left, one.right].forEach(function (side) {
          var at = now[side[0]][side[1]];
          pen.beginPath();
          pen.arc(view.x(at), view.y(at), 2.5, 0, 2 * Math.PI);
          pen.fillStyle = "#fff";
          pen.strokeStyle = "#1a1a1a";
          pen.lineWidth = 1;
          pen.fill();
          pen.stroke();
        });
      });
    });
    views.forEach(function (view) {
      var labels = [];
      fresh.forEach(function (one) {
        var side = scene.contacts[one.hit.contact].left, at = now[side[0]][side[1]];
        drawing.flash(pen, view.x(at), view.y(at), one.hit.share, one.glow);
        labels.push({ text: one.hit.force, share: one.hit.share, x: view.x(at), y: view.y(at) - 24 });
      });
      drawing.write(pen, labels);
    });
  }

  player(scene, { fit: fit, draw: draw });
})();
