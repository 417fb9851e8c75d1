// Memories of one matter that nobody judged yet: which of them is true?
import { get, post, segment } from "../api.js";
import { html, useCallback } from "../html.js";
import { useAction, useLoaded } from "../loading.js";
import { Empty, Failure, Loaded, Text } from "../parts.js";
import { when } from "../text.js";

export function Conflicts({ user }) {
  const found = useLoaded((signal) => get("/conflicts", { user_id: user }, signal), [user]);
  return html`<${Loaded} of=${found}>${({ results }) => results.length
    ? html`<ul class="rows">${results.map((each) => html`<${Conflict} key=${each.memory.id} user=${user}
        of=${each} changed=${found.again} />`)}</ul>`
    : html`<${Empty} title="No conflicts: no two memories contradict each other undecided." />`}<//>`;
}

function Conflict({ of, user, changed }) {
  const all = [of.memory, ...of.others];
  const settle = useAction(useCallback(async (right, replaces) => {
    await post(`/${segment(right)}/settle`, { replaces, user_id: user });
    changed();
  }, [user, changed]));
  const others = (right) => all.filter((each) => each.id !== right).map((each) => each.id);
  return html`<li><p>Which of them is true now? It replaces the others, which can be restored.</p>
    ${all.map((each) => html`<div class="choice" key=${each.id}><p><${Text}>${each.memory}<//>
      <span class="note"> ${when(each.created_at)}</span></p>
      <button disabled=${settle.busy} onClick=${() => settle.run(each.id, others(each.id))}>This one</button></div>`)}
    <div class="choice"><p class="note">They do not contradict each other.</p>
      <button disabled=${settle.busy} onClick=${() => settle.run(of.memory.id, [])}>Keep all</button></div>
    <${Failure} error=${settle.error} /></li>`;
}
