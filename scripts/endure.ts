// `bun run endure`: what takes too long for every check: kill -9 in full, the fuzz test with many runs,
// attacks on the door for SQL, damaged files, all tests that draw their input with another seed and all their
// runs, past moments and weeks in full, and the soak.
// MINUTES (30), ROUNDS (100), RUNS (2000; of SQL 500, of damage 200, of histories 100) set how long; `--only
// kill|fuzz|sql|damage|world|drawn|whole|soak` leaves the others out. SEED=n draws again what a run drew.
// `bun run endure world` draws whole histories alone, and prints the steps of one that fails.
// `bun run endure mutations` shows that the tests notice faults (endure/mutations.ts).
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { mutations } from "./endure/mutations.ts";
import { type Finding, soak } from "./endure/soak.ts";

const root = resolve(import.meta.dir, "..");
const tell = (line: string) => void process.stdout.write(`${line}\n`);

function wholeNumber(name: string, fallback: number): number {
  const text = process.env[name] ?? String(fallback);
  const n = Number(text);
  if (Number.isFinite(n) && n > 0) return n;
  process.stderr.write(`${name} is "${text}"; it must be a number above 0\n`);
  process.exit(2);
}

/** Draws what was never tried before; SEED=n repeats a run. */
const SEED = process.env.SEED ?? String(crypto.getRandomValues(new Uint32Array(1))[0]);

/** One test file, or all that match, with its rounds set by a variable. */
async function tests(
  what: string,
  path: string | readonly string[],
  env: Record<string, string>,
): Promise<Finding> {
  const child = Bun.spawn([process.execPath, "test", "--timeout=1200000", ...[path].flat()], {
    cwd: root,
    env: { ...process.env, SEED, ...env },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const code = await child.exited;
  return { what, found: code === 0 ? "passed" : `exit code ${code}`, bound: "passed", ok: code === 0 };
}

/** Processes killed in the middle of their work, and the tests that hold what they leave behind. */
const KILLED = [
  ["a writer of the lake and its Delta logs", "test/faults/lake-kill.test.ts"],
  ["a backfill of prices", "test/faults/backfill-kill.test.ts"],
  ["an ingest of ownership filings", "test/faults/ownership-kill.test.ts"],
  ["a build of the universe's snapshots", "test/faults/universe-kill.test.ts"],
  ["a maker of arrays", "test/faults/series-kill.test.ts"],
] as const;

const PARTS: Record<string, () => Promise<Finding[]>> = {
  kill: async () => {
    const ROUNDS = String(wholeNumber("ROUNDS", 100));
    const findings: Finding[] = [];
    for (const [what, path] of KILLED)
      findings.push(await tests(`${what} killed ${ROUNDS} times`, path, { ROUNDS }));
    return findings;
  },
  fuzz: async () => {
    const RUNS = String(wholeNumber("RUNS", 2000));
    return [
      await tests(`${RUNS} hostile requests an operation`, "test/contract/fuzz.test.ts", { RUNS }),
      await tests(`${RUNS} times bytes that are hardly a request`, "test/contract/raw-edge.test.ts", {
        RUNS,
      }),
    ];
  },
  sql: async () => {
    const RUNS = String(wholeNumber("RUNS", 500));
    return [await tests(`${RUNS} attacks on the door for SQL`, "test/faults/sql-door.test.ts", { RUNS })];
  },
  damage: async () => {
    const RUNS = String(wholeNumber("RUNS", 200));
    return [await tests(`${RUNS} damaged files`, "test/faults/damage.test.ts", { RUNS })];
  },
  world: async () => {
    const RUNS = String(wholeNumber("RUNS", 100));
    return [await tests(`${RUNS} drawn histories`, "test/faults/world.test.ts", { RUNS })];
  },
  drawn: async () => {
    const paths = [...new Bun.Glob("{src,test}/**/*.test.ts").scanSync({ cwd: root })]
      .filter((path) => readFileSync(join(root, path), "utf8").includes('from "fast-check"'))
      .map((path) => `./${path}`);
    return [await tests("tests that draw their input, with another seed", paths, { DRAWN: "whole" })];
  },
  whole: async () => [
    await tests(
      "prices and statements of every symbol and past moment",
      ["test/routes/price-clock.test.ts", "test/routes/financial-sample.test.ts"],
      { GRID: "whole" },
    ),
    await tests("weeks with all their days", "test/faults/week.test.ts", { WEEK: "whole" }),
    await tests("pages in every state", "test/browser/pages.test.ts", { WALK: "whole" }),
  ],
  soak: () => soak(wholeNumber("MINUTES", 30), tell),
};

const words = process.argv.slice(2);
const [option, only] = words[0] === "world" ? ["--only", "world"] : words;
if (option === "mutations") process.exit(await mutations(words.slice(1)));
if (option !== undefined && !(option === "--only" && only !== undefined && PARTS[only])) {
  process.stderr.write(
    `bun run endure [--only ${Object.keys(PARTS).join("|")}] | world | mutations [--only TEXT] [--checkout DIR] [--table FILE]\n`,
  );
  process.exit(2);
}
tell(`SEED=${SEED}`);
const findings: Finding[] = [];
for (const [name, part] of Object.entries(PARTS)) {
  if (only !== undefined && name !== only) continue;
  tell(`== ${name}`);
  findings.push(...(await part()));
}
tell("\n| what | found | bound | held |\n|---|---|---|---|");
for (const { what, found, bound, ok } of findings)
  tell(`| ${what} | ${found} | ${bound} | ${ok ? "yes" : "no"} |`);
process.exit(findings.every(({ ok }) => ok) ? 0 : 1);
