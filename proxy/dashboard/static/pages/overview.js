// Is it well, what is in it, and what did it cost?
import { get, health } from "../api.js";
import { html } from "../html.js";
import { useLoaded } from "../loading.js";
import { Badge, Command, Empty, Figure, Loaded } from "../parts.js";
import { to } from "../route.js";
import { counted, number, size, span } from "../text.js";
import { STATUSES, type } from "../words.js";
import { Economics } from "./economics.js";
import { Users } from "./users.js";

const FINE = new Set(["ok", "said_only", "upkeep_rests"]);
const FEW = 10;
const isEmpty = (state) => state && !state.users && !state.said && !Object.keys(state.memories ?? {}).length;

export function Overview() {
  const well = useLoaded(health, []);
  const state = useLoaded((signal) => get("/state", {}, signal), []);
  return html`<h1>Overview</h1>
    <${Loaded} of=${well}>${(value) => html`<${Health} value=${value} />`}<//>
    <${Loaded} of=${state}>${(value) => html`<${State} value=${value} />`}<//>
    ${!isEmpty(state.value) && html`<h2>Users</h2><${Users} size=${FEW} /><h2>The last 30 days</h2><${Economics} />`}`;
}

function Health({ value }) {
  const parts = Object.entries(value.parts ?? {});
  const bad = parts.filter(([, word]) => !FINE.has(word));
  const good = parts.filter(([, word]) => FINE.has(word)).map(([name]) => name);
  return html`<section class=${`health ${bad.length ? "ill" : "well"}`} aria-label="health">
    <p class="lead">${bad.length ? "Chats go on, but memory is degraded." : "Everything works."}</p>
    ${bad.length > 0 && html`<ul>${bad.map(([name, word]) => html`<li key=${name}>
      <strong>${name}</strong>: ${word.replaceAll("_", " ")}. ${value.advice?.[name]}</li>`)}</ul>`}
    ${good.length > 0 && html`<p class="note">${bad.length ? "Well" : "Asked just now"}: ${good.join(", ")}.</p>`}
    ${value.advice?.jobs && html`<p><a href=${to("jobs")}>Jobs</a>: ${value.advice.jobs}</p>`}</section>`;
}

/** How many memories of these statuses there are, of all types. */
const ofStatus = (memories, status) => Object.values(memories).reduce((sum, kind) => sum + (kind[status] ?? 0), 0);

function State({ value }) {
  const { queue = {}, memories = {}, index = {} } = value;
  const waiting = ofStatus(memories, "quarantined");
  if (isEmpty(value)) return html`<${Nothing} />`;
  return html`<dl class="figures">
      <${Figure} label="users" value=${value.users} note=${`${number(value.hot)} with a warm index`} />
      <${Figure} label="memories in use" value=${ofStatus(memories, "active")}
        note=${`${number(index.memories)} of them in a warm index`} />
      <${Figure} label="learned today" value=${value.learned_today} />
      <${Figure} label="turns not learned yet" value=${value.said} note="what they state is recalled already" />
      ${waiting > 0 && html`<${Figure} label="wait for review" value=${waiting} href=${to("review")} />`}
      <${Figure} label="in the queue" value=${(queue.ready ?? 0) + (queue.leased ?? 0)} href=${to("jobs", { state: "ready" })}
        note=${queue.oldest_seconds > 0 && `the oldest waits ${span(queue.oldest_seconds)}`} />
      <${Figure} label="failed jobs" value=${queue.dead} href=${to("jobs")} kind=${queue.dead ? "bad" : ""} />
    </dl><h2>Memories</h2><${Kinds} memories=${memories} /><${Tiers} of=${value.tiers} bytes=${index.bytes} />`;
}

/** Three views of the same memories, nearest to a chat first. */
const Tiers = ({ of, bytes }) => of ? html`<p class="note">Nearest to a chat first: ${counted(of.l0, "turn")} of open conversations,
  ${" "}${counted(of.l1, "memory", "memories")} in the indexes of users (${size(bytes)}), ${counted(of.l2, "memory", "memories")} in the store.</p>` : null;

function Kinds({ memories }) {
  const kinds = Object.keys(memories);
  const statuses = [...new Set(kinds.flatMap((kind) => Object.keys(memories[kind])))];
  if (!kinds.length) return html`<p>No turn was learned yet; what users said is recalled already.</p>`;
  return html`<div class="wide" tabindex="0" role="region" aria-label="memories by type and status"><table>
    <thead><tr><th scope="col">type</th>${statuses.map((name) => html`<th scope="col" class="count" key=${name}>
      <${Badge} kind=${name}>${name}<//>${STATUSES[name] && html`<br /><span class="plain">${STATUSES[name]}</span>`}</th>`)}</tr></thead>
    <tbody>${kinds.map((kind) => html`<tr key=${kind}><th scope="row">${kind} <span class="plain">${type(kind)}</span></th>
      ${statuses.map((name) => html`<td class="count" key=${name}>${number(memories[kind][name])}</td>`)}
      </tr>`)}</tbody></table></div>`;
}

const Nothing = () => html`<${Empty} title="No memories yet.">
  <p>Send a chat through this server, and tell it something about you:</p>
  <${Command}>${`curl ${location.origin}/v1/chat/completions \\
  -H 'Content-Type: application/json' -H "Authorization: Bearer $OPENAI_API_KEY" \\
  -d '{"model": "gpt-4o-mini", "messages": [{"role": "user", "content": "I am allergic to nuts."}]}'`}<//>
  <p>Then ask in the <a href=${to("playground")}>Playground</a> what a new conversation would be given.</p><//>`;
