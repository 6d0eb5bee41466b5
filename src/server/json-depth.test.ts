import { expect, test } from "bun:test";
import { isNestedDeeper } from "./http.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

test.each([
  [nested(64), false],
  [nested(65), true],
  [`${'{"a":['.repeat(32)}${"]}".repeat(32)}`, false],
  [`${'{"a":['.repeat(33)}${"]}".repeat(33)}`, true],
  // Never closed: it is refused before the parser meets it.
  ["[".repeat(500_000), true],
  // Side by side is not deep, and neither are brackets inside a text.
  [`[${"[],".repeat(1_000)}[]]`, false],
  [JSON.stringify({ text: '["\\'.repeat(1_000) }), false],
  [`["\\"${"[".repeat(100)}"]`, false],
  [`["\\\\",${nested(64)}]`, true],
])("%#: more than 64 levels are seen, wherever they are", (text, deeper) => {
  expect(isNestedDeeper(bytes(text))).toBe(deeper);
});
