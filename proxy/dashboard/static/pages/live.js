// What happens right now: each chat, what was recalled for it, and how long that took.
import { get } from "../api.js";
import { listen } from "../events.js";
import { html, useEffect, useMemo, useState } from "../html.js";
import { Badge, Command, Empty, Failure, Text } from "../parts.js";
import { to } from "../route.js";
import { counted, number, when } from "../text.js";
import { Verdicts } from "../verdicts.js";
import { because, outcome } from "../words.js";

const KEPT = 100;
const AGAIN_MS = 3000;
const SHOWN = 3;

/** The newest exchanges, kept up to date; `word` says whether it is connected. */
function useExchanges() {
  const [seen, add] = useState([]);
  const [state, tell] = useState({ word: "connecting" });
  useEffect(() => {
    const stop = new AbortController();
    const merge = (more) => add((old) => newest([...more, ...old]));
    const follow = async () => {
      while (!stop.signal.aborted) {
        try {
          merge((await get("/recent", { limit: KEPT }, stop.signal)).exchanges);
          tell({ word: "live" });
          await listen("/v1/memories/live", stop.signal, (one) => merge([one]));
        } catch (error) {
          if (stop.signal.aborted) return;
          tell({ word: "interrupted", error });
          if (error.status >= 400 && error.status < 500) return;
        }
        await new Promise((wake) => setTimeout(wake, AGAIN_MS));
      }
    };
    follow();
    return () => stop.abort();
  }, []);
  return { seen, ...state };
}

function newest(exchanges) {
  const byId = new Map(exchanges.map((each) => [each.id, each]));
  return [...byId.values()].sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, KEPT);
}

export function Live() {
  const { seen, word, error } = useExchanges();
  return html`<h1>Live</h1><p role="status"><${Badge} kind=${word === "live" ? "active" : ""}>${word}<//>
      <span class="note"> the last ${KEPT} chats; what was said in them is not kept here</span></p>
    <${Failure} error=${error} />
    ${seen.length ? html`<ul class="rows">${seen.map((one) => html`<${Exchange} key=${one.id} of=${one} />`)}</ul>`
      : word === "live" && html`<${Empty} title="No chat since the server started.">
        <p>Point a client at this server, and its chats appear here:</p><${Command}>${`export OPENAI_BASE_URL=${location.origin}/v1`}<//><//>`}`;
}

function Exchange({ of }) {
  const { recalled = [] } = of;
  const asked = useMemo(() => ({ conversation: of.turn }), [of.turn]);
  return html`<li class="exchange"><p><${Badge} kind=${of.outcome}>${outcome(of.outcome)}<//> ${of.user_id
      ? html`<a href=${to("person", { user: of.user_id })}><${Text} limit=${80}>${of.user_id}<//></a>` : "no user"}
      <span class="note"> ${because(of)}</span></p>
    <p class="note">${when(of.at)} · ${of.ms < 10 ? of.ms.toFixed(1) : Math.round(of.ms)} ms · ${number(of.tokens)} tokens${" · "}<${Text} limit=${80}>${of.model}<//>${of.status !== 200 && ` · ${of.status ? `status ${of.status}` : "the client left"}`}</p>
    ${recalled.length > 0 && html`<ul class="reasons">${recalled.slice(0, SHOWN).map((line) => html`<${Recalled} key=${line.id} of=${line} user=${of.user_id} asked=${asked} />`)}</ul>`}
    ${recalled.length > SHOWN && html`<details><summary>${counted(recalled.length - SHOWN, "more memory", "more memories")}</summary>
      <ul class="reasons">${recalled.slice(SHOWN).map((line) => html`<${Recalled} key=${line.id} of=${line} user=${of.user_id} asked=${asked} />`)}</ul></details>`}</li>`;
}

/** A memory that a chat was given; `asked` as of `Verdicts`, which are there if it is. */
export const Recalled = ({ of, user, asked }) => html`<li>${of.memory ? html`<a href=${to("person", { user, id: of.id })}><${Text} limit=${200}>${of.memory}<//></a>`
  : html`<em>no longer there</em>`} <span class="note"><${Text} limit=${200}>${of.why}<//></span>
  ${asked && html`<${Verdicts} id=${of.id} text=${of.memory} user=${user} asked=${asked} />`}</li>`;
