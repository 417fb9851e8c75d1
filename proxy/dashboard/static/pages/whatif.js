// Which memory changed the answer? The model is asked with and without each line; that costs calls.
import { post } from "../api.js";
import { html, useCallback, useState } from "../html.js";
import { useAction } from "../loading.js";
import { Badge, Failure, Focused, Text } from "../parts.js";
import { counted, number } from "../text.js";

const KEY = "x-recollect-upstream-key";
const LIMIT = 1500;
const BASES = 2;
const MOST_CALLS = 16;

export function WhatIf({ user, q, lines }) {
  const [found, show] = useState();
  const ask = useAction(useCallback(async ({ model, calls, key }) => {
    const body = { model, user_id: user, messages: [{ role: "user", content: q }], max_calls: Number(calls) };
    show(await post("/whatif", body, key && { [KEY]: key }));
  }, [user, q]));
  const send = (event) => {
    event.preventDefault();
    const sent = new FormData(event.currentTarget);
    ask.run(Object.fromEntries(["model", "calls", "key"].map((name) => [name, sent.get(name).trim()])));
  };
  if (!lines) return html`<p>None: the chat is given nothing.</p>`;
  return html`<p>The message goes to your model twice with all lines, and once without each of them, best first, at
      temperature 0. Each call costs what a chat costs.</p>
    <form class="ask" onSubmit=${send}>
      <label>Model<input name="model" required autocomplete="off" placeholder="as a client names it" /></label>
      <label>Most calls<input name="calls" type="number" required min=${BASES} max=${MOST_CALLS}
        defaultValue=${Math.min(lines + BASES, MOST_CALLS)} /></label>
      <label>Key of the model server (sent on, never kept)<input name="key" type="password" autocomplete="off" /></label>
      <button disabled=${ask.busy}>${ask.busy ? "Asking …" : "Ask the model"}</button></form>
    <${Failure} error=${ask.error} />${found && html`<${Answers} of=${found} />`}`;
}

const Answers = ({ of }) => html`<${Focused} class="verdict" role="group" aria-label="answers">
  <p class="lead">${told(of)}</p>
  <p class="note">${counted(of.calls, "call")}, ${number(of.tokens)} tokens</p>
  <h3>With all lines</h3><blockquote><${Text} limit=${LIMIT}>${of.base}<//></blockquote>
  ${of.again && !of.again.same && html`<h3>The same once more</h3><blockquote><${Text} limit=${LIMIT}>${of.again.answer}<//></blockquote>`}
  <ul class="rows">${of.without.map((each) => html`<li key=${each.memory_id}>
    <p><${Badge} kind=${each.same ? "" : "used"}>${each.same ? "same answer" : `${Math.round(100 * each.distance)} % other words`}<//> without
      “<${Text} limit=${200}>${each.memory}<//>”</p>
    ${!each.same && html`<blockquote><${Text} limit=${LIMIT}>${each.answer}<//></blockquote>`}</li>`)}</ul>
  ${of.not_tried?.length > 0 && html`<h3>Not tried</h3><ul class="reasons">${of.not_tried.map((each) => html`<li key=${each.memory_id}>
    <${Text} limit=${200}>${each.memory}<//> <span class="note"><${Text} limit=${200}>${unsaid(each.why)}<//></span></li>`)}</ul>`}<//>`;

const unsaid = (why) => why === "max_calls" ? "there were no calls left for it" : why;

function told({ without, steady }) {
  const changed = without.filter((each) => !each.same).length;
  if (!changed) return "No single line changed the answer.";
  const lines = `${counted(changed, "line")} of ${without.length} changed the answer`;
  return steady === false ? `${lines}, but the model also answers the same request in other words: small differences mean nothing.` : `${lines}.`;
}
