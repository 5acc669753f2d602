// SPDX-License-Identifier: MIT
// Part of Dovetail.

import { Color, CylinderGeometry, Group, Mesh, MeshBasicMaterial, Quaternion, SphereGeometry, Vector3 } from "three";
import type { Axis } from "../data";
import { type Frame, toFrame } from "../frame";
import { apply } from "../poses";

/** Axes as thin rods through the part, with a ball at the end that they point to. */
export class AxisLines {
  readonly object = new Group();
  private readonly materials: MeshBasicMaterial[];

  constructor(axes: Axis[], frame: Frame, length: number) {
    this.materials = axes.map((axis) => {
      const material = new MeshBasicMaterial();
      const rod = new Group();
      rod.add(new Mesh(new CylinderGeometry(0.004, 0.004, 2 * length, 12), material));
      const ball = new Mesh(new SphereGeometry(0.018, 20, 14), material);
      ball.position.y = length;
      rod.add(ball);
      rod.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), new Vector3(...axis.direction).normalize()));
      rod.position.set(...apply(toFrame(frame), axis.through));
      this.object.add(rod);
      return material;
    });
  }

  paint(chosen: number, color: [number, number, number], other: [number, number, number]): void {
    this.materials.forEach((material, i) => material.color.copy(new Color(...(i === chosen ? color : other))));
  }
}
