// What happens right now: each chat, what was recalled for it, and how long that took.
import { get } from "../api.js";
import { listen } from "../events.js";
import { html, useEffect, useState } from "../html.js";
import { Badge, Command, Empty, Failure, Text } from "../parts.js";
import { to } from "../route.js";
import { when } from "../text.js";

const KEPT = 100;
const AGAIN_MS = 3000;

/** The newest exchanges, kept up to date; `state` says whether it is connected. */
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
        <p>Point a client at this server:</p><${Command}>${`export OPENAI_BASE_URL=${location.origin}/v1`}<//><//>`}`;
}

const Exchange = ({ of }) => html`<li><p>
    <${Badge} kind=${of.outcome}>${of.outcome}<//> <a href=${to("person", { user: of.user_id })}><${Text}>${of.user_id}<//></a>
    <span class="note"> ${when(of.at)} · ${of.reason} · ${Math.round(of.ms)} ms · ${of.tokens} tokens · <${Text}>${of.model}<//></span></p>
  ${of.recalled?.length > 0 && html`<ul class="reasons">${of.recalled.map((line) => html`<li key=${line.id}>
    <${Text} limit=${200}>${line.memory}<//> <span class="note">${line.why}</span></li>`)}</ul>`}</li>`;
