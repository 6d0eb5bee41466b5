// `bun run check`: format, lint, types and all tests; `bun run quick`: the same without what crosses folders
// and without Python. Its last line is "N passed, N failed".
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { constants, setPriority, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { RUN_FOLDER } from "../test/support/run-folder.ts";

const root = resolve(import.meta.dir, "..");
/** How long each test file took, so that the slowest start first; renewed by `bun run check --timings`. */
const TIMINGS = "test/timings.json";
/** Where the tests beside the sources are. */
const BESIDE_SOURCES = ["./src", "./sample", "./scripts"];

const options = process.argv.slice(2);
const isQuick = options.includes("--quick");
const renewsTimings = options.includes("--timings");
/** Parts of paths of tests: those alone are run, and no Python. */
const named = options.filter((option) => !option.startsWith("--"));

interface Outcome {
  readonly title: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Seconds of user and system time, children included. */
  readonly cpuS: number;
  readonly wallS: number;
}

const bin = (name: string) => join(root, "node_modules", ".bin", name);

/** The counts of a last line "N passed, N failed"; without one the command passed or failed as a whole. */
function countsOf(output: string, code: number) {
  const last = /(?:^|\n)(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\n$/.exec(output);
  if (!last) return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  const [passed, failed, skipped] = last.slice(1).map((digits) => Number(digits ?? 0)) as [
    number,
    number,
    number,
  ];
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed, skipped };
}

/** Runs a command in the time that the tests' workers leave, and shows what it printed when it has ended. */
async function step(title: string, command: string[]): Promise<Outcome> {
  const startedAt = performance.now();
  const child = Bun.spawn(command, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const [out, error, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  const wallS = (performance.now() - startedAt) / 1_000;
  process.stdout.write(`\n== ${title}\n${error}${out}`);
  return { title, ...countsOf(out, code), cpuS: cpuSecondsOf(child), wallS };
}

/** User and system time of a process that has ended and of the children it waited for. */
const cpuSecondsOf = (child: Bun.Subprocess) => Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1_000_000;

/** Reads the totals of a JUnit report: tests, failures and skipped ones. */
function totals(path: string): { passed: number; failed: number; skipped: number } {
  const head = /<testsuites[^>]*>/.exec(readFileSync(path, "utf8"))?.[0] ?? "";
  const count = (name: string) => Number(new RegExp(`${name}="(\\d+)"`).exec(head)?.[1] ?? 0);
  const [tests, failed, skipped] = [count("tests"), count("failures"), count("skipped")];
  return { passed: tests - failed - skipped, failed, skipped };
}

/** Runs the tests, a worker a core; each keeps its modules from file to file. */
async function tests(folder: string): Promise<Outcome> {
  const startedAt = performance.now();
  const report = join(folder, "tests.xml");
  const child = Bun.spawn(
    [
      process.execPath,
      "test",
      "--only-failures",
      "--parallel",
      "--no-isolate",
      "--timeout=1200000",
      "--reporter=junit",
      `--reporter-outfile=${report}`,
      `--timings=${TIMINGS}`,
      ...(renewsTimings ? ["--update-timings"] : []),
      ...(named.length > 0 ? named : isQuick ? BESIDE_SOURCES : []),
    ],
    { cwd: root, env: { ...process.env, [RUN_FOLDER]: folder }, stdio: ["ignore", "inherit", "inherit"] },
  );
  const code = await child.exited;
  let counts = { passed: 0, failed: 1, skipped: 0 };
  if (existsSync(report)) counts = totals(report);
  else process.stdout.write("The tests left no report.\n");
  // A run that fails without a failed test, such as one whose worker died, is a failure too.
  const failed = code === 0 || counts.failed > 0 ? counts.failed : 1;
  const wallS = (performance.now() - startedAt) / 1_000;
  return { title: "tests", ...counts, failed, cpuS: cpuSecondsOf(child), wallS };
}

/** Runs one after the other what takes the time that the tests leave. */
async function beside(): Promise<Outcome[]> {
  const outcomes = [
    await step("format and lint", [bin("biome"), "check", "--error-on-warnings", "."]),
    await step("types", [bin("tsc"), "-p", "."]),
  ];
  if (isQuick || named.length > 0) return outcomes;
  return [...outcomes, await step("Python", [process.execPath, "scripts/check-python.ts", "--package"])];
}

const folder = mkdtempSync(join(tmpdir(), "asof-check-"));
const running = [tests(folder), beside()] as const;
const outcomes = [await running[0], ...(await running[1])];
rmSync(folder, { recursive: true, force: true });
process.stdout.write("\n");
for (const { title, failed, cpuS, wallS } of outcomes)
  process.stdout.write(
    `${title.padEnd(16)} ${failed === 0 ? "passed" : "FAILED"} ${cpuS.toFixed(0).padStart(5)} s of CPU ${wallS.toFixed(0).padStart(5)} s\n`,
  );
const sum = (of: (outcome: Outcome) => number) => outcomes.reduce((total, each) => total + of(each), 0);
const [passed, failed, skipped] = [sum((o) => o.passed), sum((o) => o.failed), sum((o) => o.skipped)];
process.stdout.write(
  `${"all".padEnd(16)} ${sum((o) => o.cpuS)
    .toFixed(0)
    .padStart(12)} s of CPU\n`,
);
process.stdout.write(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`);
process.exit(failed === 0 ? 0 : 1);
