// What a report tells of the motion, turned in space or swaying along a line.

import { unpacked } from "./packing.js";
import { spaceView } from "./space_view.js";
import { swayView } from "./sway_view.js";

/** Put the moving picture of a run into an element; `told` is what `carom.reports.animation` writes. */
export function sceneView(root, told) {
  if (told.space) { return spaceView(root, told); }
  const view = swayView(root);
  view.show({ ...told, values: unpacked(told.sway) });
  return view;
}
