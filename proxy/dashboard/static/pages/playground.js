// What would a chat with this message be given, and why? Nothing is sent to a model.
import { get } from "../api.js";
import { html } from "../html.js";
import { useLoaded } from "../loading.js";
import { Badge, Empty, Figure, Loaded, Text } from "../parts.js";
import { go } from "../route.js";
import { fate } from "../words.js";

const MOST = 50;

export function Playground({ params }) {
  const { user = "default", q = "" } = params;
  return html`<h1>Playground</h1><p>Type a message: you see what memory adds to it. Nothing is sent to a model.</p>
    <${Message} user=${user} q=${q} />${q ? html`<${Explained} user=${user} q=${q} />` :
      html`<${Empty} title="No message yet."><p>Try “What should I cook tonight?”</p><//>`}`;
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
  return html`<${Loaded} of=${found}>${(value) => html`
    <dl class="figures"><${Figure} label="gate" value=${value.gate.recall ? "recalls" : "needs no memory"} note=${value.gate.reason} />
      <${Figure} label="a chat gets" value=${value.chat.memory} note=${value.chat.reason} />
      <${Figure} label="tokens" value=${value.tokens} note=${`of ${value.bounds.token_budget}`} />
      <${Figure} label="evidence" value=${value.evidence.best.toFixed(2)} note=${`needs ${value.evidence.least}`} /></dl>
    <h2>Searched for</h2><p><${Text}>${value.rewrite?.query ?? value.query}<//></p>
    <h2>Added to the message</h2>
    ${value.block ? html`<pre class="block" tabindex="0" role="group" aria-label="the added text"><${Text} limit=${6000}>${value.block}<//></pre>`
      : html`<p>Nothing.</p>`}
    <h2>Ranking</h2><${Ranking} rows=${value.memories} /><${HeldBack} rows=${value.held_back} />`}<//>`;
}

function Ranking({ rows }) {
  if (!rows.length) return html`<${Empty} title="No memory of this user was near." />`;
  return html`<div class="wide" tabindex="0" role="region" aria-label="ranking"><table>
    <thead><tr><th scope="col" class="count">rank</th><th scope="col">memory</th><th scope="col">why</th>
      <th scope="col" class="count">evidence</th><th scope="col" class="count">score</th></tr></thead>
    <tbody>${rows.slice(0, MOST).map((row) => html`<tr key=${row.id} class=${row.chosen ? "chosen" : ""}>
      <td class="count">${row.rank}</td><td><${Text} limit=${300}>${row.memory}<//></td>
      <td>${row.chosen && html`<${Badge} kind="active">chosen<//> `}${fate(row)}</td>
      <td class="count">${row.evidence.toFixed(2)}</td><td class="count">${row.score.toFixed(3)}</td></tr>`)}</tbody>
    </table></div>${rows.length > MOST && html`<p class="note">The first ${MOST} of ${rows.length}.</p>`}`;
}

const HeldBack = ({ rows }) => rows?.length ? html`<h2>Held back</h2>
  <ul class="rows">${rows.slice(0, MOST).map((row) => html`<li key=${row.id}><p><${Text}>${row.memory}<//></p>
    <p class="note">${row.reasons.map((reason) => reason.why).join(" ")}</p></li>`)}</ul>` : null;
