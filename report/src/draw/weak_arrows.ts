// SPDX-License-Identifier: MIT
// Part of Dovetail.

import { Color, ConeGeometry, CylinderGeometry, Group, Mesh, MeshBasicMaterial, Quaternion, TorusGeometry, Vector3 } from "three";
import type { Vec, WeakDirection } from "../data";

/** Motions that the data hardly determines: a double arrow along a shift, an arc about the axis of a turn. */

const thickness = 0.006;
const z = new Vector3(0, 0, 1);
const y = new Vector3(0, 1, 0);

function shiftArrow(direction: Vector3, length: number, material: MeshBasicMaterial): Group {
  const arrow = new Group();
  arrow.add(new Mesh(new CylinderGeometry(thickness, thickness, 2 * length, 12), material));
  for (const end of [1, -1]) {
    const head = new Mesh(new ConeGeometry(4 * thickness, 12 * thickness, 20), material);
    head.position.y = end * length;
    if (end < 0) head.rotation.x = Math.PI;
    arrow.add(head);
  }
  arrow.quaternion.copy(new Quaternion().setFromUnitVectors(y, direction));
  return arrow;
}

function turnArrow(axis: Vector3, radius: number, material: MeshBasicMaterial): Group {
  const arrow = new Group();
  const sweep = 1.6 * Math.PI;
  arrow.add(new Mesh(new TorusGeometry(radius, thickness, 10, 64, sweep), material));
  const head = new Mesh(new ConeGeometry(4 * thickness, 12 * thickness, 20), material);
  head.position.set(radius * Math.cos(sweep), radius * Math.sin(sweep), 0);
  head.rotation.z = sweep;
  arrow.add(head);
  const stem = new Mesh(new CylinderGeometry(thickness / 2, thickness / 2, 2.4 * radius, 8), material);
  stem.rotation.x = Math.PI / 2;
  arrow.add(stem);
  arrow.quaternion.copy(new Quaternion().setFromUnitVectors(z, axis));
  return arrow;
}

/** At a place of the drawing, as large as the drawing asks for. */
export function weakArrows(directions: WeakDirection[], at: Vector3, size: number, color: [number, number, number]): Group {
  const all = new Group();
  const material = new MeshBasicMaterial({ color: new Color(...color) });
  const vector = (v: Vec): Vector3 => new Vector3(...v);
  for (const direction of directions) {
    const shift = vector(direction.translation);
    const turn = vector(direction.rotation);
    if (shift.length() > 0.1) all.add(shiftArrow(shift.clone().normalize(), 0.6 * shift.length(), material));
    if (turn.length() > 0.1) all.add(turnArrow(turn.clone().normalize(), 0.45 * turn.length(), material));
  }
  all.position.copy(at);
  all.scale.setScalar(size);
  return all;
}
