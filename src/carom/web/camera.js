// From where a scene is seen, and where its points are on the page.

const RADIAN = Math.PI / 180;
const FAR = 5;  // distance of the eye, in radii of the scene: near things are a little larger
const STEEPEST = 90 * RADIAN;

export const VIEWS = {
  "in space": [-60, 20],
  "from above": [-90, 90],
  "along x": [180, 0],
  "along y": [-90, 0],
};

export class Camera {
  /** `low` and `high` are the corners of the box around all that is shown. */
  constructor(low, high) {
    this.centre = low.map((value, i) => 0.5 * (value + high[i]));
    this.reach = Math.hypot(high[0] - low[0], high[1] - low[1]) / 2 || 1;
    this.tall = (high[2] - low[2]) / 2 || 1;
    this.radius = Math.hypot(this.reach, this.tall);
    this.corners = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [0, 1, 2].map((i) => (k >> i & 1 ? high[i] : low[i]) - this.centre[i]));
    this.width = this.height = 1;
    this.look("in space");
  }

  /** Look from one of VIEWS, all in sight. */
  look(view) {
    [this.azimuth, this.elevation] = VIEWS[view].map((degrees) => degrees * RADIAN);
    this.zoom = 1;
    this.shift = [0, 0];
    this.turned();
    this.fill();
  }

  /** Choose the scale at which all is in sight, and nearly so while the scene turns about the vertical. */
  fill() {
    if (!this.room) { return; }
    const now = Math.max(...this.corners.map((corner) => Math.abs(corner.reduce((sum, value, i) => sum + value * this.up[i], 0))));
    const most = this.tall * Math.cos(this.elevation) + this.reach * Math.abs(Math.sin(this.elevation));
    const high = 0.5 * (now + most);
    this.full = Math.min(this.room[0] / (2.1 * this.reach), this.room[1] / (2.25 * high));
    this.scale = this.full * this.zoom;
  }

  /** Take the room in which is drawn [px], and what is to be left free at its edges. */
  fit(width, height, margin) {
    this.width = width;
    this.height = height;
    this.room = [Math.max(width - 2 * margin, 40), Math.max(height - 2 * margin, 40)];
    this.fill();
  }

  turn(around, above) {
    this.azimuth += around;
    this.elevation = Math.min(STEEPEST, Math.max(-0.2 * STEEPEST, this.elevation + above));
    this.turned();
  }

  /** Zoom about a place on the page, measured from its middle. */
  zoomed(factor, x = 0, y = 0) {
    const zoom = Math.min(30, Math.max(0.3, this.zoom * factor)), by = zoom / this.zoom;
    this.shift = [x + (this.shift[0] - x) * by, y + (this.shift[1] - y) * by];
    this.zoom = zoom;
    this.scale = this.full * zoom;
  }

  moved(x, y) { this.shift = [this.shift[0] + x, this.shift[1] + y]; }

  turned() {
    const a = this.azimuth, e = this.elevation;
    this.right = [-Math.sin(a), Math.cos(a), 0];
    this.up = [-Math.sin(e) * Math.cos(a), -Math.sin(e) * Math.sin(a), Math.cos(e)];
    this.towards = [Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e)];
  }

  /** Project points, x, y, z one after another, to x, y on the page and depth, larger where nearer. */
  project(points, found) {
    const [cx, cy, cz] = this.centre, [rx, ry] = this.right, [ux, uy, uz] = this.up, [tx, ty, tz] = this.towards;
    const far = FAR * this.radius, scale = this.scale;
    const left = 0.5 * this.width + this.shift[0], top = 0.5 * this.height + this.shift[1];
    for (let i = 0; i < points.length; i += 3) {
      const x = points[i] - cx, y = points[i + 1] - cy, z = points[i + 2] - cz;
      const depth = tx * x + ty * y + tz * z, near = scale * far / (far - depth);
      found[i] = left + near * (rx * x + ry * y);
      found[i + 1] = top - near * (ux * x + uy * y + uz * z);
      found[i + 2] = depth;
    }
    return found;
  }
}
