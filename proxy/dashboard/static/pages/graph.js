// What are the memories about, and what belongs together? Drawn; the table below says the same in words.
import { get } from "../api.js";
import { html, useMemo, useState } from "../html.js";
import { useLoaded } from "../loading.js";
import { Ask, Badge, Empty, Loaded, Text } from "../parts.js";
import { go, to } from "../route.js";
import { counted, number, when } from "../text.js";
import { edge as edgeWord, spaced, type } from "../words.js";
import { stepped } from "./placed.js";
import { lines, spread } from "./spread.js";

const WIDTH = 800;
const HEIGHT = 480;
const MOST = 200;
const LABELLED = 25;
const LETTERS = 24;
const BELOW = 12;
const THICKEST = 6;

export function Graph({ params }) {
  const { user } = params;
  return html`<h1>Graph</h1><p>Memories that are near each other in meaning are a topic. Topics are connected where memories of both were recalled for one message, or where a summary stands on them.</p>
    <${Ask} label="User" value=${user ?? ""} action="Draw" placeholder="a user id" search onSend=${(next) => go("graph", { user: next })} />
    ${user ? html`<${Drawn} key=${user} user=${user} />`
      : html`<${Empty} title="Whose memories?"><p>Type a user id, or choose one in <a href=${to("person")}>Person</a>.</p><//>`}`;
}

function Drawn({ user }) {
  const found = useLoaded((signal) => get("/graph", { user_id: user, limit: MOST, include: "entities" }, signal), [user]);
  return html`<${Loaded} of=${found}>${(graph) => graph.memories
    ? html`<${Picture} graph=${graph} user=${user} />` : html`<${Empty} title="This user has no memories to draw." />`}<//>`;
}

function Picture({ graph, user }) {
  const { topics, edges } = graph;
  const [at, choose] = useState();
  const placed = useMemo(() => spread(topics, edges, WIDTH, HEIGHT), [graph]);
  const drawn = useMemo(() => lines(placed, edges), [graph]);
  const keys = (event) => {
    const next = stepped(placed, at, event.key);
    if (!next) return;
    event.preventDefault();
    choose(next);
  };
  return html`<p class="note">${said(graph)}</p>
    ${!graph.measured && html`<p class="note">Nothing was measured of the embedder, so nothing is near anything: <code>recollect calibrate</code> measures it.</p>`}
    ${topics.length > 0 && html`<p class="chosen-point" id="at" aria-live="polite">${at ? html`<${Text} limit=${100}>${at.label}<//>
        <span class="note"> ${counted(at.size, "memory", "memories")} · ${connected(at, edges)}</span>`
      : "Point at a topic to read it, or go to the picture with Tab and use the arrow keys."}</p>
    <div class="map graph" role="application" tabindex="0" onKeyDown=${keys} aria-describedby="at"
      aria-label=${`${counted(topics.length, "topic")}; the arrow keys move between neighbours; the table below has all of them`}>
      <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        ${drawn.map((edge) => html`<line key=${key(edge)} class=${edge.kind} x1=${edge.from.left} y1=${edge.from.top} x2=${edge.to.left} y2=${edge.to.top}
          stroke-width=${Math.min(THICKEST, 1 + Math.log2(edge.weight))} />`)}
        ${placed.map((topic) => html`<circle key=${topic.id} cx=${topic.left} cy=${topic.top} r=${topic.radius} class=${topic.summary ? "summed" : ""}
          onMouseEnter=${() => choose(topic)} onClick=${() => choose(topic)} />`)}
        ${placed.length <= LABELLED && placed.map((topic) => html`<text key=${topic.id} x=${topic.left} y=${topic.top + topic.radius + BELOW} text-anchor="middle">${short(topic.label)}</text>`)}
        ${at && html`<circle class="ring" cx=${at.left} cy=${at.top} r=${at.radius + 4} />`}</svg></div>`}
    <h2>Topics</h2>${topics.length ? html`<ul class="rows">${topics.map((topic) => html`<${Topic} key=${topic.id} topic=${topic} graph=${graph} user=${user} />`)}</ul>`
      : html`<p class="note">No two memories are near each other.</p>`}
    ${graph.missing && html`<p class="note">Who and what they speak of cannot be told now: ${spaced(graph.missing)}.</p>`}
    ${graph.entities && html`<${Entities} graph=${graph} />`}`;
}

const key = ({ source, target, kind }) => `${source} ${target} ${kind}`;
const short = (label) => [...label].length > LETTERS ? `${[...label].slice(0, LETTERS).join("")}…` : label;

function said({ topics, count, memories, alone, more }) {
  const told = `${counted(memories, "memory", "memories")}: ${counted(count, "topic")}, and ${number(alone)} by themselves.`;
  const left = count > topics.length ? ` Drawn are the ${number(topics.length)} largest.` : "";
  return told + left + (more ? " There are more memories than were read." : "");
}

const ends = (topic, edges) => edges.filter((edge) => edge.source === topic.id || edge.target === topic.id);
const connected = (topic, edges) => {
  const found = new Set(ends(topic, edges).flatMap((edge) => [edge.source, edge.target]).filter((id) => id !== topic.id));
  return found.size ? `connected with ${counted(found.size, "topic")}` : "connected with none";
};

function Topic({ topic, graph, user }) {
  const [open, show] = useState(false);
  return html`<li><p><${Text} limit=${100}>${topic.label}<//> ${topic.summary && html`<${Badge}>summed up<//> `}
      <span class="note"> ${counted(topic.size, "memory", "memories")} · ${connected(topic, graph.edges)}</span></p>
    <div class="actions"><button aria-expanded=${String(open)} onClick=${() => show(!open)}>Memories</button></div>
    ${open && html`<ul class="history">${topic.members.map((each) => html`<li key=${each.id}><p><${Text} limit=${300}>${each.memory}<//></p>
        <p class="note">${each.status !== "active" && html`<${Badge} kind=${each.status}>${each.status}<//> `}${type(each.type)} · ${when(each.at)} · <a href=${to("person", { user, id: each.id })}>open</a></p></li>`)}</ul>
      <${Connections} topic=${topic} graph=${graph} />`}</li>`;
}

function Connections({ topic, graph }) {
  const label = new Map(graph.topics.map((each) => [each.id, each.label]));
  const found = ends(topic, graph.edges);
  return found.length > 0 && html`<p class="note">Connected with:</p><ul class="history">${found.map((edge) => html`<li key=${key(edge)}>
    <${Text} limit=${100}>${label.get(edge.source === topic.id ? edge.target : edge.source)}<//> <span class="note">${edgeWord(edge, topic)}</span></li>`)}</ul>`;
}

/** Who and what the memories speak of, and how these are connected. */
function Entities({ graph }) {
  return html`<h2>Who and what they speak of</h2>${graph.entities.length ? html`<div class="wide" tabindex="0" role="region" aria-label="entities"><table>
    <thead><tr><th scope="col">Name</th><th scope="col">Kind</th><th scope="col">Memories</th><th scope="col">Connected</th></tr></thead>
    <tbody>${graph.entities.map((each) => html`<tr key=${each.id}><th scope="row"><${Text} limit=${80}>${each.name}<//></th><td>${each.type}</td><td>${number(each.memories)}</td>
      <td>${graph.relations.filter((one) => one.source_id === each.id).map((one) => html`<p key=${`${one.relation} ${one.target_id} ${one.memory_id}`}>${spaced(one.relation)} <${Text} limit=${80}>${one.target}<//></p>`)}</td></tr>`)}</tbody></table></div>`
    : html`<p class="note">Nobody and nothing by name.</p>`}`;
}
