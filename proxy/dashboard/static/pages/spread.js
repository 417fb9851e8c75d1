// Where each topic is in the picture: the largest in the middle, what is connected beside each other. Pure.
const TURN = Math.PI * (3 - Math.sqrt(5));
const EDGE = 26;
const SMALLEST = 4;
const GROWTH = 3;

/** Topics in the order in which they are placed: after the largest, whatever is connected most to those before it. */
export function ordered(topics, edges) {
  const pull = new Map(topics.map((topic) => [topic.id, 0]));
  const near = new Map(topics.map((topic) => [topic.id, []]));
  for (const edge of edges) {
    near.get(edge.source)?.push([edge.target, edge.weight]);
    near.get(edge.target)?.push([edge.source, edge.weight]);
  }
  const left = [...topics];
  const placed = [];
  while (left.length) {
    let best = 0;
    for (let at = 1; at < left.length; at += 1) if (pull.get(left[at].id) > pull.get(left[best].id)) best = at;
    const [next] = left.splice(best, 1);
    placed.push(next);
    for (const [id, weight] of near.get(next.id)) if (pull.has(id)) pull.set(id, pull.get(id) + weight);
  }
  return placed;
}

/** The topics with `left`, `top` and `radius`, on a spiral as the seeds of a sunflower: evenly, and the same each time. */
export function spread(topics, edges, width, height) {
  const count = topics.length;
  return ordered(topics, edges).map((topic, at) => {
    const out = Math.sqrt(at / Math.max(1, count - 1));
    const across = Math.cos(at * TURN) * out;
    const down = Math.sin(at * TURN) * out;
    return {
      ...topic,
      left: width / 2 + across * (width / 2 - EDGE),
      top: height / 2 + down * (height / 2 - EDGE),
      radius: SMALLEST + GROWTH * Math.sqrt(topic.size),
    };
  });
}

/** The edges as lines between placed topics; those with an end that is not drawn are left out. */
export function lines(placed, edges) {
  const where = new Map(placed.map((topic) => [topic.id, topic]));
  return edges.map((edge) => ({ ...edge, from: where.get(edge.source), to: where.get(edge.target) })).filter((edge) => edge.from && edge.to);
}
