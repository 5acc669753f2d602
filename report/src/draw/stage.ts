// SPDX-License-Identifier: MIT
// Part of Dovetail.

import { ColorManagement, LinearSRGBColorSpace, MOUSE, OrthographicCamera, PerspectiveCamera, Scene, TOUCH, Vector2, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { onTheme, themeColor } from "../theme";
import type { Cloud } from "./cloud";
import { DepthShading } from "./depth_shading";

ColorManagement.enabled = false; // colours are those of the style sheet, as they are

/** The most points that a still picture draws, and how slow frames may be before fewer are drawn while moving. */
const mostPoints = 2_000_000;
const slowFrame = 80; // milliseconds
/** So few points are always drawn whole. */
const smallDrawing = 50_000;

let shared: WebGLRenderer | null = null;

/** The page's one WebGL context. */
function renderer(): WebGLRenderer {
  if (!shared) {
    shared = new WebGLRenderer({ antialias: false, powerPreference: "high-performance" });
    shared.outputColorSpace = LinearSRGBColorSpace;
  }
  return shared;
}

/** Where clouds are drawn, and the camera that looks at them. Draws only when something has changed. */
export class Stage {
  readonly scene = new Scene();
  /** What is drawn over the points, wherever it is: arrows. */
  readonly overlay = new Scene();
  readonly camera: PerspectiveCamera | OrthographicCamera;
  readonly clouds: Cloud[] = [];
  readonly canvas: HTMLCanvasElement;
  onDrawn: (points: number) => void = () => undefined;
  private readonly controls: OrbitControls;
  private readonly gl = renderer();
  private readonly shading: DepthShading;
  private readonly sizes: ResizeObserver;
  private readonly forget: () => void;
  private asked = 0;
  private moving = false;
  private share = 0.5; // of the points, while moving
  private lastFrame = 0;
  private size = 2;
  private stopped = false;
  private rest = 0;
  private half: [number, number, number] = [1, 1, 1];
  up = new Vector3(0, 0, 1);

  constructor(
    private readonly host: HTMLElement,
    readonly flat: boolean,
  ) {
    this.canvas = this.gl.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("aria-label", "The points, drawn");
    host.prepend(this.canvas);
    this.shading = new DepthShading(!flat);
    this.camera = flat ? new OrthographicCamera() : new PerspectiveCamera(35, 1, 0.01, 100);
    this.controls = new OrbitControls(this.camera, this.canvas);
    if (flat) {
      this.controls.enableRotate = false;
      this.controls.zoomToCursor = true;
      this.controls.mouseButtons = { LEFT: MOUSE.PAN, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
      this.controls.touches = { ONE: TOUCH.PAN, TWO: TOUCH.DOLLY_PAN };
    }
    this.controls.addEventListener("start", () => (this.moving = true));
    this.controls.addEventListener("end", () => {
      this.moving = false;
      this.invalidate();
    });
    this.controls.addEventListener("change", () => this.invalidate());
    this.sizes = new ResizeObserver(() => this.resize());
    this.sizes.observe(host);
    this.forget = onTheme(() => this.invalidate());
    this.resize();
  }

  add(cloud: Cloud): void {
    this.clouds.push(cloud);
    this.scene.add(cloud.object);
  }

  /** Draws soon, once however often it is asked. */
  invalidate = (): void => {
    if (this.asked === 0 && !this.stopped) this.asked = requestAnimationFrame(() => this.draw());
  };

  /** Something moves, and more of it may follow: many points are drawn as while the camera moves, and whole a little later. */
  nudge(): void {
    if (this.clouds.reduce((sum, cloud) => sum + cloud.count, 0) > smallDrawing) {
      this.moving = true;
      window.clearTimeout(this.rest);
      this.rest = window.setTimeout(() => {
        this.moving = false;
        this.invalidate();
      }, 400);
    }
    this.invalidate();
  }

  /** Takes the whole drawing into view: a ball about a place, from a direction. */
  look(center: Vector3, radius: number, direction: Vector3, up: Vector3, half: [number, number, number] = [1, 1, 1]): void {
    this.up.copy(up);
    this.camera.up.copy(this.flat ? new Vector3(0, 1, 0) : up);
    this.controls.target.copy(center);
    if (this.camera instanceof OrthographicCamera) {
      this.camera.position.copy(center).add(new Vector3(0, 0, 10));
      this.camera.zoom = 1;
      this.frustum(half);
    } else {
      const angle = (Math.min(this.camera.fov, this.camera.fov * this.camera.aspect) * Math.PI) / 360;
      const distance = radius / Math.sin(angle);
      this.camera.position.copy(center).addScaledVector(direction.clone().normalize(), distance);
    }
    this.controls.update();
    this.invalidate();
  }

  /** In the plane: a box of these half sides is seen whole, with room for the controls above and below it. */
  private frustum(half = this.half): void {
    if (!(this.camera instanceof OrthographicCamera)) return;
    this.half = half;
    const { clientWidth: w, clientHeight: t } = this.host;
    const unit = Math.max((2 * half[0]) / Math.max(1, w - Math.min(60, 0.1 * w)), (2 * half[1]) / Math.max(1, t - Math.min(220, 0.3 * t)), 1e-6);
    this.camera.left = (-unit * w) / 2;
    this.camera.right = (unit * w) / 2;
    this.camera.top = (unit * t) / 2;
    this.camera.bottom = (-unit * t) / 2;
    this.camera.near = -100;
    this.camera.far = 100;
    this.camera.updateProjectionMatrix();
  }

  pointSize(pixels: number): void {
    this.size = pixels;
    this.invalidate();
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0) return;
    this.gl.setPixelRatio(Math.min(2, devicePixelRatio));
    this.gl.setSize(width, height);
    if (this.camera instanceof PerspectiveCamera) {
      this.camera.aspect = width / height;
      this.camera.updateProjectionMatrix();
    } else {
      this.frustum();
    }
    this.draw();
  }

  /** Fewer points where frames are slow, more where they are quick; half of them at most. */
  private pace(now: number): void {
    const took = now - this.lastFrame;
    this.lastFrame = now;
    if (!this.moving || took > 1000) return;
    if (took > slowFrame) this.share = Math.max(0.05, this.share * 0.8);
    else if (took < slowFrame / 2) this.share = Math.min(0.5, this.share * 1.1);
  }

  private draw(): void {
    if (this.asked !== 0) cancelAnimationFrame(this.asked);
    this.asked = 0;
    if (this.stopped) return;
    this.pace(performance.now());
    const total = this.clouds.reduce((sum, cloud) => sum + (cloud.object.visible ? cloud.count : 0), 0);
    const share = Math.min(1, mostPoints / Math.max(1, total)) * (this.moving ? this.share : 1);
    let points = 0;
    for (const cloud of this.clouds) {
      cloud.draw(share);
      cloud.pointSize(this.size * this.gl.getPixelRatio());
      if (cloud.object.visible) points += cloud.drawn;
    }
    this.gl.setClearColor(this.clearColor(), 1);
    if (this.camera instanceof PerspectiveCamera) {
      const distance = this.camera.position.distanceTo(this.controls.target);
      this.camera.near = Math.max(distance / 200, distance - 8);
      this.camera.far = distance + 8;
      this.camera.updateProjectionMatrix();
    }
    const size = this.gl.getDrawingBufferSize(new Vector2());
    if (this.moving && this.share < 0.5) this.gl.render(this.scene, this.camera);
    else this.shading.render(this.gl, this.scene, this.camera, size.x, size.y);
    if (this.overlay.children.length > 0) {
      this.gl.autoClear = false;
      this.gl.clearDepth();
      this.gl.render(this.overlay, this.camera);
      this.gl.autoClear = true;
    }
    if (performance.getEntriesByName("first-picture").length === 0) performance.mark("first-picture");
    this.onDrawn(points);
  }

  private clearColor(): number {
    const [r, g, b] = themeColor("--stage");
    return (Math.round(255 * r) << 16) | (Math.round(255 * g) << 8) | Math.round(255 * b);
  }

  /** The drawing as it is now, copied into a small picture. */
  picture(width: number, height: number): HTMLCanvasElement {
    this.resize();
    const copy = document.createElement("canvas");
    copy.width = width;
    copy.height = height;
    copy.getContext("2d")?.drawImage(this.canvas, 0, 0, width, height);
    return copy;
  }

  dispose(): void {
    this.stopped = true;
    if (this.asked !== 0) cancelAnimationFrame(this.asked);
    window.clearTimeout(this.rest);
    this.forget();
    this.sizes.disconnect();
    this.controls.dispose();
    this.shading.dispose();
    for (const cloud of this.clouds) cloud.dispose();
    this.canvas.remove();
  }
}
