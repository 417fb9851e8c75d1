// What is known of somebody, since when, and why?
import { get } from "../api.js";
import { html } from "../html.js";
import { useLoaded } from "../loading.js";
import { Badge, Empty, Loaded, Tabs, Text } from "../parts.js";
import { go, to } from "../route.js";
import { counted, number, when } from "../text.js";
import { source, STATUSES } from "../words.js";
import { Conflicts } from "./conflicts.js";
import { Episodes, Memories, One } from "./memories.js";
import { Timeline } from "./timeline.js";
import { Users } from "./users.js";

const TABS = [["memories", "Memories"], ["profile", "Profile"], ["timeline", "Timeline"],
  ["episodes", "Episodes"], ["conflicts", "Conflicts"]];
const VIEWS = { memories: Memories, profile: Known, timeline: Timeline, episodes: Episodes, conflicts: Conflicts };

export function Person({ params }) {
  const { user, tab = "memories", id } = params;
  if (!user) return html`<h1>Person</h1><p>Whose memory do you want to see?</p><${Users} />`;
  const at = VIEWS[tab] ? tab : "memories";
  const View = id ? One : VIEWS[at];
  return html`<h1 class="whose"><${Text} limit=${120}>${user}<//></h1><${Summary} key=${user} user=${user} />
    <${Tabs} tabs=${TABS} at=${at} label="what is known"
      go=${(next) => go("person", { user, tab: next })}><${View} key=${`${user} ${id ?? ""}`} user=${user} params=${params} /><//>`;
}

function Summary({ user }) {
  const found = useLoaded((signal) => get("/state", { user_id: user }, signal), [user]);
  return html`<p class="note">${found.value && told(found.value)}</p>
  <p class="note"><a href=${to("chat", { user })}>Chat</a>${" · "}<a
    href=${to("playground", { user })}>What would a chat be given?</a>${" · "}<a href=${to("whynot", { user })}>Why did
    something not come up?</a>${" · "}<a href=${to("map", { user })}>Map</a>${" · "}<a
    href=${to("upkeep", { user })}>What upkeep did</a>${" · "}<a href=${to("review", { user })}>What waits for you</a>${" · "}<a
    href=${to("bring", { user })}>Bring chats along</a></p>`;
}

/** What there is of somebody, in one line. */
function told({ memories, said }) {
  const of = (status) => Object.values(memories).reduce((sum, kind) => sum + (kind[status] ?? 0), 0);
  const parts = [`${counted(of("active"), "memory", "memories")} in use`,
    ...["quarantined", "superseded", "archived"].filter(of).map((status) => `${number(of(status))} ${STATUSES[status]}`),
    said > 0 && `${counted(said, "turn")} not learned yet`];
  return parts.filter(Boolean).join(" · ");
}

function Known({ user }) {
  const found = useLoaded((signal) => get("/profile", { user_id: user }, signal), [user]);
  return html`<p>What tells most about this person, most important first.</p>
    <${Loaded} of=${found}>${({ results }) => results.length
    ? html`<ul class="rows">${results.map((line) => html`<${Line} key=${line.ids[0]} of=${line} user=${user} />`)}</ul>`
    : html`<${Empty} title="Nothing that always matters is known of this user.">
        <p>Allergies, wishes about answers and the like stand here once the user says them. Look in
        <a href=${to("person", { user, tab: "memories" })}>Memories</a>.</p><//>`}<//>`;
}

const Line = ({ of, user }) => html`<li class="memory"><div><p><${Text}>${of.memory}<//></p>
    <p class="note">${of.traits.map((trait) => html`<${Badge} key=${trait}>${trait}<//> `)}
      ${source(of.source)} · ${when(of.updated_at)}</p></div>
  <div class="actions">${of.ids.map((id, place) => html`<a key=${id} class="button"
    href=${to("person", { user, tab: "profile", id })}>${place ? `Open ${place + 1}` : "Open"}</a>`)}</div></li>`;
