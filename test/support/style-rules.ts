// The rules every source file is held against: what is forbidden, where it is allowed, and what to do
// instead.
import { dirname, join, normalize } from "node:path";
import { functionLengths } from "./function-lengths.ts";
import { retiredWordsIn } from "./retired-words.ts";
import { callsOf, commentsOf, type Import, importsOf, lineOf, type SourceText } from "./source-text.ts";
import { wallClockLimits } from "./wall-clock.ts";

/** A file of the project; `path` from the root, with slashes. */
export interface SourceFile extends SourceText {
  readonly path: string;
}

/** One thing that stands where it must not. `line` is 0 when it is the whole file. */
export interface Breach {
  readonly path: string;
  readonly line: number;
  readonly what: string;
  readonly instead: string;
}

export interface StyleRule {
  readonly name: string;
  readonly instead: string;
  /** Lines and words of what breaks the rule. */
  find(file: SourceFile): readonly { readonly line: number; readonly what: string }[];
}

/** Lowest first; a file imports from its own folder or from a lower layer. */
const LAYERS: readonly (readonly string[])[] = [
  ["platform"],
  ["market"],
  ["providers", "datasets"],
  ["capabilities"],
  ["server"],
];
/** Read by all, and themselves reading nothing. */
const FOR_ALL = ["src/config.ts", "src/limits.ts"];
/** The top: they may import everything. */
const isRoot = (path: string) => /^src\/(app|main|process|composition\/[^/]+)\.ts$/.test(path);

/** Also the files of tests that one entry runs, *.tests.ts: `test/browser`. */
const isTest = (path: string) => /\.tests?\.ts$/.test(path);
const inSrc = (path: string) => path.startsWith("src/");
const inTests = (path: string) => path.startsWith("test/") || isTest(path);
const inSample = (path: string) => path.startsWith("sample/");

/**
 * Where a source file belongs: its layer's number and its own folder; null outside the layers (sample,
 * console).
 */
function placeOf(path: string): { layer: number; layerName: string; own: string } | null {
  const [, folder = "", name = ""] = path.split("/");
  const layer = LAYERS.findIndex((names) => names.includes(folder));
  if (layer < 0) return null;
  // Capabilities and providers are folders of folders, each of which stands alone.
  const own = ["capabilities", "providers"].includes(folder) ? `src/${folder}/${name}` : `src/${folder}`;
  return { layer, layerName: folder, own };
}

/** The project file an import means; null for packages. */
export const targetOf = (file: string, { from }: Import) =>
  from.startsWith(".") ? normalize(join(dirname(file), from)) : null;

function whyNot(path: string, target: string): string | null {
  if (isRoot(path) || FOR_ALL.includes(target)) return null;
  if (FOR_ALL.includes(path)) return `${path} is read by all layers and so may import none`;
  if (isRoot(target)) return `${target} is the top: nothing imports it`;
  const [mine, theirs] = [placeOf(path), placeOf(target)];
  if (inSample(path))
    return inSample(target) || (theirs !== null && theirs.layer <= 1)
      ? null
      : `the sample upstream stands for the outside world and imports market and platform only, not ${target}`;
  if (inSample(target)) return "nothing in the service knows of the sample upstream";
  if (!mine || !theirs) return null;
  if (target.startsWith(`${mine.own}/`) || target === mine.own) return null;
  if (path === `src/${mine.layerName}/index.ts` && theirs.layerName === mine.layerName) return null;
  if (theirs.layer < mine.layer) return null;
  return theirs.layer === mine.layer
    ? `${mine.own} imports ${target}, its neighbour`
    : `${mine.layerName} imports ${target}, which lies above it`;
}

/** Every place in the code that `pattern` matches. */
const matches = (file: SourceFile, pattern: RegExp) =>
  [...file.code.matchAll(pattern)].map((m) => ({
    line: lineOf(file.code, m.index),
    what: m[0].replace(/\s+/g, " ").trim(),
  }));

const none = [] as const;
const onlyIn =
  (where: (path: string) => boolean, find: StyleRule["find"]): StyleRule["find"] =>
  (file) =>
    where(file.path) ? find(file) : none;

const KNOWS_ELYSIA =
  /^src\/(server\/.+|app|process|composition\/.+|capabilities\/[^/]+\/(schema|routes|index))\.ts$|\.test\.ts$/;
