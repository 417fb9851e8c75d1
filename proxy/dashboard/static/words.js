// The words of the API in sentences: what became of a memory, and why a chat was given what it was.
const FATES = {
  answer: "answers the message",
  earlier: "was true before what answers",
  constraint: "holds always, such as an allergy",
  wish: "how this user wants to be answered",
  profile: "says who the user is",
  later: "may say something newer",
  threshold: "too little speaks for it",
  contradicted: "the user said otherwise later",
  remembered: "a memory of the same turn is there",
  duplicate: "a better memory says the same",
  visible: "the conversation itself says it",
  private: "private, and not asked for",
  withheld: "a policy keeps it from this model",
  not_now: "somebody did not want it for such a question",
  unsafe: "an instruction that nobody validated",
  skipped: "a chat does not search",
  limit: "there were enough",
  budget: "no tokens were left for it",
};

const REASONS = {
  personal: "it is about the user",
  default: "it may depend on the user",
  greeting: "a greeting needs no search",
  fact: "general knowledge needs no search",
  tool: "a task for a tool needs no search",
  empty: "it has no text",
  continuation: "it goes on with a turn that has tools",
  no_memories: "the user has no memories",
  blocks: "only working blocks were given",
  below_threshold: "nothing is relevant enough",
  withheld: "a policy keeps what is relevant from this model",
  in_conversation: "the conversation itself says it",
  replayed: "earlier turns have it already",
  side_request: "a client asks for a title, tags or a summary",
  large_body: "the request is too large to read",
  encoded_body: "the request is compressed",
  unreadable_body: "the request cannot be read",
  forget_proposed: "the user asked to forget something, and is asked to confirm",
  forgotten: "the user confirmed, and it was forgotten",
  forget_begun: "the user confirmed, and forgetting has begun",
  forget_unmatched: "nothing fits what the user asked to forget",
  forget_unclear: "what is to stay of what the user asked to forget is not known",
  forget_unconfirmed: "the user did not confirm to forget",
  forget_expired: "the user confirmed too late",
  forget_failed: "forgetting failed",
  deadline: "recall took too long",
  busy: "too many recalls at once",
  circuit_open: "recall failed too often in a row",
  store_unavailable: "the store does not answer",
  state_unavailable: "the state database does not answer",
  embedding_failed: "the embedder failed",
  store_mismatch: "the store is of another embedder",
  invalid_input: "the request has a field that is wrong",
  internal_error: "a defect; the log has it",
  refused_by_upstream: "the model server refused the added text",
  no_place: "there is no place for memories in the request",
  no_user: "the request names no user",
  no_credential: "the request has no credential",
  untrusted_caller: "the caller is not on this machine",
  foreign_host: "the request came for another host name",
  foreign_origin: "a foreign web page asked",
  bad_memory_header: "a header has a value that means nothing",
  unknown_header: "a header that does not exist",
  bad_identity: "the user's name cannot be read",
  foreign_user: "the request names another user",
  no_right: "the credential lacks the right",
  off_by_header: "the request switched memory off",
  off_by_switch: "recall is switched off",
  off_by_configuration: "the configuration switched memory off",
  route: "this API passes unread",
};

const OUTCOMES = {
  injected: "given memories",
  empty: "nothing to give",
  skipped: "needs no memory",
  degraded: "went on without memory",
  off: "memory was off",
};

const TYPES = { semantic: "fact", episodic: "episode", procedural: "procedure", reflective: "conclusion" };

export const STATUSES = {
  active: "in use", quarantined: "waits for your word", superseded: "was true before", archived: "put away",
};

const SOURCES = {
  user: "as the user said it",
  said: "the user said it, not learned yet",
  extraction: "learned from what the user said",
  assistant: "only the assistant said it",
  tool: "only a tool said it",
  imported: "imported",
  reflection: "concluded from other memories",
  shared: "written by another user",
};

const NEXT = {
  never_stored: "If it was said in a chat, it may still wait to be learned, or no model found a fact in it.",
  withheld: "Open it, and keep it if it is true: then it is recalled.",
  below_evidence: "Ask with more of its words, or edit it so that it says what it is about.",
  cut: "Others fit the message better. A message that is about this alone brings it up.",
  superseded: "Open it and restore it, if it is still true.",
  archived: "Open it and restore it.",
  not_now: "Open it and give it again.",
  used: "The model was given it. If the answer ignores it, look at the text that is added.",
};

/** The kinds of upkeep, by what they do. */
export const UPKEEP = {
  consolidate: "consolidation", episode: "episodes", reflect: "reflection", judge: "judgement",
};

const CHANGES = {
  ADD: "added", UPDATE: "reworded", DELETE: "ended", ARCHIVE: "put away", QUARANTINE: "waits for your word", RESTORE: "brought back",
};

export const spaced = (word) => String(word ?? "").replaceAll("_", " ");

/** What became of a ranked memory: its role if it was chosen, else what kept it out. */
export const fate = (row) => {
  const word = row.chosen ? row.role || "answer" : row.reason;
  return FATES[word] ?? spaced(word);
};

/** Why a line was recalled: a role of the API, or a text that is one already. */
export const role = (word) => FATES[word] ?? spaced(word);
export const reason = (word) => REASONS[word] ?? spaced(word);

const UNSEARCHED = new Set(["greeting", "fact", "tool"]);

/** Why a chat was given something or nothing. */
export const because = ({ outcome: of, reason: why }) =>
  of === "injected" && UNSEARCHED.has(why) ? `${reason(why)}; what holds always is given all the same` : reason(why);
export const outcome = (word) => OUTCOMES[word] ?? spaced(word);
export const next = (word) => NEXT[word];
export const type = (word) => TYPES[word] ?? spaced(word);
export const source = (word) => SOURCES[word] ?? spaced(word);
export const upkeep = (word) => UPKEEP[word] ?? spaced(word);
/** What a run did to a memory. */
export const change = (event) => CHANGES[event] ?? spaced(event).toLowerCase();

const WAYS = {
  co_recalled: (weight) => `recalled together for ${weight} ${weight === 1 ? "message" : "messages"}`,
  derived_from: (weight, onward) => onward ? `stands on ${weight} of it` : `stood on by it, ${weight}`,
};

/** How a topic is connected with the other end of an edge. */
export const edge = ({ kind, weight, source: begins }, topic) => WAYS[kind]?.(weight, begins === topic.id) ?? spaced(kind);

/** Why a memory ended: the stage, which a person needs not read, and the reason. */
export const end = (told) => String(told).startsWith("person: ") ? `you said: ${told.slice("person: ".length)}` : told;
/** Whether it is an earlier version that had the same text: only how it was filed changed. */
export const refiled = ({ provenance: of }) => Boolean(of?.superseded_by && of.ended?.endsWith("person: its text stayed"));
