// One memory in a list, and what may be done with it.
import { get, post, segment } from "../api.js";
import { html, useCallback, useRef, useState } from "../html.js";
import { useAction, useLoaded } from "../loading.js";
import { Badge, Failure, Loaded, Text } from "../parts.js";
import { counted, when } from "../text.js";
import { end, source, type } from "../words.js";
import { Deny, Edit, Versions } from "./curate.js";
import { Forget } from "./forget.js";
import { Judge, Reasons } from "./review.js";

/**
 * `changed` is called after a change, so that the list is read again, and `gone` (or `changed`)
 * after it was erased; `begin` is what is open at first: "history", "edit", "deny", "forget" or "".
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
  const putOff = memory.provenance?.put_off ?? [];
  const back = useAction(useCallback(async () => {
    // One of them may be undone elsewhere: what is there now is read again.
    try {
      for (const id of putOff) await post(`/${segment(memory.id)}/feedback/undo`, { feedback_id: id, user_id: user });
    } finally { changed(); }
  }, [memory.id, putOff.join(), user, changed]));
  const waits = memory.status === "quarantined";
  const holds = memory.kind !== "said" && !waits && memory.status !== "superseded";
  const button = (name, label, kind = "") => html`<button class=${kind} aria-expanded=${String(open === name)}
    onClick=${flip(name)}>${label}</button>`;
  return html`<li class="memory"><div><p><${Text}>${memory.memory}<//></p><${Note} of=${memory} />
      <${Reasons} of=${memory.provenance} text=${memory.memory} />
      ${putOff.length > 0 && html`<p class="note">Not given for ${counted(putOff.length, "question")} that somebody did not want it for.
        <button class="quiet" disabled=${back.busy} onClick=${back.run}>Give it again</button></p>`}</div>
    ${waits && html`<${Judge} memory=${memory} user=${user} decided=${changed} />`}
    <div class="actions" ref=${buttons}>
      ${["archived", "superseded"].includes(memory.status) && html`<button disabled=${act.busy} onClick=${() => act.run("restore")}>Restore</button>`}
      ${button("history", "History")}${holds && html`${button("edit", "Edit")}${button("deny", "Not true")}`}${button("forget", "Forget", "danger")}
    </div>
    <div class="below"><${Failure} error=${act.error} /><${Failure} error=${back.error} />
      ${open === "history" && html`<${History} memory=${memory} user=${user} changed=${changed} />`}
      ${open === "edit" && html`<${Edit} memory=${memory} user=${user} changed=${changed} close=${close} />`}
      ${open === "deny" && html`<${Deny} memory=${memory} user=${user} changed=${changed} close=${close} />`}
      ${open === "forget" && html`<${Forget} id=${memory.id} user=${user} gone=${gone} close=${close} />`}</div></li>`;
}

const Note = ({ of }) => html`<p class="note">
  ${of.kind === "said" ? html`<${Badge} kind="said">said<//> ` : html`${of.status !== "active" && html`<${Badge} kind=${of.status}>${of.status}<//> `}${type(of.type)} · `}${source(of.provenance?.source)} · ${when(of.created_at)}${of.access_count > 0 && ` · recalled ${counted(of.access_count, "time")}`}${of.score !== undefined && ` · score ${of.score.toFixed(2)}`}${of.status === "superseded" && of.provenance?.ended && html` · <${Text} limit=${200}>${end(of.provenance.ended)}<//>`}</p>`;

function History({ memory, user, changed }) {
  const found = useLoaded((signal) => get(`/${segment(memory.id)}/history/`, { user_id: user }, signal), [memory.id]);
  const { quote, conversation_id } = memory.provenance ?? {};
  return html`${quote && html`<p class="note">Words of the user that it stands on:</p><blockquote><${Text}>${quote}<//></blockquote>`}
    <${Loaded} of=${found}>${(events) => html`<ol class="history">${events.map((event) => html`<li key=${event.id}>
      <p class="note">${when(event.timestamp)} · ${event.event.toLowerCase()}</p>
      ${event.new_value && html`<p><${Text}>${event.new_value}<//></p>`}
      ${event.reason && html`<p class="note"><${Text}>${event.reason}<//></p>`}</li>`)}</ol>`}<//>
    ${memory.kind !== "said" && !memory.provenance?.superseded_by && html`<${Versions} memory=${memory} user=${user} changed=${changed} />`}
    <p class="note">Id <code>${memory.id}</code>${conversation_id && html`, conversation <code>${conversation_id.slice(0, 8)}</code>`}</p>`;
}
