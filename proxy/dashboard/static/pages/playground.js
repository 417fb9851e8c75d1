// What would a chat with this message be given, and why? Nothing is sent to a model unless asked.
import { get } from "../api.js";
import { html, useMemo } from "../html.js";
import { useLoaded } from "../loading.js";
import { Badge, Empty, Loaded, Text } from "../parts.js";
import { go, to } from "../route.js";
import { counted, number } from "../text.js";
import { Verdicts } from "../verdicts.js";
import { because, fate, outcome, reason, role } from "../words.js";
import { Recalled } from "./live.js";
import { WhatIf } from "./whatif.js";

const MOST = 50;

export function Playground({ params }) {
  const { user = "default", q = "" } = params;
  return html`<h1>Playground</h1><p>Type a message: you see what memory would add to it, and why. Nothing is sent to a model.</p>
    <${Message} user=${user} q=${q} />${q ? html`<${Explained} key=${`${user}\n${q}`} user=${user} q=${q} />` :
      html`<${Empty} title="No message yet."><p>Try <a href=${to("playground", { user, q: "What should I cook tonight?" })}>What
        should I cook tonight?</a></p><//>`}`;
}

function Message({ user, q }) {
  const send = (event) => {
    event.preventDefault();
    const sent = new FormData(event.currentTarget);
    go("playground", { user: sent.get("user").trim(), q: sent.get("q").trim() });
  };
  return html`<form class="ask" onSubmit=${send}>
    <label>User<input name="user" required defaultValue=${user} autocomplete="off" /></label>
    <label class="grows">Message<input name="q" required defaultValue=${q} autocomplete="off" dir="auto"
      data-search /></label><button class="main">Explain</button></form>`;
}

function Explained({ user, q }) {
  const found = useLoaded((signal) => get("/explain", { user_id: user, q }, signal), [user, q]);
  return html`<${Loaded} of=${found}>${(value) => {
    const chosen = value.memories.filter((row) => row.chosen);
    const others = value.memories.filter((row) => !row.chosen);
    const pinned = (value.profile ?? []).filter((line) => !chosen.some((row) => row.id === line.id));
    return html`<${Steps} of=${value} q=${q} chosen=${chosen.length} />
      <h2>Given to the chat</h2>${chosen.length ? html`<${Ranking} rows=${chosen} user=${user} label="given to the chat" q=${q} />`
        : pinned.length === 0 && html`<p>Nothing: ${reason(value.chat.reason)}.</p>`}
      ${pinned.length > 0 && html`<${Pinned} lines=${pinned} user=${user} q=${q} />`}
      ${others.length > 0 && html`<h2>Runners-up, and why they lost</h2>
        <${Ranking} rows=${others} user=${user} label="runners-up" />`}
      <${HeldBack} rows=${value.held_back} />
      <h2>The text that is added</h2>
      ${value.block ? html`<pre class="block" tabindex="0" role="group" aria-label="the added text"><${Text} limit=${6000}>${value.block}<//></pre>`
        : html`<p>None.</p>`}
      <h2>Which memory changes the answer?</h2>
      <${WhatIf} user=${user} q=${q} lines=${chosen.length} />`;
  }}<//>`;
}

/** The way of the message in order: gate, query, evidence, what a chat gets. */
function Steps({ of, q, chosen }) {
  const { gate, chat, evidence, tokens, bounds } = of;
  const query = of.rewrite?.query || of.query;
  return html`<ol class="steps">
    <li><strong>${gate.recall ? "Memory is searched" : "Memory is not searched"}</strong>
      <span>${gate.recall || !chosen ? reason(gate.reason) : because({ outcome: chat.memory, reason: gate.reason })}</span></li>
    ${gate.recall && html`<li><strong>Searched for</strong><span>${query === q ? "the message as it is" : html`<${Text} limit=${300}>${query}<//>`}
      ${of.asks_model && html` <span class="note">a chat asks a model first for a better question</span>`}</span></li>
    <li><strong>Evidence</strong><span>${evidence.best.toFixed(2)} at best; less than ${evidence.least} is not used</span></li>`}
    <li><strong><${Badge} kind=${chat.memory}>${outcome(chat.memory)}<//></strong><span>${counted(chosen, "memory", "memories")}${", "}${number(tokens)} of ${number(bounds.token_budget)} tokens${chosen === 0 && `: ${reason(chat.reason)}`}</span></li></ol>`;
}

function Ranking({ rows, user, label, q }) {
  const asked = useMemo(() => q && { question: q }, [q]);
  return html`<div class="wide" tabindex="0" role="region" aria-label=${label}><table class="ranking">
    <thead><tr><th scope="col" class="count">rank</th><th scope="col">memory</th><th scope="col">why</th>
      <th scope="col" class="count">evidence</th><th scope="col" class="count">score</th></tr></thead>
    <tbody>${rows.slice(0, MOST).map((row) => html`<tr key=${row.id}>
      <td class="count">${row.rank}</td>
      <td><${Text} limit=${300}>${row.memory}<//> <a class="note" href=${to("person", { user, id: row.id })}
        aria-label=${`open memory ${row.rank}`}>open</a>
        ${asked && html`<${Verdicts} id=${row.id} text=${row.memory} user=${user} asked=${asked} />`}</td>
      <td>${fate(row)}</td><td class="count">${row.evidence.toFixed(2)}</td><td class="count">${row.score.toFixed(3)}</td></tr>`)}</tbody>
    </table></div>${rows.length > MOST && html`<p class="note">The first ${MOST} of ${rows.length}.</p>`}`;
}

/** What is given because of who asks, however little it matches. */
function Pinned({ lines, user, q }) {
  const asked = useMemo(() => ({ question: q }), [q]);
  return html`<ul class="reasons">${lines.map((line) => html`<${Recalled} key=${line.id} of=${{ ...line, why: role(line.role) }}
    user=${user} asked=${asked} />`)}</ul>`;
}

const HeldBack = ({ rows }) => rows?.length ? html`<h2>Held back</h2>
  <ul class="rows">${rows.slice(0, MOST).map((row) => html`<li key=${row.id}><p><${Text}>${row.memory}<//></p>
    <p class="note"><${Text} limit=${300}>${row.reasons.map((each) => each.why).join(" ")}<//></p></li>`)}</ul>` : null;
