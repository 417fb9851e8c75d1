// Decides how foreign text is shown: in parts, nothing hidden, nothing longer than a reader wants.
const JOINED = "(?<=[\\p{L}\\p{M}\\p{Extended_Pictographic}])[\\u200c\\u200d\\ufe0f]";
const UNSEEN =
  "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5" +
  "\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff" +
  "\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e0fff}]";
// Joiners and emoji selectors after a letter or a picture belong to how a language is written.
const PIECES = new RegExp(`(${JOINED})|(${UNSEEN})\\2*`, "gu");

export const SHORT = 600;
export const LONG = 100000;

/** Text and marks in turn: `{ text }`, or `{ mark, title }` for characters that nobody would see. */
export function partsOf(text) {
  const parts = [];
  let begin = 0;
  for (const found of text.matchAll(PIECES)) {
    if (found[1]) continue;
    if (found.index > begin) parts.push({ text: text.slice(begin, found.index) });
    parts.push(markOf(found[2], found[0].length / found[2].length));
    begin = found.index + found[0].length;
  }
  if (begin < text.length) parts.push({ text: text.slice(begin) });
  return parts;
}

function markOf(character, count) {
  const code = character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
  const times = count > 1 ? ` ×${count}` : "";
  return { mark: `U+${code}${times}`, title: `an invisible character: U+${code}${times}` };
}

/** The beginning of a text that is too long to show, and how much is left out. */
export function cut(text, limit = SHORT) {
  if (text.length <= limit) return { shown: text, left: 0 };
  // Never between the two halves of one character.
  const end = /[\ud800-\udbff]/.test(text[limit - 1]) ? limit - 1 : limit;
  return { shown: text.slice(0, end), left: text.length - end };
}

/** The beginning of a text in one short line, without characters that nobody would see. */
export function beginning(text, limit) {
  const { shown, left } = cut(String(text ?? ""), limit);
  return partsOf(shown).map((part) => part.text ?? "").join("") + (left ? "…" : "");
}

export const number = (value) => (value ?? 0).toLocaleString("en");

/** A time as a reader says it, in his own zone; "" if there is none. */
export function when(iso) {
  const time = iso ? new Date(iso) : null;
  if (!time || Number.isNaN(time.valueOf())) return "";
  return time.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}

/** Its day alone. */
export function day(iso) {
  const time = iso ? new Date(iso) : null;
  if (!time || Number.isNaN(time.valueOf())) return "";
  return time.toLocaleDateString("en-GB", { dateStyle: "medium" });
}

/** "1 memory", "2 memories". */
export const counted = (count, one, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;

/** Seconds in the largest unit that fits. */
export function span(seconds) {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  return seconds < 172800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86400)} days`;
}
