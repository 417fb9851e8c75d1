// What waits for a person: keep, edit, refuse, never again.
import { get, post, segment } from "../api.js";
import { html, useCallback, useRef, useState } from "../html.js";
import { useAction, useCursor } from "../loading.js";
import { Badge, Empty, Failure, Loaded, Pager, Text } from "../parts.js";
import { to } from "../route.js";
import { when } from "../text.js";
import { source, spaced } from "../words.js";
import { escaped, expected } from "./curate.js";
import { Users } from "./users.js";

const SIZE = 50;
const focus = (field) => field?.focus();
const DONE = { keep: "Kept: it is recalled from now on.", edit: "Kept in your words.",
  refuse: "Refused: whoever says it again is asked again.", never_again: "Refused for good: it is not learned again." };

export function Review({ params: { user } }) {
  if (!user) return html`<h1>Review</h1><p>Whose memories do you want to judge?</p><${Users} page="review" />`;
  return html`<h1 class="whose">Review: <${Text} limit=${120}>${user}<//></h1>
    <p>None of these is recalled before you keep it. <a href=${to("person", { user })}>All of this person</a></p>
    <${Queue} key=${user} user=${user} />`;
}

function Queue({ user }) {
  const found = useCursor((cursor, signal) => get("/review", { user_id: user, cursor, limit: SIZE }, signal), [user]);
  const [done, tell] = useState();
  const list = useRef();
  const decided = (decision, memory) => {
    tell({ decision, memory });
    list.current?.focus();
    found.again();
  };
  const undo = useAction(useCallback(async (memory) => {
    await post(`/${segment(memory.id)}/revert`, { user_id: user });
    tell();
    list.current?.focus();
    found.again();
  }, [user, found.again]));
  return html`<div role="status">${done && html`<p class="receipt">${DONE[done.decision]}
      ${" "}${["refuse", "never_again"].includes(done.decision) && html`<button disabled=${undo.busy}
        onClick=${() => undo.run(done.memory)}>Undo</button>`}</p>`}</div><${Failure} error=${undo.error} />
    <${Loaded} of=${found}>${({ results }) => html`<div ref=${list} tabindex="-1" class="list">${results.length
      ? html`<ul class="rows">${results.map((memory) => html`<${Waiting} key=${memory.id} memory=${memory} user=${user} decided=${decided} />`)}</ul>`
      : html`<${Empty} title="Nothing waits for you."><p>What looks planted waits here, and the kinds that <code>trust.review</code> names.</p><//>`}</div>
      <${Pager} of=${found} />`}<//>`;
}

function Waiting({ memory, user, decided }) {
  const { review, provenance } = memory;
  return html`<li class="memory"><div><p><${Text}>${memory.memory}<//></p>
      <p class="note">${review.kinds.map((kind) => html`<${Badge} key=${kind} kind="quarantined">${spaced(kind)}<//> `)}
        ${source(provenance?.source)} · since ${when(review.since)}${review.until && ` · left out on ${when(review.until)}`}</p>
      ${review.left_out && html`<p><strong>Left out:</strong> it waited too long. You can still keep it.</p>`}
      <${Reasons} of=${provenance} text=${memory.memory} /></div>
    <${Judge} memory=${memory} user=${user} decided=${decided} /></li>`;
}

/** Why it waits, with the sentence that shows it. */
export const Reasons = ({ of, text = "" }) => of?.reasons?.length ? html`<ul class="reasons">${of.reasons.map((reason) =>
  html`<li key=${reason.kind}><${Text}>${reason.why}<//>${reason.sentence && reason.sentence !== text && html` <q><${Text} limit=${200}>${reason.sentence}<//></q>`}</li>`)}</ul>` : null;

/** The four decisions about one memory that waits. */
export function Judge({ memory, user, decided }) {
  const [editing, edit] = useState(false);
  const opener = useRef();
  const act = useAction(useCallback(async (decision, text) => {
    await post(`/${segment(memory.id)}/review`, { decision, user_id: user, ...(text && { text }) }, expected(memory));
    decided(decision, memory);
  }, [memory.id, memory.version, user, decided]));
  const close = () => {
    edit(false);
    opener.current?.focus();
  };
  const send = (event) => {
    event.preventDefault();
    act.run("edit", new FormData(event.currentTarget).get("text"));
  };
  const button = (decision, label, kind = "") => html`<button class=${kind} disabled=${act.busy} onClick=${() => act.run(decision)}>${label}</button>`;
  return html`<div class="actions" role="group" aria-label="decision">${button("keep", "Keep", "main")}
      <button ref=${opener} aria-expanded=${String(editing)} onClick=${() => edit(!editing)}>Edit</button>
      ${button("refuse", "Refuse")}${button("never_again", "Never again", "danger")}</div>
    <div class="below"><${Failure} error=${act.error} />
      ${editing && html`<form class="edit" onSubmit=${send} onKeyDown=${escaped(close)}>
        <label>Text<textarea name="text" rows="3" dir="auto" required ref=${focus} defaultValue=${memory.memory} /></label>
        <div class="actions"><button class="main" disabled=${act.busy}>Save and keep</button>
          <button type="button" onClick=${close}>Cancel</button></div></form>`}</div>`;
}
