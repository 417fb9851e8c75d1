// What is known of somebody, since when, and why?
import { get, post, segment } from "../api.js";
import { html, useCallback } from "../html.js";
import { useAction, useCursor, useLoaded } from "../loading.js";
import { Ask, Badge, Empty, Failure, Loaded, Pager, Tabs, Text } from "../parts.js";
import { go, to } from "../route.js";
import { when } from "../text.js";
import { Memory } from "./memory.js";
import { Users } from "./users.js";

const SIZE = 50;
const EVERY = "active,quarantined,superseded,archived";
const TABS = [["profile", "Profile"], ["memories", "Memories"], ["timeline", "Timeline"],
  ["episodes", "Episodes"], ["conflicts", "Conflicts"]];
const VIEWS = { profile: Known, memories: Memories, timeline: Timeline, episodes: Episodes, conflicts: Conflicts };

export function Person({ params }) {
  const { user, tab = "profile" } = params;
  if (!user) return html`<h1>Person</h1><p>Whose memory do you want to see?</p><${Users} />`;
  const View = VIEWS[tab] ?? Known;
  return html`<h1><${Text}>${user}<//></h1>
    <${Tabs} tabs=${TABS} at=${VIEWS[tab] ? tab : "profile"} label="what is known"
      go=${(next) => go("person", { user, tab: next })}><${View} key=${user} user=${user} params=${params} /><//>`;
}

function Known({ user }) {
  const found = useLoaded((signal) => get("/profile", { user_id: user }, signal), [user]);
  return html`<${Loaded} of=${found}>${({ results }) => results.length
    ? html`<ul class="rows">${results.map((line) => html`<li key=${line.ids[0]}><p><${Text}>${line.memory}<//></p>
        <p class="note">${line.traits.map((trait) => html`<${Badge}>${trait}<//> `)}${line.source} · ${when(line.updated_at)}
          · <a href=${to("person", { user, tab: "memories", q: line.memory })}>edit or forget</a></p></li>`)}</ul>`
    : html`<${Empty} title="Nothing that always matters is known of this user.">
        <p>Allergies, wishes about answers and the like stand here once the user says them. Look in
        <a href=${to("person", { user, tab: "memories" })}>Memories</a>.</p><//>`}<//>`;
}

function Memories({ user, params }) {
  const { q = "" } = params;
  const found = useCursor((cursor, signal) => q
    ? get("/search", { user_id: user, q, cursor, limit: SIZE }, signal)
    : get("/", { user_id: user, cursor, limit: SIZE, statuses: "active,quarantined" }, signal), [user, q]);
  return html`<${Ask} label="Search" value=${q} action="Search" search
      onSend=${(asked) => go("person", { user, tab: "memories", q: asked })} />
    <${List} found=${found} user=${user} none=${q ? "Nothing matches." : "This user has no memories."} />`;
}

function Timeline({ user }) {
  const found = useCursor((cursor, signal) =>
    get("/", { user_id: user, cursor, limit: SIZE, statuses: EVERY }, signal), [user]);
  return html`<p>Everything that was ever believed, newest first; what is superseded was true before.</p>
    <${List} found=${found} user=${user} none="Nothing was believed of this user yet." />`;
}

function Episodes({ user }) {
  const found = useCursor((cursor, signal) =>
    get("/", { user_id: user, cursor, limit: SIZE, types: "episodic" }, signal), [user]);
  return html`<${List} found=${found} user=${user} none="No episodes: nothing that happened at a time is remembered." />`;
}

function List({ found, user, none }) {
  return html`<${Loaded} of=${found}>${({ results }) => html`
    ${results.length ? html`<ul class="rows">${results.map((memory) => html`<${Memory} key=${memory.id}
      memory=${memory} user=${user} changed=${found.again} />`)}</ul>` : html`<${Empty} title=${none}>
      <p><a href=${to("whynot", { user })}>Why not?</a> tells what became of a text that you expect here.</p><//>`}
    <${Pager} of=${found} />`}<//>`;
}

function Conflicts({ user }) {
  const found = useLoaded((signal) => get("/conflicts", { user_id: user }, signal), [user]);
  return html`<${Loaded} of=${found}>${({ results }) => results.length
    ? html`<ul class="rows">${results.map((each) => html`<${Conflict} key=${each.memory.id} user=${user}
        of=${each} changed=${found.again} />`)}</ul>`
    : html`<${Empty} title="No conflicts: no two memories contradict each other undecided." />`}<//>`;
}

function Conflict({ of, user, changed }) {
  const all = [of.memory, ...of.others];
  const settle = useAction(useCallback(async (right) => {
    const replaces = all.filter((each) => each.id !== right).map((each) => each.id);
    await post(`/${segment(right)}/settle`, { replaces, user_id: user });
    changed();
  }, [of, user, changed]));
  return html`<li><p>Which of them is true now? It replaces the others, which can be restored.</p>
    ${all.map((each) => html`<div class="choice"><p><${Text}>${each.memory}<//>
      <span class="note"> ${when(each.created_at)}</span></p>
      <button disabled=${settle.busy} onClick=${() => settle.run(each.id)}>This one</button></div>`)}
    <${Failure} error=${settle.error} /></li>`;
}
