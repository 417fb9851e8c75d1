// One memory in a list, and what may be done with it.
import { get, post, put, segment } from "../api.js";
import { html, useCallback, useState } from "../html.js";
import { useAction, useLoaded } from "../loading.js";
import { Badge, Failure, Loaded, Text } from "../parts.js";
import { number, when } from "../text.js";

/** `changed` is called after a change, so that the list is read again. */
export function Memory({ memory, user, changed }) {
  const [open, show] = useState("");
  const flip = (name) => () => show(open === name ? "" : name);
  const act = useAction(useCallback(async (what) => {
    await post(`/${segment(memory.id)}/${what}`, { user_id: user });
    changed();
  }, [memory.id, user, changed]));
  const said = memory.kind === "said";
  return html`<li class="memory">
    <p><${Text}>${memory.memory}<//></p>
    <p class="note"><${Badge} kind=${memory.status}>${said ? "said" : memory.status}<//> ${memory.type}
      · ${when(memory.created_at)}${memory.score !== undefined && ` · score ${memory.score.toFixed(2)}`}</p>
    <${Reasons} of=${memory.provenance} />
    <div class="actions">
      <button aria-expanded=${String(open === "history")} onClick=${flip("history")}>History</button>
      ${!said && html`<button aria-expanded=${String(open === "edit")} onClick=${flip("edit")}>Edit</button>`}
      ${memory.status === "quarantined" && html`<button disabled=${act.busy}
        onClick=${() => act.run("validate")}>Validate</button>`}
      ${["archived", "superseded"].includes(memory.status) && html`<button disabled=${act.busy}
        onClick=${() => act.run("restore")}>Restore</button>`}
      <button class="danger" aria-expanded=${String(open === "forget")} onClick=${flip("forget")}>Forget</button>
    </div><${Failure} error=${act.error} />
    ${open === "history" && html`<${History} id=${memory.id} user=${user} />`}
    ${open === "edit" && html`<${Edit} memory=${memory} user=${user} changed=${changed} close=${flip("edit")} />`}
    ${open === "forget" && html`<${Forget} id=${memory.id} user=${user} changed=${changed}
      close=${flip("forget")} />`}</li>`;
}

const Reasons = ({ of }) => of?.reasons?.length ? html`<ul class="reasons">${of.reasons.map((reason) =>
  html`<li><${Text}>${reason.why}<//></li>`)}</ul>` : null;

function History({ id, user }) {
  const found = useLoaded((signal) => get(`/${segment(id)}/history/`, { user_id: user }, signal), [id]);
  return html`<${Loaded} of=${found}>${(events) => html`<ol class="history">${events.map((event) => html`<li>
    <span class="note">${when(event.timestamp)} · ${event.event.toLowerCase()}</span>
    ${event.new_value && html`<p><${Text}>${event.new_value}<//></p>`}
    ${event.reason && html`<p class="note"><${Text}>${event.reason}<//></p>`}</li>`)}</ol>`}<//>`;
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
    <label>Text<textarea name="text" rows="3" dir="auto" required defaultValue=${memory.memory} /></label>
    <div class="actions"><button class="main" disabled=${save.busy}>Save</button>
      <button type="button" onClick=${close}>Cancel</button></div><${Failure} error=${save.error} /></form>`;
}

function Forget({ id, user, changed, close }) {
  const [receipt, keep] = useState();
  const erase = useAction(useCallback(async () => {
    keep(await post("/forget", { ids: [id], user_id: user }));
  }, [id, user]));
  if (receipt) return html`<${Receipt} of=${receipt} done=${changed} />`;
  return html`<div class="confirm" role="group" aria-label="forget this memory"
      onKeyDown=${(event) => event.key === "Escape" && close()}>
    <p>This erases the memory, its earlier versions and its words in all stores. It cannot be undone.</p>
    <div class="actions"><button class="danger" disabled=${erase.busy} onClick=${() => erase.run()}>Forget for ever</button>
      <button onClick=${close}>Keep</button></div><${Failure} error=${erase.error} /></div>`;
}

const Receipt = ({ of, done }) => html`<div class="receipt" role="status">
  <p class="lead">${of.verified ? "Erased, and no longer found." : "Erased, but not verified: forget it again."}</p>
  <p class="note">Receipt <code>${of.id}</code> · ${Object.entries(of.erased ?? {})
    .filter(([, count]) => count).map(([name, count]) => `${number(count)} ${name}`).join(", ")}</p>
  <button onClick=${done}>Done</button></div>`;
