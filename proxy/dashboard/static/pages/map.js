// Which memories are near each other, in meaning or in time? Drawn; the list below says the same in words.
import { get } from "../api.js";
import { html, useMemo, useState } from "../html.js";
import { useLoaded } from "../loading.js";
import { Ask, Badge, Choice, Empty, Loaded, Text } from "../parts.js";
import { go, to } from "../route.js";
import { counted, day, when } from "../text.js";
import { type } from "../words.js";
import { labelled, ofMeaning, ofTime, stepped } from "./placed.js";

const WIDTH = 800;
const HEIGHT = 480;
const MOST = 2000;
const LISTED = 50;
const LABELLED = 40;
const CROWD = 500;
const LAYOUTS = [["", "By meaning"], ["time", "By time"]];

export function Chart({ params }) {
  const { user, layout = "" } = params;
  return html`<h1>Map</h1><${Ask} label="User" value=${user ?? ""} action="Draw" placeholder="a user id" search
      onSend=${(next) => go("map", { user: next, layout })} />
    ${user ? html`<${Choice} label="layout" choices=${LAYOUTS} at=${layout} href=${(next) => to("map", { user, layout: next })} />
        <${Drawn} key=${user} user=${user} layout=${layout} />`
      : html`<${Empty} title="Whose memories?"><p>Type a user id, or choose one in <a href=${to("person")}>Person</a>.</p><//>`}`;
}

function Drawn({ user, layout }) {
  const found = useLoaded((signal) => get("/map", { user_id: user, limit: MOST }, signal), [user]);
  return html`<${Loaded} of=${found}>${({ points }) => points.length
    ? html`<${Points} key=${layout} points=${points} user=${user} layout=${layout} />`
    : html`<${Empty} title="This user has no memories to draw." />`}<//>`;
}

function Points({ points, user, layout }) {
  const [at, choose] = useState();
  const placed = useMemo(() => (layout === "time" ? ofTime : ofMeaning)(points, WIDTH, HEIGHT), [points, layout]);
  // Drawn once: moving from one point to the next draws the ring alone.
  const dots = useMemo(() => placed.map((one) => html`<circle key=${one.id} cx=${one.left} cy=${one.top} r=${placed.length > CROWD ? 3 : 4.5}
    class=${`${one.type} ${one.status}`} onMouseEnter=${() => choose(one)} onClick=${() => choose(one)} />`), [placed]);
  const labels = useMemo(() => placed.length > LABELLED ? [] : labelled(placed, WIDTH), [placed]);
  const keys = (event) => {
    const next = event.key === "Enter" && at ? go("person", { user, id: at.id }) : stepped(placed, at, event.key);
    if (!next) return;
    event.preventDefault();
    choose(next);
  };
  return html`<p class="chosen-point" id="at" aria-live="polite">${at ? html`<${Text} limit=${300}>${at.memory}<//>
        <span class="note"> ${type(at.type)} · ${when(at.at)} · <a href=${to("person", { user, id: at.id })}>open</a></span>`
      : "Point at a memory to read it, or go to the map with Tab and use the arrow keys."}</p>
    <div class="map" role="application" tabindex="0" onKeyDown=${keys} aria-describedby="at"
      aria-label=${`${counted(points.length, "memory", "memories")}; the arrow keys move between neighbours, Enter opens one`}>
      <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">${dots}
        ${labels.map((one) => html`<text key=${one.id} x=${one.x} y=${one.y} text-anchor=${one.anchor}>${one.text}</text>`)}
        ${at && html`<circle class="ring" cx=${at.left} cy=${at.top} r="9" />`}</svg></div>
    <p class="note">${[...new Set(points.map((point) => point.type))].sort().map((each) => html`<span key=${each}><span class=${`key dot ${each}`} /> ${type(each)} </span>`)}
      <span class="key dot superseded" /> no longer true <span class="key dot quarantined" /> waits for your word</p>
    <p class="note">${layout === "time" ? span(points) : "What is near in meaning is near here."}</p>
    <h2>The newest of them</h2><ul class="rows">${newest(points).slice(0, LISTED).map((point) => html`<li key=${point.id}>
      <p><${Text} limit=${300}>${point.memory}<//></p><p class="note">${point.status !== "active" && html`<${Badge} kind=${point.status}>${point.status}<//> `}
        ${type(point.type)} · ${when(point.at)} · <a href=${to("person", { user, id: point.id })}>open</a></p></li>`)}</ul>
    ${points.length === MOST && html`<p class="note">The map has the newest ${MOST} memories.</p>`}`;
}

const newest = (points) => [...points].sort((a, b) => (a.at < b.at ? 1 : -1));

function span(points) {
  const sorted = newest(points);
  return `From ${day(sorted.at(-1).at)} on the left to ${day(sorted[0].at)} on the right; what is near in meaning is at one height.`;
}
