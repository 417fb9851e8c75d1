// What did memory cost, and what did it save? Sums by day; a picture, and the same as a table.
import { get } from "../api.js";
import { html } from "../html.js";
import { useLoaded } from "../loading.js";
import { Empty, Figure, Loaded } from "../parts.js";
import { counted, number } from "../text.js";

const DAYS = 30;
const HEIGHT = 120;
const STEP = 24;
const GAP = 4;
const DAY_MS = 86_400_000;
const COLUMNS = [
  ["chats", "chats"], ["recalled", "with memories"], ["injected_tokens", "tokens added"],
  ["extraction_calls", "calls to learn"], ["extraction_tokens", "tokens to learn"], ["learned", "learned"],
  ["whatif_calls", "calls to compare answers"], ["whatif_tokens", "tokens of these"],
  ["prompt_tokens", "prompt tokens reported"], ["cached_tokens", "of them from the cache"],
];

export function Economics() {
  const found = useLoaded((signal) => get("/stats", { days: DAYS }, signal), []);
  return html`<${Loaded} of=${found}>${({ days, totals }) => days.length
    ? html`<${Sums} of=${totals} /><${Bars} days=${byDay(days)} /><${Days} days=${byDay(days)} />`
    : html`<${Empty} title="No chat was counted yet.">
        <p>After the first chat you see here what memory added to the requests and what learning cost.</p><//>`}<//>`;
}

/** One row a day, oldest first; several tenants are added up. */
function byDay(rows) {
  const days = new Map();
  for (const row of rows) {
    const sum = days.get(row.day) ?? { day: row.day };
    for (const [name] of COLUMNS) sum[name] = (sum[name] ?? 0) + (row[name] ?? 0);
    days.set(row.day, sum);
  }
  return [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
}

const share = (part, whole) => whole ? `${Math.round((100 * part) / whole)} %` : "–";

const Sums = ({ of }) => html`<dl class="figures sums">
  <${Figure} label="chats" value=${of.chats} />
  <${Figure} label="given memories" value=${of.recalled} note=${`${share(of.recalled, of.chats)} of the chats`} />
  <${Figure} label="tokens added to chats" value=${of.injected_tokens} note=${`${number(of.injected_lines)} lines`} />
  <${Figure} label="tokens to learn" value=${of.extraction_tokens} note=${`${number(of.extraction_calls)} calls, ${number(of.learned)} learned`} />
  <${Figure} label="of the prompts from the provider's cache" value=${share(of.cached_tokens, of.prompt_tokens)}
    note=${`${number(of.cached_tokens)} tokens, as ${counted(of.cached_answers, "answer")} reported`} /></dl>`;

function Bars({ days }) {
  const most = Math.max(1, ...days.map((each) => each.injected_tokens + each.extraction_tokens));
  const high = (tokens) => (tokens / most) * HEIGHT;
  const last = Date.parse(days.at(-1).day);
  const left = (day) => (DAYS - 1 - (last - Date.parse(day)) / DAY_MS) * STEP + GAP;
  return html`<figure class="bars"><svg viewBox=${`0 0 ${DAYS * STEP} ${HEIGHT}`} preserveAspectRatio="none" role="img"
      aria-label="tokens by day; the table below has the same figures">
    ${days.map((each) => html`<g key=${each.day}><title>${each.day}</title>
      <rect class="added" x=${left(each.day)} width=${STEP - 2 * GAP} y=${HEIGHT - high(each.injected_tokens)}
        height=${high(each.injected_tokens)} />
      <rect class="learned" x=${left(each.day)} width=${STEP - 2 * GAP} height=${high(each.extraction_tokens)}
        y=${HEIGHT - high(each.injected_tokens + each.extraction_tokens)} /></g>`)}</svg>
    <figcaption class="note"><span class="key added" /> tokens added to chats <span class="key learned" /> tokens to learn${" · "}${days[0].day} to ${days.at(-1).day}, at most ${number(most)} a day</figcaption></figure>`;
}

const Days = ({ days }) => html`<details><summary>By day</summary>
  <div class="wide" tabindex="0" role="region" aria-label="sums by day"><table>
    <thead><tr><th scope="col">day</th>${COLUMNS.map(([name, label]) => html`<th scope="col" class="count" key=${name}>${label}</th>`)}</tr></thead>
    <tbody>${days.toReversed().map((each) => html`<tr key=${each.day}><th scope="row">${each.day}</th>
      ${COLUMNS.map(([name]) => html`<td class="count" key=${name}>${number(each[name])}</td>`)}</tr>`)}</tbody></table></div></details>`;
