// What was believed when? By month, newest first; what is no longer true stays in its place.
import { get } from "../api.js";
import { html } from "../html.js";
import { useCursor } from "../loading.js";
import { Badge, Empty, Loaded, Pager, Text } from "../parts.js";
import { to } from "../route.js";
import { day } from "../text.js";
import { refiled } from "../words.js";
import { SIZE } from "./memories.js";

const EVERY = "active,quarantined,superseded,archived";

export function Timeline({ user }) {
  const found = useCursor((cursor, signal) =>
    get("/", { user_id: user, cursor, limit: SIZE, statuses: EVERY }, signal), [user]);
  return html`<p>Everything that was ever believed; what is struck through is not believed any more.</p>
    <${Loaded} of=${found}>${({ results }) => results.length
      ? html`${months(results.filter((row) => !refiled(row))).map(({ name, rows }) => html`<section key=${name} class="month"><h2>${name}</h2>
          <ol class="times">${rows.map((row) => html`<${Moment} key=${row.id} of=${row} user=${user} />`)}</ol></section>`)}
          <${Pager} of=${found} />`
      : html`<${Empty} title="Nothing was believed of this user yet." />`}<//>`;
}

function months(rows) {
  const found = new Map();
  for (const row of rows) {
    const name = new Date(row.created_at).toLocaleDateString("en-GB", { month: "long", year: "numeric" });
    found.set(name, [...(found.get(name) ?? []), row]);
  }
  return [...found].map(([name, rows]) => ({ name, rows }));
}

/** From when to when it was held true. */
const held = ({ valid_from, created_at, valid_to }) =>
  valid_to ? `${day(valid_from ?? created_at)} to ${day(valid_to)}` : `since ${day(valid_from ?? created_at)}`;

const Moment = ({ of, user }) => html`<li class=${of.status}>
  <p>${of.status === "superseded" ? html`<del><${Text}>${of.memory}<//></del>` : html`<${Text}>${of.memory}<//>`}</p>
  <p class="note">${of.status !== "active" && html`<${Badge} kind=${of.status}>${of.status}<//> `}${held(of)}${" · "}<a href=${to("person", { user, tab: "timeline", id: of.id })}>open</a>
    ${of.provenance?.superseded_by && html` · <a href=${to("person", { user, tab: "timeline", id: of.provenance.superseded_by })}>what took its place</a>`}</p></li>`;
