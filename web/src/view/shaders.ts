// SPDX-License-Identifier: Apache-2.0
// Programs of the graphics processor. Colours are written as they are: nothing is converted.

/** Surface: a value is looked up in the colour table; in space it is shaded by its normals, its facets by their slope. */
export const surfaceVertex = `
in float place;
in vec3 bent;
out float at;
out vec3 seen;
out vec3 turned;
void main() {
  at = place;
  turned = mat3(modelViewMatrix) * bent;
  vec4 p = modelViewMatrix * vec4(position, 1.0);
  seen = p.xyz;
  gl_Position = projectionMatrix * p;
}`;

export const surfaceFragment = `
uniform sampler2D table;
uniform vec3 neutral;
uniform bool valued;
uniform bool shaded;
uniform float opacity;
in float at;
in vec3 seen;
in vec3 turned;
out vec4 colour;
void main() {
  vec3 base = valued && at > -0.001 ? texture(table, vec2(clamp(at, 0.002, 0.998), 0.5)).rgb : neutral;
  float light = 1.0;
  if (shaded) {
    vec3 n = length(turned) > 0.5 ? normalize(turned) : normalize(cross(dFdx(seen), dFdy(seen)));
    light = 0.62 + 0.38 * max(0.0, dot(n, vec3(0.32, 0.51, 0.80)));
  }
  colour = vec4(base * light, opacity);
}`;

/** Edges of elements: light on dark values, dark on light ones. */
export const edgeFragment = `
uniform sampler2D table;
uniform vec3 neutral;
uniform bool valued;
uniform float strength;
in float at;
in vec3 seen;
out vec4 colour;
void main() {
  vec3 base = valued && at > -0.001 ? texture(table, vec2(clamp(at, 0.002, 0.998), 0.5)).rgb : neutral;
  float ink = dot(base, vec3(0.30, 0.59, 0.11)) > 0.4 ? 0.0 : 1.0;
  colour = vec4(vec3(ink), strength);
}`;

/** One colour for all. */
export const plainVertex = `
void main() {
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

export const plainFragment = `
uniform vec4 paint;
out vec4 colour;
void main() {
  colour = paint;
}`;

/** Dots at nodes. Of a status each has its own shape: apart a small ring, sticking a square, slipping a diamond. */
export const dotVertex = `
in float place;
uniform float size;
out float at;
void main() {
  at = place;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  gl_PointSize = size;
}`;

/** Dots that all have the same value. */
export const markVertex = `
uniform float place;
uniform float size;
out float at;
void main() {
  at = place;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  gl_PointSize = size;
}`;

export const dotFragment = `
uniform sampler2D table;
uniform vec3 rim;
uniform bool status;
uniform float strength;
in float at;
out vec4 colour;
void main() {
  if (at < -0.001) discard;
  vec2 p = 2.0 * gl_PointCoord - 1.0;
  float far = length(p);
  float limit = 0.8;
  if (status) {
    float kind = floor(at * 256.0);
    if (kind < 0.5) limit = 0.5;
    else if (kind < 1.5) far = max(abs(p.x), abs(p.y)) * 1.05;
    else { far = abs(p.x) + abs(p.y); limit = 1.0; }
  }
  if (far > limit) discard;
  vec3 base = texture(table, vec2(clamp(at, 0.002, 0.998), 0.5)).rgb;
  colour = vec4(far > limit - 0.22 ? rim : base, strength);
}`;
