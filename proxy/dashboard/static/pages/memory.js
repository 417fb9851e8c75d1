// One memory in a list, and what may be done with it.
import { get, post, put, segment } from "../api.js";
import { html, useCallback, useRef, useState } from "../html.js";
import { useAction, useLoaded } from "../loading.js";
import { Badge, Failure, Loaded, Text } from "../parts.js";
import { counted, when } from "../text.js";
import { source, type } from "../words.js";
import { Forget } from "./forget.js";

/**
 * `changed` is called after a change, so that the list is read again, and `gone` (or `changed`)
 * after it was erased; `begin` is what is open at first: "history", "edit", "forget" or "".
 */
export function Memory({ memory, user, changed, gone = changed, begin = "" }) {
  const [open, show] = useState(begin);
  const buttons = useRef();
  const flip = (name) => () => show(open === name ? "" : name);
  const close = () => {
    buttons.current?.querySelector('[aria-expanded="true"]')?.focus();
    show("");
  };
  const act = useAction(useCallback(async (what) => {
    await post(`/${segment(memory.id)}/${what}`, { user_id: user });
    changed();
  }, [memory.id, user, changed]));
  const said = memory.kind === "said";
  const button = (name, label, kind = "") => html`<button class=${kind} aria-expanded=${String(open === name)}
    onClick=${flip(name)}>${label}</button>`;
  return html`<li class="memory"><div><p><${Text}>${memory.memory}<//></p><${Note} of=${memory} />
      <${Reasons} of=${memory.provenance} /></div>
    <div class="actions" ref=${buttons}>
      ${memory.status === "quarantined" && html`<button class="main" disabled=${act.busy} onClick=${() => act.run("validate")}>Validate</button>`}
      ${["archived", "superseded"].includes(memory.status) && html`<button disabled=${act.busy} onClick=${() => act.run("restore")}>Restore</button>`}
      ${button("history", "History")}${!said && button("edit", "Edit")}${button("forget", "Forget", "danger")}
    </div>
    <div class="below"><${Failure} error=${act.error} />
      ${open === "history" && html`<${History} memory=${memory} user=${user} />`}
      ${open === "edit" && html`<${Edit} memory=${memory} user=${user} changed=${changed} close=${close} />`}
      ${open === "forget" && html`<${Forget} id=${memory.id} user=${user} gone=${gone} close=${close} />`}</div></li>`;
}

const Note = ({ of }) => html`<p class="note">
  ${of.kind === "said" ? html`<${Badge} kind="said">said<//> ` : html`${of.status !== "active" && html`<${Badge} kind=${of.status}>${of.status}<//> `}${type(of.type)} · `}${source(of.provenance?.source)} · ${when(of.created_at)}${of.access_count > 0 && ` · recalled ${counted(of.access_count, "time")}`}${of.score !== undefined && ` · score ${of.score.toFixed(2)}`}</p>`;

const Reasons = ({ of }) => of?.reasons?.length ? html`<ul class="reasons">${of.reasons.map((reason) =>
  html`<li key=${reason.kind}><${Text}>${reason.why}<//></li>`)}</ul>` : null;

function History({ memory, user }) {
  const found = useLoaded((signal) => get(`/${segment(memory.id)}/history/`, { user_id: user }, signal), [memory.id]);
  const { quote, conversation_id } = memory.provenance ?? {};
  return html`${quote && html`<p class="note">Words of the user that it stands on:</p><blockquote><${Text}>${quote}<//></blockquote>`}
    <${Loaded} of=${found}>${(events) => html`<ol class="history">${events.map((event) => html`<li key=${event.id}>
      <p class="note">${when(event.timestamp)} · ${event.event.toLowerCase()}</p>
      ${event.new_value && html`<p><${Text}>${event.new_value}<//></p>`}
      ${event.reason && html`<p class="note"><${Text}>${event.reason}<//></p>`}</li>`)}</ol>`}<//>
    <p class="note">Id <code>${memory.id}</code>${conversation_id && html`, conversation <code>${conversation_id.slice(0, 8)}</code>`}</p>`;
}

function Edit({ memory, user, changed, close }) {
  const save = useAction(useCallback(async (text) => {
    await put(`/${segment(memory.id)}/`, { text, user_id: user });
    close();
    changed();
  }, [memory.id, user, changed, close]));
  const send = (event) => {
    event.preventDefault();
    save.run(new FormData(event.currentTarget).get("text"));
  };
  return html`<form class="edit" onSubmit=${send} onKeyDown=${(event) => event.key === "Escape" && close()}>
    <label>Text<textarea name="text" rows="3" dir="auto" required autofocus defaultValue=${memory.memory} /></label>
    <p class="note">The text of now is kept as an earlier version.</p>
    <div class="actions"><button class="main" disabled=${save.busy}>Save</button>
      <button type="button" onClick=${close}>Cancel</button></div><${Failure} error=${save.error} /></form>`;
}
