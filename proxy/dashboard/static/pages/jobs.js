// What is still to be learned, and what failed?
import { get, post, segment } from "../api.js";
import { html, useCallback } from "../html.js";
import { useAction, useLoaded } from "../loading.js";
import { Badge, Empty, Failure, Loaded, Tabs, Text } from "../parts.js";
import { go } from "../route.js";
import { when } from "../text.js";

const MOST = 200;
const TABS = [["dead", "Failed"], ["ready", "Waiting"], ["leased", "Running"]];

export function Jobs({ params }) {
  const state = TABS.some(([id]) => id === params.state) ? params.state : "dead";
  const found = useLoaded((signal) => get("/jobs", { state, limit: MOST }, signal), [state]);
  return html`<h1>Jobs</h1><p>Each conversation is learned in the background. A job that fails too often stays here.</p>
    <${Tabs} tabs=${TABS} at=${state} label="state" go=${(next) => go("jobs", { state: next })}>
      <${Loaded} of=${found}>${({ results }) => results.length
        ? html`<ul class="rows">${results.map((job) => html`<${Job} key=${job.id} job=${job} changed=${found.again} />`)}</ul>
            ${results.length === MOST && html`<p class="note">The newest ${MOST}.</p>`}`
        : html`<${Empty} title=${state === "dead" ? "No job failed." : "Nothing here at the moment."} />`}<//><//>`;
}

function Job({ job, changed }) {
  const retry = useAction(useCallback(async () => {
    await post(`/jobs/${segment(job.id)}/retry`, {});
    changed();
  }, [job.id, changed]));
  return html`<li><p><${Badge} kind=${job.state}>${job.state}<//> <${Text}>${job.user_id ?? job.agent_id ?? ""}<//>
      <span class="note"> ${when(job.queued_at)} · ${job.attempts} tries</span></p>
    ${job.error && html`<p><${Text}>${job.error}<//></p>`}${job.advice && html`<p class="note">${job.advice}</p>`}
    ${job.state === "dead" && html`<button disabled=${retry.busy} onClick=${() => retry.run()}>Try again</button>`}
    <${Failure} error=${retry.error} /></li>`;
}
