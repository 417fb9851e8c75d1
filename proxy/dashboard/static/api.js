// Calls of the memory API. The token stays in this tab (sessionStorage) and goes to this server only.
const TOKEN = "recollect.token";
const TENANT = "recollect.tenant";
const refusals = new Set();

export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

export const credentials = () => ({
  token: sessionStorage.getItem(TOKEN) ?? "",
  tenant: sessionStorage.getItem(TENANT) ?? "",
});

export function keepCredentials({ token, tenant }) {
  for (const [key, value] of [[TOKEN, token], [TENANT, tenant]]) {
    if (value) sessionStorage.setItem(key, value);
    else sessionStorage.removeItem(key);
  }
}

/** `heard` is called when the server wants another credential; returns what ends that. */
export function onRefusal(heard) {
  refusals.add(heard);
  return () => refusals.delete(heard);
}

const headers = (body) => {
  const { token, tenant } = credentials();
  return {
    ...(token && { Authorization: `Bearer ${token}` }),
    ...(tenant && { "X-Recollect-Tenant": tenant }),
    ...(body && { "Content-Type": "application/json" }),
  };
};

const address = (path, query = {}) => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const text = new URLSearchParams(given).toString();
  return text ? `${path}?${text}` : path;
};

async function detailOf(response) {
  try {
    return (await response.json()).detail ?? response.statusText;
  } catch {
    return `the server answered ${response.status}`;
  }
}

/** The response of a call that succeeded. Throws ApiError; `status` is 0 if no server answers. */
export async function open(method, path, { query, body, file, signal, more } = {}) {
  let response;
  try {
    response = await fetch(address(path, query), {
      method, signal, headers: { ...headers(body), ...more }, body: file ?? (body && JSON.stringify(body)), cache: "no-store",
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, "The server does not answer. Is it running?");
  }
  if (response.ok) return response;
  const error = new ApiError(response.status, await detailOf(response));
  if (response.status === 401) refusals.forEach((heard) => heard(error));
  throw error;
}

const json = async (...call) => (await open(...call)).json();
const MEMORIES = "/v1/memories";
export const get = (path, query, signal) => json("GET", MEMORIES + path, { query, signal });
/** `more` are further headers. */
export const post = (path, body, more) => json("POST", MEMORIES + path, { body, more });
/** Sends a file as it is. */
export const upload = (path, query, file, signal) => json("POST", MEMORIES + path, { query, file, signal });
export const put = (path, body, more) => json("PUT", MEMORIES + path, { body, more });
export const health = (signal) => json("GET", "/readyz", { signal });
export const entities = (query, signal) => json("GET", "/v1/entities", { query, signal });
export const segment = encodeURIComponent;
