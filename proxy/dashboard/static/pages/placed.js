// Where each memory is in the picture, and which is the next one in a direction. Pure.
import { beginning } from "../text.js";

const EDGE = 16;
const LABEL = 30;
const LETTER = 6;
const LINE = 13;
const BESIDE = 9;

/** A function from a value of the points to a place in the picture. */
function scale(values, length) {
  const low = values.reduce((a, b) => Math.min(a, b));
  const high = values.reduce((a, b) => Math.max(a, b));
  return (value) => high === low ? length / 2 : EDGE + ((value - low) / (high - low)) * (length - 2 * EDGE);
}

function placed(points, acrossOf, width, height) {
  const across = scale(points.map(acrossOf), width);
  const down = scale(points.map((point) => point.y), height);
  return points.map((point) => ({ ...point, left: across(acrossOf(point)), top: down(point.y) }));
}

/** Near in the picture is near in meaning. */
export const ofMeaning = (points, width, height) => placed(points, (point) => point.x, width, height);

/** The oldest is on the left; height is still meaning. */
export const ofTime = (points, width, height) => placed(points, (point) => Date.parse(point.at) || 0, width, height);

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const ASIDE = 2;

/** The nearest point in the direction of an arrow key, sideways distance counting double; undefined if there is none. */
export function stepped(points, at, key) {
  const way = DIRECTIONS[key];
  if (!way) return undefined;
  if (!at) return points[0];
  let best;
  for (const point of points) {
    const [right, down] = [point.left - at.left, point.top - at.top];
    const ahead = right * way[0] + down * way[1];
    if (point.id === at.id || ahead <= 0) continue;
    const far = ahead + ASIDE * Math.abs(right * way[1] + down * way[0]);
    if (!best || far < best.far) best = { far, point };
  }
  return best?.point;
}

/** The beginnings of the texts beside their points, but for those that would lie on another one. */
export function labelled(points, width) {
  const kept = [];
  for (const point of points) {
    const text = beginning(point.memory, LABEL);
    const long = text.length * LETTER;
    const before = point.left + BESIDE + long > width;
    const x = point.left + (before ? -BESIDE : BESIDE);
    const one = { id: point.id, text, x, y: point.top + 4, anchor: before ? "end" : "start", from: before ? x - long : x, long };
    const meets = (other) => Math.abs(other.y - one.y) < LINE && one.from < other.from + other.long && other.from < one.from + one.long;
    if (!kept.some(meets)) kept.push(one);
  }
  return kept;
}
