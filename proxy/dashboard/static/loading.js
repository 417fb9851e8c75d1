// What a page loads and does, with its errors: a page shows them where they belong.
import { useCallback, useEffect, useReducer, useState } from "./html.js";

/** `{ value, error, loading, again }` of `load(signal)`, which runs again if `deps` change. */
export function useLoaded(load, deps) {
  const [state, set] = useState({ loading: true });
  const [turn, again] = useReducer((count) => count + 1, 0);
  useEffect(() => {
    const stop = new AbortController();
    set((old) => ({ ...old, loading: true, error: undefined }));
    load(stop.signal).then(
      (value) => stop.signal.aborted || set({ value }),
      (error) => stop.signal.aborted || set({ error }),
    );
    return () => stop.abort();
  }, [...deps, turn]);
  return { ...state, again };
}

/** `{ run, busy, error }` of something that a button does, never twice at once. */
export function useAction(act) {
  const [state, set] = useState({});
  const run = useCallback(async (...given) => {
    set({ busy: true });
    try {
      await act(...given);
      set({});
    } catch (error) {
      set({ error });
    }
  }, [act]);
  return { run, ...state };
}

/** Pages by cursor: `{ page, first, next, back, ... }` of `load(cursor, signal)`. */
export function useCursor(load, deps) {
  const key = JSON.stringify(deps);
  const [at, go] = useState({ key, trail: [] });
  const trail = at.key === key ? at.trail : [];
  const cursor = trail.at(-1);
  const loaded = useLoaded((signal) => load(cursor, signal), [key, cursor]);
  const back = trail.length ? () => go({ key, trail: trail.slice(0, -1) }) : undefined;
  // A later page of which nothing is left says nothing of the pages before it.
  useEffect(() => { if (loaded.value?.results.length === 0) back?.(); }, [loaded.value]);
  return {
    ...loaded,
    page: trail.length + 1,
    next: loaded.value?.next && (() => go({ key, trail: [...trail, loaded.value.next] })),
    back,
  };
}
