// A text should have come up and did not: what became of it?
import { get } from "../api.js";
import { html } from "../html.js";
import { useLoaded } from "../loading.js";
import { Badge, Empty, Loaded, Text } from "../parts.js";
import { go, to } from "../route.js";
import { when } from "../text.js";
import { next } from "../words.js";

const TIME = /\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)/g;

export function WhyNot({ params }) {
  const { user = "default", text = "", q = "" } = params;
  const send = (event) => {
    event.preventDefault();
    const sent = new FormData(event.currentTarget);
    go("whynot", Object.fromEntries(["user", "text", "q"].map((name) => [name, sent.get(name).trim()])));
  };
  return html`<h1>Why not?</h1><p>Name a text that should have come up, and the message for which it did not.</p>
    <form class="ask" onSubmit=${send}>
      <label>User<input name="user" required defaultValue=${user} autocomplete="off" /></label>
      <label class="grows">Text<input name="text" required defaultValue=${text} dir="auto" autocomplete="off" data-search /></label>
      <label class="grows">Message (optional)<input name="q" defaultValue=${q} dir="auto" autocomplete="off" /></label>
      <button class="main">Find out</button></form>
    ${text ? html`<${Verdict} user=${user} text=${text} q=${q} />` : html`<${Empty} title="No text yet.">
      <p>For example “allergic to nuts”, for the message “What should I cook?”</p><//>`}`;
}

function Verdict({ user, text, q }) {
  const found = useLoaded((signal) => get("/whynot", { user_id: user, text, q }, signal), [user, text, q]);
  return html`<${Loaded} of=${found}>${(value) => html`<section class="verdict" role="status">
      <p><${Badge} kind=${value.verdict}>${value.verdict.replaceAll("_", " ")}<//></p>
      <p class="lead"><${Text}>${value.why.replace(TIME, when)}<//></p>
      ${next(value.verdict) && html`<p>${next(value.verdict)}</p>`}
      ${value.memory && html`<p><${Found} of=${value.memory} user=${user} /></p>`}
      ${q && html`<p class="note"><a href=${to("playground", { user, q })}>The whole ranking for this message</a></p>`}</section>
    ${value.nearest?.length > 0 && html`<h2>Nearest memories</h2><ul class="rows">${value.nearest.map((near) =>
      html`<li key=${near.id}><${Found} of=${near} user=${user} /></li>`)}</ul>`}`}<//>`;
}

/** A memory, or its text alone. */
const Found = ({ of, user }) => html`<${Text}>${of.memory ?? of}<//>${of.id && html`${" "}<a class="note" href=${to("person", { user, id: of.id })}>open</a>`}`;
