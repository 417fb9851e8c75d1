// Is it well, and what is in it?
import { get, health } from "../api.js";
import { html } from "../html.js";
import { useLoaded } from "../loading.js";
import { Badge, Command, Empty, Figure, Loaded } from "../parts.js";
import { to } from "../route.js";
import { span } from "../text.js";
import { Users } from "./users.js";

const FINE = new Set(["ok", "said_only"]);

export function Overview() {
  const well = useLoaded(health, []);
  const state = useLoaded((signal) => get("/state", {}, signal), []);
  return html`<h1>Overview</h1>
    <${Loaded} of=${well}>${(value) => html`<${Health} value=${value} />`}<//>
    <${Loaded} of=${state}>${(value) => html`<${State} value=${value} />`}<//>
    <h2>Users</h2><${Users} />`;
}

function Health({ value }) {
  const parts = Object.entries(value.parts ?? {});
  const bad = parts.filter(([, word]) => !FINE.has(word));
  return html`<section class=${`health ${bad.length ? "ill" : "well"}`} aria-label="health">
    <p class="lead">${bad.length ? "Chats go on, but memory is degraded." : "Everything works."}</p>
    ${bad.length > 0 && html`<ul>${bad.map(([name, word]) => html`<li>
      <strong>${name}</strong>: ${word}. ${value.advice?.[name]}</li>`)}</ul>`}
    ${value.advice?.jobs && html`<p><a href=${to("jobs")}>Jobs</a>: ${value.advice.jobs}</p>`}</section>`;
}

function State({ value }) {
  const queue = value.queue ?? {};
  if (!value.users && !value.said) return html`<${Nothing} />`;
  return html`<dl class="figures">
      <${Figure} label="users" value=${value.users} />
      <${Figure} label="learned today" value=${value.learned_today} />
      <${Figure} label="said, not yet learned" value=${value.said} />
      <${Figure} label="in the queue" value=${(queue.ready ?? 0) + (queue.leased ?? 0)}
        note=${queue.oldest_seconds > 0 && `the oldest waits ${span(queue.oldest_seconds)}`} />
      <${Figure} label="failed jobs" value=${queue.dead} />
      <${Figure} label="warm users" value=${value.hot} />
    </dl><h2>Memories</h2><${Kinds} memories=${value.memories ?? {}} />`;
}

function Kinds({ memories }) {
  const kinds = Object.keys(memories);
  const statuses = [...new Set(kinds.flatMap((kind) => Object.keys(memories[kind])))];
  if (!kinds.length) return html`<p>No turn was learned yet; what users said is recalled already.</p>`;
  return html`<div class="wide" tabindex="0" role="region" aria-label="memories by type and status"><table>
    <thead><tr><th scope="col">type</th>${statuses.map((name) => html`<th scope="col" class="count">
      <${Badge} kind=${name}>${name}<//></th>`)}</tr></thead>
    <tbody>${kinds.map((kind) => html`<tr><th scope="row">${kind}</th>
      ${statuses.map((name) => html`<td class="count">${(memories[kind][name] ?? 0).toLocaleString("en")}</td>`)}
      </tr>`)}</tbody></table></div>`;
}

const Nothing = () => html`<${Empty} title="No memories yet.">
  <p>Send a chat through this server, and tell it something about you:</p>
  <${Command}>${`curl ${location.origin}/v1/chat/completions \\
  -H 'Content-Type: application/json' -H "Authorization: Bearer $OPENAI_API_KEY" \\
  -d '{"model": "gpt-4o-mini", "messages": [{"role": "user", "content": "I am allergic to nuts."}]}'`}<//>
  <p>Then ask in the <a href=${to("playground")}>Playground</a> what a new conversation would be given.</p><//>`;
