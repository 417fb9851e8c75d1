// Which memory changed the answer? The model is asked with and without each line; that costs calls.
import { offered, post } from "../api.js";
import { html, useCallback, useState } from "../html.js";
import { useAction } from "../loading.js";
import { Badge, Failure, Focused, Text } from "../parts.js";
import { counted, number } from "../text.js";

const KEY = "x-recollect-upstream-key";
const LIMIT = 1500;

export function WhatIf({ user, q, lines }) {
  const [found, show] = useState();
  const ask = useAction(useCallback(async (model, key) => {
    const body = { model, user_id: user, messages: [{ role: "user", content: q }] };
    show(await offered("/whatif", () => post("/whatif", body, key && { [KEY]: key })));
  }, [user, q]));
  const send = (event) => {
    event.preventDefault();
    const sent = new FormData(event.currentTarget);
    ask.run(sent.get("model").trim(), sent.get("key").trim());
  };
  if (!lines) return html`<p>None: the chat is given nothing.</p>`;
  return html`<p>The same message goes to your model with all lines, and once without each of them, at temperature 0.
      That is about ${counted(lines + 2, "paid call")}.</p>
    <form class="ask" onSubmit=${send}>
      <label>Model<input name="model" required autocomplete="off" placeholder="as a client names it" /></label>
      <label>Key of the model server (sent on, never kept)<input name="key" type="password" autocomplete="off" /></label>
      <button disabled=${ask.busy}>${ask.busy ? "Asking …" : "Ask the model"}</button></form>
    <${Failure} error=${ask.error} />${found && html`<${Answers} of=${found} />`}`;
}

const Answers = ({ of }) => html`<${Focused} class="verdict" role="group" aria-label="answers">
  <p class="lead">${told(of.without)}</p>
  <p class="note">${counted(of.calls, "call")}, ${number(of.tokens)} tokens${of.steady === false &&
    "; the model answers the same question in different words, so small differences mean nothing"}</p>
  <h3>With all lines</h3><blockquote><${Text} limit=${LIMIT}>${of.base}<//></blockquote>
  <ul class="rows">${of.without.map((each) => html`<li key=${each.memory_id}>
    <p><${Badge} kind=${each.same ? "" : "used"}>${each.same ? "same answer" : "other answer"}<//> without
      “<${Text} limit=${200}>${each.memory}<//>”</p>
    ${!each.same && html`<blockquote><${Text} limit=${LIMIT}>${each.answer}<//></blockquote>`}</li>`)}</ul><//>`;

const told = (without) => {
  const changed = without.filter((each) => !each.same).length;
  return changed ? `${counted(changed, "line")} of ${without.length} changed the answer.` : "No single line changed the answer.";
};
