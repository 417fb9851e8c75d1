// The one place that knows which library draws: `html` makes elements, text in them is always text.
import { h } from "./vendor/preact.mjs";
import htm from "./vendor/htm.mjs";

export const html = htm.bind(h);
export { render } from "./vendor/preact.mjs";
export { useCallback, useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from "./vendor/hooks.mjs";
