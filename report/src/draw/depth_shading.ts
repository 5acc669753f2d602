// SPDX-License-Identifier: MIT
// Part of Dovetail.

import {
  DepthTexture,
  GLSL3,
  Mesh,
  NearestFilter,
  OrthographicCamera,
  type PerspectiveCamera,
  PlaneGeometry,
  RawShaderMaterial,
  Scene,
  UnsignedIntType,
  type WebGLRenderer,
  WebGLRenderTarget,
} from "three";

/**
 * Eye-dome lighting (Boucheny, 2009): what lies behind its neighbours on the screen is darker. It gives points a shape
 * without normals.
 */
const fragmentShader = `
precision highp float;
uniform sampler2D colors, depths;
uniform vec2 texel;
uniform float near, far, strength;
in vec2 at;
out vec4 color;
float logDepth(vec2 p) {
  float d = texture(depths, p).r;
  return log2(d >= 1.0 ? 4.0 * far : near * far / (far - d * (far - near)));
}
void main() {
  vec3 here = texture(colors, at).rgb;
  if (strength == 0.0 || texture(depths, at).r >= 1.0) { color = vec4(here, 1.0); return; }
  float depth = logDepth(at), sum = 0.0;
  for (int i = 0; i < 8; ++i) {
    float angle = 0.7853981634 * float(i);
    sum += clamp(depth - logDepth(at + texel * vec2(cos(angle), sin(angle))), 0.0, 0.02);
  }
  color = vec4(here * exp(-strength * sum), 1.0);
}`;

const vertexShader = `
in vec3 position;
out vec2 at;
void main() { at = 0.5 * position.xy + 0.5; gl_Position = vec4(position.xy, 0.0, 1.0); }`;

export class DepthShading {
  private readonly target: WebGLRenderTarget;
  private readonly material: RawShaderMaterial;
  private readonly scene = new Scene();
  private readonly camera = new OrthographicCamera();

  /** Shaded, or drawn as it is with smooth edges: lines in the plane. */
  constructor(shaded: boolean) {
    const depthTexture = new DepthTexture(1, 1, UnsignedIntType);
    const samples = shaded ? 0 : 4;
    this.target = new WebGLRenderTarget(1, 1, { depthTexture, samples, minFilter: NearestFilter, magFilter: NearestFilter });
    this.material = new RawShaderMaterial({
      glslVersion: GLSL3,
      vertexShader,
      fragmentShader,
      depthTest: false,
      depthWrite: false,
      uniforms: {
        colors: { value: this.target.texture },
        depths: { value: depthTexture },
        texel: { value: [1, 1] },
        near: { value: 0.1 },
        far: { value: 10 },
        strength: { value: shaded ? 9 : 0 },
      },
    });
    const quad = new Mesh(new PlaneGeometry(2, 2), this.material);
    quad.frustumCulled = false;
    this.scene.add(quad);
  }

  render(renderer: WebGLRenderer, scene: Scene, camera: PerspectiveCamera | OrthographicCamera, width: number, height: number): void {
    if (this.target.width !== width || this.target.height !== height) this.target.setSize(width, height);
    const uniforms = this.material.uniforms;
    const reach = 1.5 * renderer.getPixelRatio();
    uniforms["texel"]!.value = [reach / width, reach / height];
    uniforms["near"]!.value = camera.near;
    uniforms["far"]!.value = camera.far;
    renderer.setRenderTarget(this.target);
    renderer.render(scene, camera);
    renderer.setRenderTarget(null);
    renderer.render(this.scene, this.camera);
  }

  dispose(): void {
    this.target.depthTexture?.dispose();
    this.target.dispose();
    this.material.dispose();
  }
}
