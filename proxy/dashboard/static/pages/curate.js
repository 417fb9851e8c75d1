// What may be done with one memory: reword it, say that it is not true, and take either back.
import { get, post, put, segment } from "../api.js";
import { html, useCallback } from "../html.js";
import { useAction, useLoaded } from "../loading.js";
import { Failure, Loaded, Text } from "../parts.js";
import { when } from "../text.js";
import { end } from "../words.js";

/** The version that was shown: whoever changed it since is not overruled. */
export const expected = (memory) => ({ "If-Match": `"${memory.version}"` });
export const escaped = (close) => (event) => event.key === "Escape" && close();

export function Edit({ memory, user, changed, close }) {
  const save = useAction(useCallback(async (text) => {
    await put(`/${segment(memory.id)}/`, { text, user_id: user }, expected(memory));
    close();
    changed();
  }, [memory.id, memory.version, user, changed, close]));
  const send = (event) => {
    event.preventDefault();
    save.run(new FormData(event.currentTarget).get("text"));
  };
  return html`<form class="edit" onSubmit=${send} onKeyDown=${escaped(close)}>
    <label>Text<textarea name="text" rows="3" dir="auto" required autofocus defaultValue=${memory.memory} /></label>
    <p class="note">The text of now is kept as an earlier version.</p>
    <div class="actions"><button class="main" disabled=${save.busy}>Save</button>
      <button type="button" onClick=${close}>Cancel</button></div><${Failure} error=${save.error} /></form>`;
}

export function Deny({ memory, user, changed, close }) {
  const deny = useAction(useCallback(async (reason, until) => {
    const told = { user_id: user, ...(reason && { reason }), ...(until && { valid_to: until }) };
    await post(`/${segment(memory.id)}/invalidate`, told, expected(memory));
    close();
    changed();
  }, [memory.id, memory.version, user, changed, close]));
  const send = (event) => {
    event.preventDefault();
    const told = new FormData(event.currentTarget);
    deny.run(told.get("reason").trim(), told.get("until"));
  };
  return html`<form class="edit" onSubmit=${send} onKeyDown=${escaped(close)}>
    <label>Why is it not true?<input name="reason" dir="auto" maxlength="2000" autofocus autocomplete="off" /></label>
    <label>Until when it was, if it ever was<input name="until" type="date" /></label>
    <p class="note">No chat is told it any more. It stays listed as superseded, and one click brings it back.</p>
    <div class="actions"><button class="main" disabled=${deny.busy}>It is not true</button>
      <button type="button" onClick=${close}>Cancel</button></div><${Failure} error=${deny.error} /></form>`;
}

export function Versions({ memory, user, changed }) {
  const found = useLoaded((signal) => get(`/${segment(memory.id)}/versions`, { user_id: user }, signal), [memory.id, memory.version]);
  const revert = useAction(useCallback(async (version) => {
    await post(`/${segment(memory.id)}/revert`, { version, user_id: user }, expected(memory));
    changed();
  }, [memory.id, memory.version, user, changed]));
  return html`<${Loaded} of=${found}>${({ results }) => results.length ? html`<p class="note">What it said before:</p>
    <ul class="versions">${results.map((each) => html`<li class="choice" key=${each.id}><div><p><${Text}>${each.memory}<//></p>
      <p class="note">Version ${each.version} · ${when(each.valid_from ?? each.created_at)}${each.provenance?.ended && html` · <${Text} limit=${200}>${end(each.provenance.ended)}<//>`}</p></div>
      <button aria-label=${`Return to version ${each.version}`} disabled=${revert.busy} onClick=${() => revert.run(each.version)}>Return to this</button></li>`)}</ul>` : null}<//>
    <${Failure} error=${revert.error} />`;
}
