// A chat through the proxy as any client has it, and what memory did for its answer.
import { get } from "./api.js";
import { eachData } from "./events.js";

const PATH = "/v1/chat/completions";
const HEADER_SAFE = /^[\x21-\x7e]+$/;
const CHATS = 20;
const LOOKS = 12;
const REST_MS = 200;

/** Calls `heard(piece)` for each piece of the model's answer; returns what memory says of it. Throws Error. */
export async function ask({ user, session, model, key, learns, messages }, heard) {
  const safe = HEADER_SAFE.test(user);
  const headers = {
    "Content-Type": "application/json", "x-recollect-session": session, "x-recollect-debug": "explain",
    "x-recollect-memory": learns ? "on" : "read",
    ...(safe && { "x-recollect-user": user }), ...(key && { Authorization: `Bearer ${key}` }),
  };
  const body = JSON.stringify({ model, messages, stream: true, ...(!safe && { user }) });
  const response = await fetch(PATH, { method: "POST", headers, body, cache: "no-store" });
  if (!response.ok) throw new Error(await refusal(response));
  if (response.headers.get("content-type")?.startsWith("text/event-stream")) await eachData(response, (data) => heard(piece(data)));
  else heard((await response.json()).choices?.[0]?.message?.content ?? "");
  return told(response.headers);
}

async function refusal(response) {
  const said = await response.json().catch(() => ({}));
  return said.error?.message ?? said.detail ?? `the server answered ${response.status}`;
}

function piece(data) {
  if (data === "[DONE]") return "";
  const { choices, error } = JSON.parse(data);
  if (error) throw new Error(error.message ?? "the answer broke off");
  return choices?.[0]?.delta?.content ?? "";
}

function told(headers) {
  const explained = headers.get("x-recollect-explain");
  return {
    outcome: headers.get("x-recollect-memory"), reason: headers.get("x-recollect-reason"),
    count: Number(headers.get("x-recollect-count")), conversation: explained && JSON.parse(explained).conversation,
  };
}

/** The chat that has just ended so, with the memories that it was given; none if the server does not tell. */
export async function ended(user, { conversation, outcome, count }, seen) {
  for (let look = 0; conversation && look < LOOKS; look += 1) {
    const { exchanges } = await get("/recent", { user_id: user, limit: CHATS });
    const found = exchanges.find((each) => each.conversation === conversation && !seen.has(each.id));
    if (found?.outcome === outcome && found.count === count) return found;
    await new Promise((wake) => setTimeout(wake, REST_MS));
  }
  return undefined;
}
