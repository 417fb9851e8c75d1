// The lists of somebody's memories, and one of them alone.
import { get, segment } from "../api.js";
import { html, useRef } from "../html.js";
import { useCursor, useLoaded } from "../loading.js";
import { Ask, Choice, Empty, Loaded, Pager } from "../parts.js";
import { go, to } from "../route.js";
import { ForgetAll } from "./forget.js";
import { Memory } from "./memory.js";

export const SIZE = 50;
const CURRENT = "active,quarantined";
const KINDS = [["", "Said and learned"], ["memory", "Learned"], ["said", "Said, not learned yet"]];

export function Memories({ user, params }) {
  const { q = "", kinds = "" } = params;
  const here = (more) => ({ user, tab: "memories", q, kinds, ...more });
  const found = useCursor((cursor, signal) => q
    ? get("/search", { user_id: user, q, cursor, kinds, limit: SIZE }, signal)
    : get("/", { user_id: user, cursor, kinds, limit: SIZE, statuses: CURRENT }, signal), [user, q, kinds]);
  const none = q ? "Nothing matches." : kinds ? "None of this kind." : "This user has no memories.";
  return html`<${Ask} label="Search by meaning and words" value=${q} action="Search" search
      onSend=${(asked) => go("person", here({ q: asked }))} />
    <${Choice} label="kind" choices=${KINDS} at=${kinds} href=${(next) => to("person", here({ kinds: next }))} />
    ${q && html`<p><a href=${to("person", here({ q: "" }))}>Show all again</a></p>`}
    <${List} found=${found} user=${user} none=${none} />
    <${ForgetAll} user=${user} changed=${found.again} />`;
}

export function Episodes({ user }) {
  const found = useCursor((cursor, signal) =>
    get("/", { user_id: user, cursor, limit: SIZE, types: "episodic", statuses: CURRENT }, signal), [user]);
  return html`<p>What happened, with its time; newest first.</p>
    <${List} found=${found} user=${user} none="No episodes: nothing that happened at a time is remembered." />`;
}

/** One memory, to which other pages lead; its history is open. */
export function One({ user, params }) {
  const { id, tab } = params;
  const found = useLoaded((signal) => get(`/${segment(id)}/`, { user_id: user }, signal), [id, user]);
  const back = to("person", { user, tab });
  return html`<p><a href=${back}>All of this person</a></p>
    <${Loaded} of=${found}>${(memory) => html`<ul class="rows"><${Memory} key=${memory.version} memory=${memory} user=${user} begin="history"
      changed=${found.again} gone=${() => { location.hash = back; }} /></ul>`}<//>`;
}

/** A list with its pages. After a change it is read again, and keeps the focus. */
export function List({ found, user, none }) {
  const list = useRef();
  const changed = () => {
    list.current?.focus();
    found.again();
  };
  return html`<${Loaded} of=${found}>${({ results }) => html`<div ref=${list} tabindex="-1" class="list">
    ${results.length ? html`<ul class="rows">${results.map((memory) => html`<${Memory} key=${`${memory.id} ${memory.version}`}
      memory=${memory} user=${user} changed=${changed} />`)}</ul>` : html`<${Empty} title=${none}>
      <p><a href=${to("whynot", { user })}>Why not?</a> tells what became of a text that you expect here.</p><//>`}
    <${Pager} of=${found} /></div>`}<//>`;
}
