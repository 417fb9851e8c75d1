// The frame: which page, the token if the server wants one, and the keys that work everywhere.
import { credentials, keepCredentials, onRefusal } from "./api.js";
import { html, render, useEffect, useRef, useState } from "./html.js";
import { Bring } from "./pages/bring.js";
import { Chat } from "./pages/chat.js";
import { Graph } from "./pages/graph.js";
import { Jobs } from "./pages/jobs.js";
import { Live } from "./pages/live.js";
import { Chart } from "./pages/map.js";
import { Overview } from "./pages/overview.js";
import { Person } from "./pages/person.js";
import { Playground } from "./pages/playground.js";
import { Review } from "./pages/review.js";
import { Settings } from "./pages/settings.js";
import { Upkeep } from "./pages/upkeep.js";
import { WhyNot } from "./pages/whynot.js";
import { Empty } from "./parts.js";
import { to, useRoute } from "./route.js";

const PAGES = [
  ["overview", "Overview", Overview], ["chat", "Chat", Chat], ["live", "Live", Live], ["person", "Person", Person], ["review", "Review", Review],
  ["playground", "Playground", Playground], ["whynot", "Why not?", WhyNot], ["map", "Map", Chart],
  ["graph", "Graph", Graph],  ["jobs", "Jobs", Jobs], ["upkeep", "Upkeep", Upkeep], ["settings", "Settings", Settings],
];

/** Pages of a person: none is reached without one. */
const INSIDE = [["bring", "Bring chats along", Bring]];
const ICON = new URL("./icon.svg", import.meta.url);

const Missing = () => html`<h1>Not found</h1><${Empty} title="There is no such page."><p><a href=${to("overview")}>Overview</a></p><//>`;

function App() {
  const { page, params } = useRoute();
  const [refused, refuse] = useState(false);
  const [session, begin] = useState(0);
  const main = useRef();
  const [, title, Page] = [...PAGES, ...INSIDE].find(([id]) => id === page) ?? [page, "Not found", Missing];
  useEffect(() => onRefusal(() => refuse(true)), []);
  useEffect(() => { document.title = `${title} · Recollect`; }, [title]);
  useEffect(keys, []);
  const skip = (event) => {
    event.preventDefault();
    main.current.focus();
  };
  const entered = () => {
    refuse(false);
    begin(session + 1);
  };
  return html`<a class="skip" href="#main" onClick=${skip}>Skip to the content</a>
    <header><div><a class="brand" href=${to("overview")}><img src=${ICON} alt="" />Recollect</a>
      <nav aria-label="pages">${PAGES.map(([id, name]) => html`<a key=${id} href=${to(id)}
        aria-current=${id === page ? "page" : undefined}>${name}</a>`)}</nav></div></header>
    <main id="main" ref=${main} tabindex="-1">
      ${refused ? html`<${Token} entered=${entered} />` : html`<${Page} key=${`${page} ${session}`} params=${params} />`}</main>
    <footer class="note"><kbd>/</kbd> search · <kbd>Esc</kbd> leave a field · <a href="/docs">API</a></footer>`;
}

/** `/` goes to the page's search, Escape leaves a field. */
function keys() {
  const pressed = (event) => {
    const writing = event.target.closest?.("input, textarea");
    if (event.key === "Escape" && writing) writing.blur();
    if (event.key !== "/" || writing || event.ctrlKey || event.metaKey || event.altKey) return;
    const field = document.querySelector("[data-search]");
    if (!field) return;
    event.preventDefault();
    field.focus();
    field.select();
  };
  addEventListener("keydown", pressed);
  return () => removeEventListener("keydown", pressed);
}

function Token({ entered }) {
  const { token, tenant } = credentials();
  const send = (event) => {
    event.preventDefault();
    const sent = new FormData(event.currentTarget);
    keepCredentials({ token: sent.get("token").trim(), tenant: sent.get("tenant").trim() });
    entered();
  };
  return html`<h1>Token</h1>
    <p role=${token ? "alert" : undefined}>${token ? "The server did not accept this token." : "This server wants a token."} It is the value of${" "}
      <code>api.token</code>, or one of <code>tokens.json</code>. This tab forgets it when you close it.</p>
    <form class="ask" onSubmit=${send}>
      <label>Token<input name="token" type="password" required autocomplete="off" /></label>
      <label>Tenant (for an admin token)<input name="tenant" defaultValue=${tenant} autocomplete="off" /></label>
      <button class="main">Use it</button></form>`;
}

render(html`<${App} />`, document.getElementById("app"));
