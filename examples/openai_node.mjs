// Tell a fact, begin a new conversation, ask for it: the npm `openai` package, unchanged.
//
//   npm install openai
//   export OPENAI_BASE_URL=http://127.0.0.1:8787/v1 OPENAI_API_KEY=sk-...
//   node openai_node.mjs
import OpenAI from "openai";

const client = new OpenAI(); // reads OPENAI_BASE_URL and OPENAI_API_KEY
const model = process.env.MODEL ?? "gpt-4o-mini";

// A conversation of one message: nothing of the one before is sent.
async function conversation(text) {
  const sent = {
    model,
    user: "ada", // whose memory it is; without it: the user `default`
    messages: [{ role: "user", content: text }],
  };
  const { data, response } = await client.chat.completions.create(sent).withResponse();
  console.log(`> ${text}\n${data.choices[0].message.content}`);
  for (const [name, value] of response.headers) {
    if (name.startsWith("x-recollect-")) console.log(`  ${name}: ${value}`);
  }
}

await conversation("My budget for the Lisbon offsite is 4,000 euros.");
await conversation("What may the offsite cost?");
