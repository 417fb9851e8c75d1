// The users by name, a page at a time: there may be ten thousand of them.
import { entities } from "../api.js";
import { html, useState } from "../html.js";
import { useLoaded } from "../loading.js";
import { Ask, Empty, Loaded, Text } from "../parts.js";
import { go, to } from "../route.js";
import { counted, number, when } from "../text.js";

const SIZE = 50;

/** With `size` rows on a page; a user leads to the page `page`. */
export function Users({ size = SIZE, page: leads = "person" }) {
  const [page, turn] = useState(1);
  const found = useLoaded((signal) => entities({ page, page_size: size }, signal), [page, size]);
  return html`<${Ask} label="User" action="Open" placeholder="a user id" search
      onSend=${(user) => user && go(leads, { user })} />
    <${Loaded} of=${found}>${({ results, count, next }) => html`
      ${results.length ? html`<${Rows} rows=${results} page=${leads} />` : html`<${Empty} title="No user has memories yet." />`}
      ${count > size && html`<nav class="pager" aria-label="pages of users">
        <button disabled=${page === 1} onClick=${() => turn(page - 1)}>Previous</button>
        <span aria-live="polite">Page ${number(page)} of ${number(Math.ceil(count / size))}</span>
        <button disabled=${!next} onClick=${() => turn(page + 1)}>Next</button></nav>`}`}<//>`;
}

const Rows = ({ rows, page }) => html`<ul class="rows users">${rows.map((row) => html`<li key=${row.type + row.id}>
  ${row.type === "user"
    ? html`<a href=${to(page, { user: row.id })}><${Text} limit=${120}>${row.name}<//></a>`
    : html`<span><${Text} limit=${120}>${row.name}<//> <span class="note">${row.type}</span></span>`}${" "}
  <span class="note">${counted(row.total_memories, "memory", "memories")} · ${when(row.updated_at)}</span></li>`)}</ul>`;
