// Which memories are near each other in meaning? Drawn; the list below says the same in words.
import { get } from "../api.js";
import { html, useState } from "../html.js";
import { useLoaded } from "../loading.js";
import { Ask, Badge, Empty, Loaded, Text } from "../parts.js";
import { go } from "../route.js";
import { when } from "../text.js";

const WIDTH = 800;
const HEIGHT = 480;
const EDGE = 12;
const LISTED = 50;

export function Chart({ params }) {
  const { user } = params;
  return html`<h1>Map</h1><${Ask} label="User" value=${user ?? ""} action="Draw" placeholder="a user id" search
      onSend=${(next) => go("map", { user: next })} />
    ${user ? html`<${Drawn} key=${user} user=${user} />` : html`<${Empty} title="Whose memories?" />`}`;
}

function Drawn({ user }) {
  const found = useLoaded((signal) => get("/map", { user_id: user, limit: 2000 }, signal), [user]);
  return html`<${Loaded} of=${found}>${({ points }) => points.length
    ? html`<${Points} points=${points} />` : html`<${Empty} title="This user has no memories to draw." />`}<//>`;
}

/** A function from a value of the points to the picture. */
function scale(values, length) {
  const low = values.reduce((a, b) => Math.min(a, b));
  const high = values.reduce((a, b) => Math.max(a, b));
  return (value) => EDGE + ((value - low) / (high - low || 1)) * (length - 2 * EDGE);
}

function Points({ points }) {
  const [at, choose] = useState();
  const x = scale(points.map((point) => point.x), WIDTH);
  const y = scale(points.map((point) => point.y), HEIGHT);
  return html`<svg class="map" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img"
      aria-label=${`${points.length} memories; what is near in meaning is near here`}>
      ${points.map((point) => html`<circle key=${point.id} cx=${x(point.x)} cy=${y(point.y)} r=${point === at ? 7 : 4}
        class=${point.status} onMouseEnter=${() => choose(point)} onClick=${() => choose(point)} />`)}</svg>
    <p class="chosen-point" aria-live="polite">${at ? html`<${Text}>${at.memory}<//> <span class="note">${when(at.at)}</span>`
      : "Point at a memory to read it."}</p>
    <h2>The newest of them</h2><ul class="rows">${[...points].sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, LISTED)
      .map((point) => html`<li key=${point.id}><p><${Text}>${point.memory}<//></p>
        <p class="note"><${Badge} kind=${point.status}>${point.status}<//> ${point.type} · ${when(point.at)}</p></li>`)}</ul>`;
}
