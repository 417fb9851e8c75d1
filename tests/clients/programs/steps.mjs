// What the node programs share: the texts they say, and a line of JSON for each step.
export const story = JSON.parse(process.env.STORY);
export const weather = (place) => `Sunny at ${place}`;

// Does the steps that the arguments name; each is a function that returns the answer's text.
export async function run(steps) {
  console.log("STEP", JSON.stringify({ steps: Object.keys(steps) }));
  for (const step of process.argv.slice(2)) {
    let seen;
    try {
      seen = { answer: await steps[step](story.texts[step]) };
    } catch (error) {
      seen = { error: String(error?.stack ?? error) };
    }
    console.log("STEP", JSON.stringify({ step, ...seen }));
  }
}
