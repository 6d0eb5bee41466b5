// Measures how deep JSON is nested before it is parsed: checking and printing a deep value costs far more
// than its size.
import { JSON_DEPTH_MAX } from "../limits.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSE: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** Whether the UTF-8 bytes of a JSON text open more arrays and objects inside each other than `max`. */
export function isNestedDeeper(bytes: Uint8Array, max = JSON_DEPTH_MAX): boolean {
  let depth = 0;
  let inText = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (inText) {
      if (byte === BACKSLASH) i += 1;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (OPEN.has(byte)) {
      depth += 1;
      if (depth > max) return true;
    } else if (CLOSE.has(byte)) depth -= 1;
  }
  return false;
}
