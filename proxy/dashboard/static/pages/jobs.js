// What is still to be learned, and what failed?
import { get, post, segment } from "../api.js";
import { html, useCallback, useRef } from "../html.js";
import { useAction, useLoaded } from "../loading.js";
import { Badge, Empty, Failure, Loaded, Tabs, Text } from "../parts.js";
import { go, to } from "../route.js";
import { counted, when } from "../text.js";

const MOST = 200;
const TABS = [["dead", "Failed"], ["ready", "Waiting"], ["leased", "Running"]];
const NOTHING = {
  dead: "No job failed.", ready: "Nothing waits to be learned.", leased: "Nothing is being learned at the moment.",
};

export function Jobs({ params }) {
  const state = NOTHING[params.state] ? params.state : "dead";
  const found = useLoaded((signal) => get("/jobs", { state, limit: MOST }, signal), [state]);
  const list = useRef();
  const changed = () => {
    list.current?.focus();
    found.again();
  };
  return html`<h1>Jobs</h1><p>Each conversation is learned in the background. A job that fails too often stays here until it is tried again.</p>
    <${Tabs} tabs=${TABS} at=${state} label="state" go=${(next) => go("jobs", { state: next })}>
      <${Loaded} of=${found}>${({ results }) => html`<div ref=${list} tabindex="-1" class="list">${results.length
        ? html`<ul class="rows">${results.map((job) => html`<${Job} key=${job.id} job=${job} changed=${changed} />`)}</ul>
            ${results.length === MOST && html`<p class="note">The newest ${MOST}.</p>`}`
        : html`<${Empty} title=${NOTHING[state]}><p>What is learned appears with its person: <a href=${to("person")}>Person</a>.</p><//>`}</div>`}<//><//>`;
}

function Job({ job, changed }) {
  const retry = useAction(useCallback(async () => {
    await post(`/jobs/${segment(job.id)}/retry`, {});
    changed();
  }, [job.id, changed]));
  const { user_id: user } = job;
  return html`<li><p><${Badge} kind=${job.state}>${job.state}<//> ${user ? html`<a href=${to("person", { user })}><${Text} limit=${80}>${user}<//></a>`
      : html`<${Text} limit=${80}>${job.agent_id ?? ""}<//>`}
      <span class="note"> ${when(job.queued_at)} · ${counted(job.attempts, "try", "tries")}</span></p>
    ${job.error && html`<p><${Text}>${job.error}<//></p>`}${job.advice && html`<p class="note">${job.advice}</p>`}
    ${job.state === "dead" && html`<button disabled=${retry.busy} onClick=${() => retry.run()}>Try again</button>`}
    <${Failure} error=${retry.error} /></li>`;
}
