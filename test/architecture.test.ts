// The one-way rule and the style of the source, held file by file; a failure says what to do instead.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { retiredWordsIn } from "./support/retired-words.ts";
import { ROOMS, upwardImports } from "./support/rooms.ts";
import { importsOf, sourceText } from "./support/source-text.ts";
import { breachesOf, importCycles, type SourceFile, STYLE_RULES } from "./support/style-rules.ts";

setDefaultTimeout(1_200_000);

const ROOT = join(import.meta.dir, "..");
const paths = ["src", "sample", "scripts", "test"].flatMap((folder) =>
  [...new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scanSync({ cwd: ROOT })].map((path) =>
    path.replaceAll("\\", "/"),
  ),
);
const files: SourceFile[] = await Promise.all(
  paths.sort().map(async (path) => ({ path, ...sourceText(await Bun.file(join(ROOT, path)).text()) })),
);

const ruleNamed = (name: string) => {
  const rule = STYLE_RULES.find((r) => r.name === name);
  if (!rule) throw new Error(`there is no rule "${name}"`);
  return rule;
};
const made = (path: string, text: string): SourceFile => ({ path, ...sourceText(text) });

test("there are sources to look at", () => {
  expect(files.map((f) => f.path)).toContain("src/app.ts");
  expect(files.length).toBeGreaterThan(100);
});

for (const rule of STYLE_RULES)
  test(rule.name, () => {
    const found = breachesOf(rule, files).map((b) => `${b.path}${b.line ? `:${b.line}` : ""}: ${b.what}`);
    if (found.length > 0) throw new Error(`${found.join("\n")}\n→ ${rule.instead}`);
  });

test("no file imports itself through others, types included", () => {
  expect(importCycles(files).map((cycle) => cycle.join(" → "))).toEqual([]);
});

for (const [folder, order] of Object.entries(ROOMS))
  test(`the rooms of ${folder} import in the order ${order.join(", ")}`, () => {
    expect(upwardImports(folder, order, files)).toEqual([]);
  });

test("retired words stay out of the documentation", async () => {
  const pages = ["*.md", "src/README.md", "docs/*.md"].flatMap((of) => [
    ...new Bun.Glob(of).scanSync({ cwd: ROOT }),
  ]);
  const found = await Promise.all(
    pages.map(async (path) =>
      retiredWordsIn(path, await Bun.file(join(ROOT, path)).text()).map(
        ({ line, word, instead }) => `${path}:${line}: "${word}": write ${instead}`,
      ),
    ),
  );
  expect(found.flat()).toEqual([]);
});

