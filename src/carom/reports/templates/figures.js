// Read values off the figures, and hide or show their curves. No library, nothing loaded.
(function () {
  "use strict";
  var SVG = "http://www.w3.org/2000/svg";
  var panels = JSON.parse(document.getElementById("panels").textContent);

  function element(name, attributes) {
    var made = document.createElementNS(SVG, name);
    Object.keys(attributes).forEach(function (key) { made.setAttribute(key, attributes[key]); });
    return made;
  }

  function place(panel, x, y) {
    var low = panel.x[0], high = panel.x[1];
    var share = panel.log ? Math.log(x / low) / Math.log(high / low) : (x - low) / (high - low);
    return [panel.box[0] + share * panel.box[2], panel.box[1] + (1 - (y - panel.y[0]) / (panel.y[1] - panel.y[0])) * panel.box[3]];
  }

  function value(panel, px) {
    var share = (px - panel.box[0]) / panel.box[2];
    return panel.log ? panel.x[0] * Math.pow(panel.x[1] / panel.x[0], share) : panel.x[0] + share * (panel.x[1] - panel.x[0]);
  }

  function nearest(panel, curve, at, px, py) {
    var best = 0, k;
    if (curve.along) {
      var low = 0, high = curve.x.length - 1;
      while (high - low > 1) { k = (low + high) >> 1; if (curve.x[k] < at) { low = k; } else { high = k; } }
      best = at - curve.x[low] < curve.x[high] - at ? low : high;
    } else {
      var least = Infinity;
      for (k = 0; k < curve.x.length; k++) {
        var p = place(panel, curve.x[k], curve.y[k]);
        var d = (p[0] - px) * (p[0] - px) + (p[1] - py) * (p[1] - py);
        if (d < least) { least = d; best = k; }
      }
    }
    return best;
  }

  function short(v) { return String(Number(v.toPrecision(4))); }
  function unit(label) { var found = /\[(.*?)\]/.exec(label); return found ? " " + found[1] : ""; }
  function word(label) { return label.replace(/\s*\[.*?\].*$/, ""); }

  function readable(key, list) {
    var figure = document.getElementById("figure-" + key);
    if (!figure) { return; }
    var drawing = figure.querySelector(".drawing"), svg = drawing.querySelector("svg");
    var hidden = {}, marks = element("g", { "pointer-events": "none" });
    svg.appendChild(marks);
    var reading = document.createElement("div");
    reading.className = "reading";
    reading.hidden = true;
    drawing.appendChild(reading);

    function clear() { marks.textContent = ""; reading.hidden = true; }

    function show(event) {
      var box = svg.getBoundingClientRect(), scale = svg.viewBox.baseVal.width / box.width;
      var px = (event.clientX - box.left) * scale, py = (event.clientY - box.top) * scale;
      var panel = list.find(function (one) {
        return px >= one.box[0] && px <= one.box[0] + one.box[2] && py >= one.box[1] && py <= one.box[1] + one.box[3];
      });
      clear();
      if (!panel) { return; }
      var at = value(panel, px), lines = [], along = panel.curves.some(function (c) { return c.along; });
      panel.curves.forEach(function (curve) {
        if (hidden[curve.label] || (along && !curve.along)) { return; }
        var k = nearest(panel, curve, at, px, py), p = place(panel, curve.x[k], curve.y[k]);
        lines.push({ curve: curve, k: k, p: p });
      });
      if (!along && lines.length) {
        lines.sort(function (a, b) { return Math.hypot(a.p[0] - px, a.p[1] - py) - Math.hypot(b.p[0] - px, b.p[1] - py); });
        lines = lines.slice(0, 1);
      }
      if (!lines.length) { return; }
      if (along) {
        marks.appendChild(element("line", { x1: px, x2: px, y1: panel.box[1], y2: panel.box[1] + panel.box[3], stroke: "#8c8c8c", "stroke-width": 0.5 }));
      }
      reading.textContent = "";
      var head = document.createElement("b");
      head.textContent = along ? word(panel.xlabel || list[list.length - 1].xlabel) + " " + short(at) + unit(panel.xlabel || list[list.length - 1].xlabel) : "";
      if (along) { reading.appendChild(head); }
      lines.forEach(function (line) {
        marks.appendChild(element("circle", { cx: line.p[0], cy: line.p[1], r: 2, fill: line.curve.colour, stroke: "#fff", "stroke-width": 0.5 }));
        var row = document.createElement("div"), dot = document.createElement("i");
        dot.style.background = line.curve.colour;
        row.appendChild(dot);
        var y = short(line.curve.y[line.k]) + unit(panel.ylabel || list[0].ylabel);
        row.appendChild(document.createTextNode(line.curve.label + ": " + (along ? y : short(line.curve.x[line.k]) + unit(panel.xlabel) + ", " + y)));
        reading.appendChild(row);
      });
      reading.hidden = false;
      var width = reading.offsetWidth, left = px / scale + 14;
      var view = drawing.parentNode, seen = Math.min(box.width, view.scrollLeft + view.clientWidth);
      if (left + width > seen) { left = px / scale - width - 14; }
      reading.style.left = Math.max(0, left) + "px";
      reading.style.top = Math.max(0, py / scale - reading.offsetHeight - 8) + "px";
    }

    svg.addEventListener("pointermove", show);
    svg.addEventListener("pointerdown", show);
    svg.addEventListener("pointerleave", clear);

    var labels = [];
    list.forEach(function (panel) {
      panel.curves.forEach(function (curve) { if (labels.indexOf(curve.label) < 0) { labels.push(curve.label); } });
    });
    if (labels.length < 2) { return; }
    var legend = document.createElement("div");
    legend.className = "legend";
    labels.forEach(function (label) {
      var button = document.createElement("button"), swatch = document.createElement("i");
      var curves = [];
      list.forEach(function (panel) { curves = curves.concat(panel.curves.filter(function (c) { return c.label === label; })); });
      button.type = "button";
      button.setAttribute("aria-pressed", "true");
      swatch.style.borderTopColor = curves[0].colour;
      if (curves[0].dashed) { swatch.className = "dashed"; }
      button.appendChild(swatch);
      button.appendChild(document.createTextNode(label));
      button.addEventListener("click", function () {
        hidden[label] = !hidden[label];
        button.setAttribute("aria-pressed", String(!hidden[label]));
        curves.forEach(function (curve) {
          var group = document.getElementById(key + "-" + curve.id);
          if (group) { group.style.display = hidden[label] ? "none" : ""; }
        });
        clear();
      });
      legend.appendChild(button);
    });
    figure.insertBefore(legend, figure.querySelector("figcaption"));
  }

  Object.keys(panels).forEach(function (key) { readable(key, panels[key]); });
})();
