// A constant rate of arrivals, whatever the server does: stalls are seen, not waited for.
import http from 'k6/http';
import exec from 'k6/execution';
import { Counter } from 'k6/metrics';
import { SharedArray } from 'k6/data';

const bodies = new SharedArray('bodies', () => JSON.parse(open(__ENV.BODIES)));
const headers = JSON.parse(__ENV.HEADERS);
const injected = new Counter('injected');
// Why answers came without memories: the values of x-recollect-reason that say it is too much.
const reasons = {};
for (const name of ['busy', 'circuit_open', 'deadline']) reasons[name] = new Counter(name);

export const options = {
  discardResponseBodies: true,
  summaryTrendStats: ['med', 'p(95)', 'p(99)', 'max'],
  scenarios: {
    open: {
      executor: 'constant-arrival-rate',
      rate: Number(__ENV.RATE),
      timeUnit: '1s',
      duration: `${__ENV.SECONDS}s`,
      preAllocatedVUs: Number(__ENV.RATE),
      maxVUs: 1000,
      gracefulStop: '10s',
    },
  },
};

export default function () {
  const body = bodies[exec.scenario.iterationInTest % bodies.length];
  const answer = http.post(__ENV.URL, body, { headers, timeout: '10s' });
  if (answer.headers['X-Recollect-Memory'] === 'injected') injected.add(1);
  const reason = reasons[answer.headers['X-Recollect-Reason']];
  if (reason) reason.add(1);
}

export function handleSummary(data) {
  const value = (name, key) => (data.metrics[name] ? data.metrics[name].values[key] : 0);
  const calls = value('http_reqs', 'count');
  const seen = {
    p50: value('http_req_duration', 'med'),
    p95: value('http_req_duration', 'p(95)'),
    p99: value('http_req_duration', 'p(99)'),
    max: value('http_req_duration', 'max'),
    calls,
    failed: Math.round(value('http_req_failed', 'rate') * calls),
    dropped: value('dropped_iterations', 'count'),
    injected: value('injected', 'count'),
    busy: value('busy', 'count'),
    circuit_open: value('circuit_open', 'count'),
    deadline: value('deadline', 'count'),
  };
  return { [__ENV.SUMMARY]: JSON.stringify(seen) };
}