describe("the rules themselves", () => {
  test("a circle of imports is found, and a mere diamond is none", () => {
    const circle = [
      made("src/market/a.ts", 'import type { B } from "./b.ts";'),
      made("src/market/b.ts", 'import { c } from "./c.ts";'),
      made("src/market/c.ts", 'import type { A } from "./a.ts";'),
    ];
    expect(importCycles(circle)).toEqual([["src/market/a.ts", "src/market/b.ts", "src/market/c.ts"]]);
    const diamond = [
      made("src/market/a.ts", 'import { b } from "./b.ts";\nimport { c } from "./c.ts";'),
      made("src/market/b.ts", 'import { d } from "./d.ts";'),
      made("src/market/c.ts", 'import { d } from "./d.ts";'),
      made("src/market/d.ts", ""),
    ];
    expect(importCycles(diamond)).toEqual([]);
  });

  test("an import of a later room is found, through a file beside the rooms too", () => {
    const house = [
      made("src/platform/lake/parts.ts", 'import { x } from "./read/x.ts";'),
      made("src/platform/lake/read/x.ts", 'import { y } from "../write/y.ts";'),
      made("src/platform/lake/write/y.ts", 'import { p } from "../parts.ts";'),
      made("src/platform/lake/write/z.ts", 'import { y } from "./y.ts";'),
    ];
    expect(upwardImports("src/platform/lake", ["write", "read"], house)).toEqual([
      "src/platform/lake/write/y.ts → src/platform/lake/parts.ts → src/platform/lake/read/x.ts",
    ]);
  });

  const broken: readonly (readonly [rule: string, path: string, text: string])[] = [
    ["imports go one way", "src/market/a.ts", 'import { x } from "../providers/yahoo/index.ts";'],
    ["imports go one way", "src/platform/a.ts", 'import type { X } from "../market/date.ts";'],
    ["imports go one way", "src/capabilities/price/a.ts", 'export { x } from "../health/index.ts";'],
    ["imports go one way", "src/capabilities/price/a.ts", 'import { x } from "../../server/edge.ts";'],
    ["imports go one way", "src/providers/yahoo/a.ts", 'import { x } from "../edgar/index.ts";'],
    ["imports go one way", "src/providers/yahoo/a.ts", 'import { x } from "../../datasets/index.ts";'],
    ["imports go one way", "src/datasets/a.ts", 'const x = await import("../providers/yahoo/index.ts");'],
    ["imports go one way", "src/server/a.ts", 'import { x } from "../app.ts";'],
    ["imports go one way", "src/server/a.ts", 'import { x } from "../../sample/serve.ts";'],
    ["imports go one way", "sample/a.ts", 'import {\n  x,\n} from "../src/providers/yahoo/index.ts";'],
    ["imports go one way", "src/limits.ts", 'import { x } from "./platform/clock.ts";'],
    ["no function is too long", "src/server/a.ts", `function f() {\n${"  g();\n".repeat(60)}}`],
    [
      "no function is too long",
      "src/server/a.ts",
      `const f = () => {\n${"  g();\n".repeat(119)}  return { a: () => 1 };\n};`,
    ],
    ["no object literal is spread", "src/server/a.ts", "// One.\nconst a = { ...{ b, c }, d };"],
    ["a hint is a sentence", "src/server/a.ts", 'const facts = { hint: "set the key" };'],
    ["retired words stay out", "src/server/a.ts", "// Whoever asks.\n"],
    ["retired words stay out", "src/server/a.ts", 'const hint = "Read anew.";'],
    [
      "a provider is imported through its index.ts",
      "src/capabilities/price/a.ts",
      'import { x } from "../../providers/yahoo/wire.ts";',
    ],
    [
      "a provider is imported through its index.ts",
      "test/conformance/a.test.ts",
      'import { x } from "../../src/providers/edgar/parse/header.ts";',
    ],
    [
      "src imports nothing outside src but package.json",
      "src/server/a.ts",
      'import { x } from "../../test/support/clock.ts";',
    ],
    ["only the server knows Elysia", "src/market/a.ts", 'import { t } from "elysia";'],
    [
      "only the server knows Elysia",
      "src/capabilities/price/daily.ts",
      'import { x } from "@elysiajs/cron";',
    ],
    [
      "only platform/upstream/upstream.ts asks the outside world",
      "src/market/a.ts",
      "const a = await fetch (url);",
    ],
    [
      "only platform/upstream/upstream.ts asks the outside world",
      "src/market/a.ts",
      "const a = b ? fetch(u) : c;",
    ],
    [
      "only platform/upstream/upstream.ts asks the outside world",
      "src/market/a.ts",
      'import http from "node:http";',
    ],
    [
      "only platform/upstream/upstream.ts asks the outside world",
      "src/market/a.ts",
      'import { connect } from "node:net";',
    ],
    ["only platform/upstream/upstream.ts asks the outside world", "src/market/a.ts", "new WebSocket(url);"],
    ["only platform/clock.ts reads the time", "src/market/a.ts", "const a = `${" + "Date.now()}`;"],
    ["only platform/clock.ts sets timers", "src/market/a.ts", "setTimeout(() => {}, 5);"],
    ["only platform/clock.ts sets timers", "src/process.ts", "const t = setInterval(f, 5);"],
    ["only platform/clock.ts sets timers", "src/server/a.ts", "await Bun.sleep(5);"],
    ["only platform/clock.ts sets timers", "src/server/a.ts", "const s = AbortSignal.timeout(5);"],
    ["only platform/clock.ts sets timers", "src/server/a.ts", "const t = performance.now();"],
    ["only platform/clock.ts reads the time", "src/market/a.ts", "const a = new Date( );"],
    ["only platform/clock.ts reads the time", "src/market/a.ts", "const a = Temporal.Now.instant();"],
    ["only config.ts reads the environment", "src/server/a.ts", "const a = process.env.HOST;"],
    ["only config.ts reads the environment", "src/server/a.ts", "const a = Bun.env.HOST;"],
    ["only sqlite.ts, duckdb.ts and their neighbours open databases", "src/server/a.ts", "new Database(p);"],
    [
      "only sqlite.ts, duckdb.ts and their neighbours open databases",
      "src/datasets/a.ts",
      "drizzle(client);",
    ],
    ["no file is too long", "src/server/a.ts", "// Long.\n".repeat(401)],
    ["file names say what is inside", "src/server/http-utils.ts", ""],
    ["file names say what is inside", "src/server/base.ts", ""],
    ["file names say what is inside", "src/server/requestLog.ts", ""],
    [
      "every file begins with a comment that says what it is for",
      "src/server/a.ts",
      'import { x } from "y";',
    ],
    ["no comment line is too long", "src/server/a.ts", `// One.\n// ${"x".repeat(108)}`],
    ["no comment line is too long", "src/server/a.test.ts", `/**\n * Two.\n * ${"x".repeat(108)}\n */`],
    ["comments are in plain English order", "src/server/a.ts", "// What it says.\n"],
    ["comments are in plain English order", "src/server/a.ts", "// One.\n\n/** The same of text. */\n"],
    ["comments are in plain English order", "sample/a.ts", "/**\n * those of a day.\n */\n"],
    ["comments are in plain English order", "scripts/a.ts", "// One.\nf(); // of which two\n"],
    ["comments are in plain English order", "src/server/a.test.ts", "// A list that has\n// them not.\n"],
    ["no `any`", "src/server/a.ts", "const a: any = 1;"],
    ["no `any`", "src/server/a.ts", "const a = b as any;"],
    ["no `any`", "src/server/a.ts", "const a: Map<string, any[]> = b;"],
    ["no compiler errors are silenced", "src/server/a.ts", "// @ts-ignore\nconst a = 1;"],
    ["no compiler errors are silenced", "src/server/a.ts", "/* @ts-expect-error why */ const a = 1;"],
    ["a test draws from the seed", "src/server/a.test.ts", "const n = Math.random();"],
    ["no test has a limit in seconds of its own", "src/a.test.ts", 'test("x", () => {}, 90_000);'],
    ["no test has a limit in seconds of its own", "src/a.test.ts", 'test.each([1])("x", () => {}, N * 9);'],
    ["no test has a limit in seconds of its own", "src/a.test.ts", "beforeAll(async () => {}, LIMIT_MS);"],
    ["no test has a limit in seconds of its own", "src/a.test.ts", "setDefaultTimeout(300_000);"],
    [
      "no test has a limit in seconds of its own",
      "src/a.test.ts",
      "expect(performance.now() - began).toBeLessThan(2_000);",
    ],
    ["no test has a limit in seconds of its own", "src/a.test.ts", "get(AbortSignal.timeout(100));"],
    [
      "no test has a limit in seconds of its own",
      "src/a.test.ts",
      "setTimeout(() => child.kill(9), 10_000);",
    ],
    [
      "no test has a limit in seconds of its own",
      "test/browser/a.tests.ts",
      "row.waitFor({ timeout: 60_000 });",
    ],
    [
      "no test has a limit in seconds of its own",
      "src/a.test.ts",
      "for (let i = 0; i < 500 && !isSo(); i++) await Bun.sleep(10);",
    ],
    ["no test is left out without a reason", "src/server/a.test.ts", 'test.only("x", f);'],
    ["no test is left out without a reason", "src/server/a.test.ts", 'test.skip("x", f);'],
  ];
  for (const [rule, path, text] of broken)
    test(`"${rule}" trips on ${JSON.stringify(text.slice(0, 60))} in ${path}`, () => {
      expect(breachesOf(ruleNamed(rule), [made(path, text)])).toHaveLength(1);
    });

  const sound: readonly (readonly [path: string, text: string])[] = [
    [
      "src/market/a.ts",
      "// any fetch(url), Date.now() and process.env; @ts-ignore is forbidden: import x from '../app.ts'",
    ],
    ["src/a.test.ts", '// One.\nsetDefaultTimeout(1_200_000);\ntest("x", () => {}, 3_600_000);'],
    ["src/market/a.ts", "// One line says\n// what the same\n// those of it are, whatever they are.\n"],
    ["src/market/a.ts", "/* new Date(), new Database(), fetch(url) */\n"],
    [
      "src/market/a.ts",
      "// One.\nconst a = 'as any, fetch(u), Date.now(), process.env, from \"../app.ts\"';",
    ],
    [
      "src/market/a.ts",
      "// One.\nconst a = `fetch($" + "{b} new Date()) $" + "{`as any ${" + "c}`} Date.now()`;",
    ],
    ["src/market/a.ts", '// One.\nconst a = /fetch\\(x\\) "as any/.test(b) && /[/]Date.now()/.test(c);'],
    [
      "src/market/a.ts",
      "// One.\nconst a = AbortSignal.any([b]); const c = new Date(d); const e = f / g / h;",
    ],
    ["src/platform/a.ts", '// One.\nimport { isIP } from "node:net";\nimport { X } from "../limits.ts";'],
    [
      "src/server/edge.ts",
      "// One.\ninterface E { fetch(request: Request): Promise<Response> }\nconst e = { async fetch(r) {} };",
    ],
    ["src/process.ts", "// One.\nBun.serve({ fetch: (r) => app.edge.fetch(r) });"],
    [
      "src/capabilities/price/a.ts",
      '// One.\nimport { x } from "./b.ts";\nimport { y } from "../../market/date.ts";',
    ],
    ["src/capabilities/index.ts", '// One.\nexport { price } from "./price/index.ts";'],
    ["src/server/a.test.ts", '// One.\ntest.skip("skipped: no recordings", () => {});'],
    ["src/providers/yahoo/endpoints/a.ts", '// One.\nimport { x } from "../wire.ts";'],
    ["src/server/a.ts", `// One.\nconst f = () => {\n${"  g();\n".repeat(80)}  return { a: () => 1 };\n};`],
  ];
  for (const [path, text] of sound)
    test(`nothing trips on ${JSON.stringify(text.slice(0, 60))} in ${path}`, () => {
      const file = made(path, text);
      const rules = STYLE_RULES.filter((r) => breachesOf(r, [file]).length > 0).map((r) => r.name);
      expect(rules).toEqual([]);
    });

  test("imports are found whatever they span", () => {
    const file = sourceText(
      'import a from "a";\nimport {\n  b,\n  type C,\n} from "./b.ts";\nimport "side";\nexport * from "d";\nconst e = import("e");\n// import x from "no";\nconst s = "import y from \'no\'";\n',
    );
    expect(importsOf(file).map((i) => [i.from, i.line])).toEqual([
      ["a", 1],
      ["./b.ts", 2],
      ["side", 6],
      ["d", 7],
      ["e", 8],
    ]);
  });
});
