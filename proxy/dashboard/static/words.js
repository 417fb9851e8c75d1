// The words of the API in sentences: what became of a memory, and why a chat was given what it was.
const FATES = {
  answer: "answers the message",
  constraint: "holds always, such as an allergy",
  wish: "how this user wants to be answered",
  profile: "says who the user is",
  fill: "near what answers, or newer",
  threshold: "too little speaks for it",
  contradicted: "the user said otherwise later",
  remembered: "a memory of the same turn is there",
  duplicate: "a better memory says the same",
  visible: "the conversation itself says it",
  private: "private, and not asked for",
  skipped: "a chat does not search",
  cut: "too far behind the best",
  limit: "there were enough",
  budget: "no tokens were left for it",
};

/** What became of a ranked memory: its role if it was chosen, else what kept it out. */
export const fate = (row) => {
  const word = row.chosen ? row.role || "answer" : row.reason;
  return FATES[word] ?? word;
};