const CLIENTS = /^(node:)?(https?|http2|tls|dgram)$|^(undici|axios|got|node-fetch|ws|cross-fetch)$/;
const OPENS_DATABASES =
  /^src\/platform\/(sqlite\/(sqlite|migrate)|lake\/(lock|duckdb|catalogue|reader|write\/retired))\.ts$/;
const VAGUE_NAMES = ["util", "helper", "common", "manager", "base", "misc"];
const FILE_LINES_MAX = 400;
const COMMENT_WIDTH_MAX = 110;
const FUNCTION_LINES_MAX = 60;
/** Functions that return a set of functions. */
const FACTORY_LINES_MAX = 120;
/** Tables of cases are not read from top to bottom. */
const TEST_LINES_MAX = 500;

const asService = (path: string) => inSrc(path) && !isTest(path);
const asProduct = (path: string) => (inSrc(path) || inSample(path)) && !isTest(path);

/** Shape of files: length, name, first comment, forbidden shortcuts. */
const FORM: readonly StyleRule[] = [
  {
    name: "no file is too long",
    instead: `Split it by what its parts are for: at most ${FILE_LINES_MAX} lines, ${TEST_LINES_MAX} for a test.`,
    find: ({ path, text }) => {
      const lines = text.trimEnd().split("\n").length;
      return lines > (isTest(path) ? TEST_LINES_MAX : FILE_LINES_MAX)
        ? [{ line: 0, what: `${lines} lines` }]
        : none;
    },
  },
  {
    name: "no function is too long",
    instead: `Split it by what its parts do: at most ${FUNCTION_LINES_MAX} lines, ${FACTORY_LINES_MAX} for a function that returns an object of functions; what has state becomes a class.`,
    find: ({ path, text }) =>
      isTest(path)
        ? none
        : functionLengths(path, text)
            .filter(({ lines, isFactory }) => lines > (isFactory ? FACTORY_LINES_MAX : FUNCTION_LINES_MAX))
            .map(({ line, name, lines }) => ({ line, what: `${name} has ${lines} lines` })),
  },
  {
    name: "no object literal is spread",
    instead: "Write its fields as plain fields.",
    find: (file) => matches(file, /\.\.\.\s*\{/g),
  },
  {
    name: "a hint is a sentence",
    instead: "Begin the hint with a capital letter: clients show it after the detail.",
    find: ({ path, text }) =>
      isTest(path)
        ? none
        : [...text.matchAll(/\bhint:\s*["'`][a-z].*/g)].map((m) => ({
            line: lineOf(text, m.index),
            what: m[0].trim(),
          })),
  },
  {
    name: "retired words stay out",
    instead: "Write the word of the field; docs/glossary.md has the project's nouns.",
    find: ({ path, text }) =>
      retiredWordsIn(path, text).map(({ line, word, instead }) => ({
        line,
        what: `"${word}": write ${instead}`,
      })),
  },
  {
    name: "file names say what is inside",
    instead: "Name it after the one thing it holds, a noun in kebab-case: ticker.ts, retry-after.ts.",
    find: ({ path }) => {
      const stem = (path.split("/").at(-1) ?? "").replace(/(\.tests?)?\.tsx?$/, "");
      const vague = stem.split("-").find((word) => VAGUE_NAMES.some((v) => word === v || word === `${v}s`));
      if (vague !== undefined) return [{ line: 0, what: `named ${vague}` }];
      return /^[a-z0-9]+(-[a-z0-9]+)*$/.test(stem) ? none : [{ line: 0, what: `named ${stem}` }];
    },
  },
  {
    name: "every file begins with a comment that says what it is for",
    instead: "Write `// What this file is for.` on the first line.",
    // A test's names say what it is for.
    find: ({ path, text }) =>
      isTest(path) || /^(#!.*\n)?(\/\/ ?\S|\/\*)/.test(text)
        ? none
        : [{ line: 1, what: text.split("\n")[0] ?? "" }],
  },
  {
    name: "no comment line is too long",
    instead: `Wrap it: a line of a comment has at most ${COMMENT_WIDTH_MAX} characters, as a line of code has.`,
    find: ({ text, comments }) => {
      const lines = text.split("\n");
      return comments.flatMap((comment) =>
        comment.text.split("\n").flatMap((_, i) => {
          const width = lines[comment.line - 1 + i]?.length ?? 0;
          return width > COMMENT_WIDTH_MAX ? [{ line: comment.line + i, what: `${width} characters` }] : [];
        }),
      );
    },
  },
  {
    name: "comments are in plain English order",
    instead:
      'Say first what the value is, or begin with the function\'s verb (Returns, Reads): a reader of one comment does not know what is "the same".',
    find: (file) =>
      commentsOf(file).flatMap(({ line, text }) => {
        const [found] = /^(what|the same|those of|of which)\b|\b(has|have) them not\b/i.exec(text) ?? [];
        return found === undefined ? [] : [{ line, what: found }];
      }),
  },
  {
    name: "no `any`",
    instead: "Say the type, or take `unknown` and look before using it.",
    find: (file) => matches(file, /(?<![.\w$"'])any\b(?!\s*[(:$])/g),
  },
  {
    name: "no compiler errors are silenced",
    instead: "Mend the types; where a package's types are wrong, cast through `unknown` and say why.",
    // A test may show that a wrong type is refused, when it says which.
    find: ({ path, comments }) =>
      comments
        .filter((c) => /^(\/\/+|\/\*+)\s*@ts-(ignore|nocheck|expect-error)\b/.test(c.text))
        .filter((c) => !(isTest(path) && /@ts-expect-error \w+/.test(c.text)))
        .map(({ line, text }) => ({ line, what: text.trim() })),
  },
  {
    name: "a test draws from the seed",
    instead:
      "Draw with drawnFor of test/support/seed.ts: a check judges the change, and a failure can be repeated.",
    find: onlyIn(inTests, (file) => matches(file, /\bMath\.random\b/g)),
  },
  {
    name: "no test has a limit in seconds of its own",
    instead:
      "Wait for the event itself, or move a clock: setDefaultTimeout(1_200_000) guards against a hang.",
    find: onlyIn(isTest, (file) => wallClockLimits(file.path, file)),
  },
  {
    name: "no test is left out without a reason",
    instead: 'Take `.only` away; a test that cannot run here is test.skip("skipped: <why>", …).',
    find: onlyIn(isTest, (file) => [
      ...matches(file, /\b(test|it|describe)\.(only|todo)\b/g),
      ...[...file.code.matchAll(/\b(test|it|describe)\.skip\s*\(\s*["'`]?/g)]
        .filter((m) => !file.text.slice(m.index + m[0].length).startsWith("skipped: "))
        .map((m) => ({ line: lineOf(file.code, m.index), what: m[0] })),
    ]),
  },
];

/** Who may do what: each door to the outside has one file. */
const DOORS: readonly StyleRule[] = [
  {
    name: "imports go one way",
    instead:
      "Order: main, process, app → server → capabilities → providers, datasets → market → platform. What a capability needs from elsewhere it states as a type and app.ts hands it in; what several share moves a layer down.",
    find: onlyIn(asProduct, (file) =>
      importsOf(file).flatMap((one) => {
        const target = targetOf(file.path, one);
        const why =
          target === null || !(inSrc(target) || inSample(target)) ? null : whyNot(file.path, target);
        return why === null ? [] : [{ line: one.line, what: why }];
      }),
    ),
  },
  {
    name: "a provider is imported through its index.ts",
    instead:
      "Export what others need from the provider's index.ts; tests inside its folder may look past it.",
    find: (file) =>
      importsOf(file).flatMap((one) => {
        const [, provider, inside] =
          /^src\/providers\/([^/]+)\/(.+)$/.exec(targetOf(file.path, one) ?? "") ?? [];
        const isOwn = provider !== undefined && file.path.startsWith(`src/providers/${provider}/`);
        return inside === undefined || inside === "index.ts" || isOwn
          ? []
          : [{ line: one.line, what: one.from }];
      }),
  },
  {
    name: "src imports nothing outside src but package.json",
    instead: "Move what is shared into src; scripts and tests import src, never the other way.",
    find: onlyIn(asService, (file) =>
      importsOf(file)
        .filter((one) => {
          const target = targetOf(file.path, one) ?? "src/";
          return target !== "package.json" && !inSrc(target);
        })
        .map(({ line, from }) => ({ line, what: from })),
    ),
  },
  {
    name: "only the server knows Elysia",
    instead:
      "Keep Elysia to server/, composition/, app.ts, process.ts and a capability's schema.ts, routes.ts and index.ts; a use case takes and returns plain values.",
    find: onlyIn(
      (path) => inSrc(path) && !KNOWS_ELYSIA.test(path),
      (file) =>
        importsOf(file)
          .filter(({ from }) => /^(elysia|@elysiajs)(\/|$)/.test(from))
          .map(({ line, from }) => ({ line, what: from })),
    ),
  },
  {
    name: "only platform/upstream/upstream.ts asks the outside world",
    instead:
      "Declare a policy and ask through createUpstream: it keeps the pace, the breaker and the gateway. A function handed in is not named fetch.",
    find: onlyIn(
      // The console runs in a browser and asks the service alone: its page's policy allows nothing else.
      (path) =>
        asService(path) && path !== "src/platform/upstream/upstream.ts" && !path.startsWith("src/console/"),
      (file) => [
        // A file that declares a fetch of its own means that one.
        ...(/\b(const|let|function) fetch\b/.test(file.code) ? [] : callsOf(file, "fetch")).map((at) => ({
          line: lineOf(file.code, at),
          what: "fetch(",
        })),
        ...matches(
          file,
          /\b(globalThis|window|Bun)\.(fetch|connect|udpSocket)\b|\bnew (WebSocket|XMLHttpRequest|EventSource)\b/g,
        ),
        ...importsOf(file)
          .filter(
            ({ from, clause }) =>
              // The process listens: node:http holds the longest header it accepts.
              (CLIENTS.test(from) && !(file.path === "src/process.ts" && from === "node:http")) ||
              (/^(node:)?net$/.test(from) && !/^\{ ?(isIP(v[46])?,? ?)+\}$/.test(clause)),
          )
          .map(({ line, from }) => ({ line, what: from })),
      ],
    ),
  },
  {
    name: "only platform/clock.ts reads the time",
    instead: "Take a Clock and ask clock.now() or clock.nowMs(): tests and replays set it.",
    find: onlyIn(
      (path) => asProduct(path) && path !== "src/platform/clock.ts",
      (file) =>
        matches(file, /\bDate\.now\b|\bnew Date\s*\(\s*\)|(?<!new )(?<![.\w$])Date\s*\(|\bTemporal\.Now\b/g),
    ),
  },
  {
    name: "only platform/clock.ts sets timers",
    instead: "Take Timers (or systemTimers) of platform/clock.ts, or sleep on a Clock: tests move them.",
    find: onlyIn(
      (path) => asService(path) && path !== "src/platform/clock.ts" && !path.startsWith("src/console/"),
      (file) =>
        matches(
          file,
          /\bset(Timeout|Interval)\b|\bBun\.sleep\w*|\bAbortSignal\.timeout\b|\bperformance\.now\b/g,
        ),
    ),
  },
  {
    name: "only config.ts reads the environment",
    instead: "Declare the variable in config.ts and take the Config; process.ts hands it process.env.",
    find: onlyIn(
      (path) => asService(path) && !["src/config.ts", "src/process.ts"].includes(path),
      (file) => matches(file, /\b(process|Bun|import\.meta)\.env\b/g),
    ),
  },
  {
    name: "only sqlite.ts, duckdb.ts and their neighbours open databases",
    instead:
      "Take the Store (platform/sqlite/sqlite.ts) or the Lake (platform/lake/lake.ts) that composition/context.ts opened.",
    find: onlyIn(
      (path) => asService(path) && !OPENS_DATABASES.test(path),
      (file) =>
        matches(
          file,
          /\bnew (Database|DuckDB(Instance|Connection))\b|\bDuckDBInstance\.\w+|(?<![.\w$])drizzle\s*\(/g,
        ),
    ),
  },
];

export const STYLE_RULES: readonly StyleRule[] = [...FORM, ...DOORS];

/** Returns the places where the files break a rule. */
export const breachesOf = (rule: StyleRule, files: readonly SourceFile[]): Breach[] =>
  files.flatMap((file) =>
    rule.find(file).map(({ line, what }) => ({ path: file.path, line, what, instead: rule.instead })),
  );

/** The circles of imports among `files`, type imports included: each as the files on it. */
export function importCycles(files: readonly SourceFile[]): string[][] {
  const paths = new Set(files.map(({ path }) => path));
  const imports = new Map(
    files.map((file) => [
      file.path,
      importsOf(file).flatMap((one) => {
        const target = targetOf(file.path, one);
        return target !== null && paths.has(target) ? [target] : [];
      }),
    ]),
  );
  const done = new Set<string>();
  const cycles: string[][] = [];
  const visit = (path: string, trail: readonly string[]) => {
    const at = trail.indexOf(path);
    if (at >= 0) return void cycles.push(trail.slice(at));
    if (done.has(path)) return;
    for (const target of imports.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of paths) visit(path, []);
  return cycles;
}
