// Where the reader is: `#/person?user=ada`. What follows `#` never reaches a server or its log.
import { useLayoutEffect, useState } from "./html.js";

const read = () => {
  const [, path, query] = location.hash.match(/^#?\/?([^?]*)\??(.*)$/s);
  return { page: path || "overview", params: Object.fromEntries(new URLSearchParams(query)) };
};

export const to = (page, params = {}) => {
  const given = Object.entries(params).filter(([, value]) => value);
  return `#/${page}${given.length ? `?${new URLSearchParams(given)}` : ""}`;
};

export const go = (page, params) => { location.hash = to(page, params); };

export function useRoute() {
  const [route, set] = useState(read);
  useLayoutEffect(() => {
    const moved = () => set(read());
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, []);
  return route;
}
