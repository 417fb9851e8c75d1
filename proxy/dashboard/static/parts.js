// The parts that all pages are made of.
import { html, useLayoutEffect, useRef, useState } from "./html.js";
import { cut, LONG, number, partsOf, SHORT } from "./text.js";

/** Foreign text: isolated in its direction, invisible characters marked, long text cut. */
export function Text({ children, limit = SHORT }) {
  const [most, show] = useState(limit);
  const { shown, left } = cut(String(children ?? ""), most);
  return html`<bdi class="text">${partsOf(shown).map((part) =>
    part.mark ? html`<span class="mark" title=${part.title}>${part.mark}</span>` : part.text)}</bdi>
    ${left > 0 && html`<button class="quiet" onClick=${() => show(most + LONG)}>
      … show ${left > LONG ? "more" : "all"} (${number(left)} more characters)</button>`}`;
}

export const Badge = ({ kind = "", children }) => html`<span class="badge ${kind}">${children}</span>`;

/** What is here if there is nothing: what it means, and what to do next. */
export const Empty = ({ title, children }) => html`<div class="empty">
  <p class="lead">${title}</p>${children}</div>`;

export function Failure({ error, again }) {
  if (!error) return null;
  const sort = error.status === 401 ? "The server wants a token." :
    error.status === 403 ? "This token may not do that." : error.status === 404 ? "It is not there." : "That did not work.";
  return html`<div class="failure" role="alert"><strong>${sort}</strong> <${Text}>${error.message}<//>
    ${again && html` <button onClick=${again}>Try again</button>`}</div>`;
}

/** The states of something loaded, then what `children(value)` makes of it. */
export function Loaded({ of, children }) {
  if (of.error) return html`<${Failure} error=${of.error} again=${of.again} />`;
  if (!of.value) return html`<p class="loading" role="status">Loading …</p>`;
  return children(of.value);
}

/** A command to copy. */
export function Command({ children }) {
  const [copied, tell] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(children);
    tell(true);
  };
  // The clipboard exists on loopback and with TLS only; elsewhere the text is selected by hand.
  return html`<div class="command"><pre tabindex="0" role="group" aria-label="command"><code>${children}</code></pre>
    ${navigator.clipboard && html`<button onClick=${copy}>
      <span aria-live="polite">${copied ? "Copied" : "Copy"}</span></button>`}</div>`;
}

/** One number; with `href` it leads to what it counts. */
export function Figure({ value, label, note, href, kind = "" }) {
  const shown = typeof value === "number" ? number(value) : value;
  return html`<div class=${`figure ${kind}`}><dt>${label}</dt>
    <dd>${href ? html`<a href=${href} aria-label=${`${label}: ${shown}`}>${shown}</a>` : shown}</dd>
    ${note && html`<dd class="note">${note}</dd>`}</div>`;
}

/** Takes the focus as soon as it is there, so that a keyboard and a screen reader go on from it. */
export function Focused({ children, ...props }) {
  const place = useRef();
  useLayoutEffect(() => place.current.focus(), []);
  return html`<div ref=${place} tabindex="-1" ...${props}>${children}</div>`;
}

/** One of a few views as links. `choices` are [value, label]. */
export const Choice = ({ label, choices, at, href }) => html`<nav class="choices" aria-label=${label}>
  ${choices.map(([value, name]) => html`<a key=${value} href=${href(value)}
    aria-current=${value === at ? "true" : undefined}>${name}</a>`)}</nav>`;

/** Forward and back of `useCursor`; nothing if there is one page only. */
export function Pager({ of }) {
  if (!of.next && !of.back) return null;
  return html`<nav class="pager" aria-label="pages of the list">
    <button disabled=${!of.back} onClick=${of.back}>Previous</button>
    <span aria-live="polite">Page ${of.page}</span>
    <button disabled=${!of.next} onClick=${of.next}>Next</button></nav>`;
}

/** A labelled field that tells its text when it is sent. `search` is what the key `/` goes to. */
export function Ask({ label, value = "", action, placeholder, search, onSend }) {
  const send = (event) => {
    event.preventDefault();
    onSend(new FormData(event.currentTarget).get("asked").trim());
  };
  return html`<form class="ask" onSubmit=${send} role=${search ? "search" : undefined}>
    <label>${label}<input name="asked" key=${value} defaultValue=${value} autocomplete="off"
      placeholder=${placeholder} data-search=${search} /></label>
    <button class="main">${action}</button></form>`;
}

/** Tabs that the arrow keys move between. `tabs` are [id, label]. */
export function Tabs({ tabs, at, label, go, children }) {
  const step = { ArrowRight: 1, ArrowLeft: -1 };
  const move = (event) => {
    const ids = tabs.map(([id]) => id);
    const by = step[event.key];
    const next = event.key === "Home" ? 0 : event.key === "End" ? ids.length - 1 :
      by && (ids.indexOf(at) + by + ids.length) % ids.length;
    if (next === undefined) return;
    event.preventDefault();
    go(ids[next]);
    event.currentTarget.children[next].focus();
  };
  return html`<div class="tabs" role="tablist" aria-label=${label} onKeyDown=${move}>
    ${tabs.map(([id, name]) => html`<button role="tab" id=${`tab-${id}`} aria-selected=${String(id === at)}
      aria-controls="panel" tabindex=${id === at ? 0 : -1} onClick=${() => go(id)}>${name}</button>`)}</div>
    <div role="tabpanel" id="panel" aria-labelledby=${`tab-${at}`} tabindex="0">${children}</div>`;
}
