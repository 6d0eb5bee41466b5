// Limits in seconds that a test sets itself: on a busy machine they fail where nothing is wrong.
import { parseSync } from "oxc-parser";
import { lineOf, type SourceText } from "./source-text.ts";

type Node = { readonly type: string; readonly start: number; readonly end: number } & Record<string, unknown>;
interface Found {
  readonly line: number;
  readonly what: string;
}

/** Twenty minutes: the guard against a test that never ends, the same for all. `endure` runs longer ones. */
const GUARD_MS_MIN = 1_200_000;

const RUNS = /^(test|it|describe)(\.(each|skipIf|if|skip|concurrent|serial)\b|$)|^(before|after)(All|Each)$/;
const FUNCTIONS = ["FunctionExpression", "ArrowFunctionExpression"];

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

const childrenOf = (node: Node): Node[] =>
  Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );

/** Arguments after the function of a test or hook, and of setDefaultTimeout: its limit. */
function limitsIn(node: Node, text: string): Node[] {
  const inside = childrenOf(node).flatMap((child) => limitsIn(child, text));
  if (node.type !== "CallExpression") return inside;
  const callee = node.callee as Node;
  const given = node.arguments as Node[];
  const name = text.slice(callee.start, callee.end);
  const work = given.findIndex(({ type }) => FUNCTIONS.includes(type));
  const limits =
    name === "setDefaultTimeout" ? given : RUNS.test(name) && work >= 0 ? given.slice(work + 1) : [];
  return [...limits, ...inside];
}

const isGuard = (limit: Node) => limit.type === "Literal" && Number(limit.value) >= GUARD_MS_MIN;

/**
 * Elapsed time held against a bound, signals that abort after a while, so many looks a pause apart, and
 * timers that end what is tested. A timer may kill at a drawn moment: nothing is held against that.
 */
const ELAPSED = [
  /\bexpect\([^;]*?(performance\.now\(\)|\b(elapsed|took|waited)\w*)[^;]*?\)\s*\.(not\.)?toBeLessThan\w*/g,
  /\bAbortSignal\.timeout\b/g,
  /\bsetTimeout\(\s*\(\) => (void )?[\w.?]*\b(kill|abort|reject|terminate)\([^)]*\), (?!drawn\()/g,
  /\bfor \([^\n;]*; [^\n;]+;[^\n]*\) (\{\s*if \([^}]*)?await Bun\.sleep\((?!0\))/g,
];

/** Playwright's own limits of a wait; 0 is none. */
const BROWSER_WAITS = /\btimeout: (?!0\b)\w+/g;

/** Returns the limits in seconds of a test file, other than the guard. */
export function wallClockLimits(path: string, { code, text }: SourceText): Found[] {
  const patterns = path.startsWith("test/browser/") ? [...ELAPSED, BROWSER_WAITS] : ELAPSED;
  const elapsed = patterns.flatMap((pattern) =>
    [...code.matchAll(pattern)].map((m) => ({ line: lineOf(code, m.index), what: m[0] })),
  );
  if (!/\},\s*[\w. +*]+,?\s*\)|setDefaultTimeout/.test(text)) return elapsed;
  const { program } = parseSync(path, text);
  const limits = limitsIn(program as unknown as Node, text).filter((limit) => !isGuard(limit));
  return [
    ...elapsed,
    ...limits.map(({ start, end }) => ({ line: lineOf(text, start), what: text.slice(start, end) })),
  ];
}
