// The Python parts: lint, types and tests, each part in a virtual environment of its own. `bun run engines`
// runs the engines that read the lake, `bun run check` with `--package` the package pyasof alone. The last
// line is "N passed, N failed".
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { RUN_FOLDER } from "../test/support/run-folder.ts";

const root = resolve(import.meta.dir, "..");

/** The tests that run on one list of packages. */
interface Part {
  /** The folder of its environment, which Git ignores with all of node_modules. */
  readonly environment: string;
  /** The folder of its tests, below the project's. */
  readonly folder: string;
  /** The files of its tests; empty: all in the folder. */
  readonly tests: readonly string[];
  /** The lists of its packages. */
  readonly requirements: readonly string[];
  /** Whether the folder is a package, which is installed beside its requirements. */
  readonly isPackage: boolean;
  /** Commands of the environment that must succeed before the tests. */
  readonly checks: readonly (readonly [string, ...string[]])[];
  /** Whether pom.xml in the folder names Java archives that its tests need. */
  readonly hasArchives: boolean;
  /** Whether its tests read the sample market, which is made once; each part gets a copy of its own. */
  readonly readsMarket: boolean;
}

const nameOf = ({ folder, tests }: Part) => [folder, ...tests].join(" ");
const ENGINE_TESTS = "../test/engines";
const ofEngine = (folder: string, name: string, more: Partial<Part> = {}): Part => ({
  environment: `python-test-engines-${name}`,
  folder: `test/engines/${folder}`,
  tests: [],
  requirements: ["requirements.txt"],
  isPackage: false,
  checks: [],
  hasArchives: false,
  readsMarket: true,
  ...more,
});
const PACKAGE: Part = {
  environment: "python",
  folder: "python",
  tests: [],
  requirements: ["requirements-test.txt"],
  isPackage: true,
  checks: [["ruff", "check", ".", ENGINE_TESTS], ["ruff", "format", "--check", ".", ENGINE_TESTS], ["mypy"]],
  hasArchives: false,
  readsMarket: false,
};
const SMALL_ENGINES: readonly Part[] = [
  ofEngine("duckdb2", "duckdb2"),
  ofEngine("delta", "delta", {
    tests: ["test_delta.py", "test_publish.py"],
    requirements: ["requirements.txt", "requirements-s3.txt"],
  }),
];
/** The engines whose packages have about 0.8 GB each. */
const LARGE_ENGINES: readonly Part[] = [
  ofEngine("delta", "clickhouse", {
    tests: ["test_clickhouse.py"],
    requirements: ["requirements-clickhouse.txt", "requirements-s3.txt"],
  }),
  ofEngine("delta", "spark", {
    tests: ["test_spark.py", "test_spark_views.py"],
    requirements: ["requirements-spark.txt", "requirements-s3.txt"],
    hasArchives: true,
  }),
];
/** The parts that `bun run engines` runs. */
export const ENGINES: readonly Part[] = [...SMALL_ENGINES, ...LARGE_ENGINES];

const folderOf = ({ folder }: Part) => join(root, folder);
const environmentOf = ({ environment }: Part) => join(root, "node_modules", ".cache", environment);
const inside = (part: Part, name: string) =>
  join(environmentOf(part), process.platform === "win32" ? "Scripts" : "bin", name);

export interface PythonOutcome {
  readonly passed: number;
  readonly failed: number;
  /** For each part that was not run one sentence that says why. */
  readonly skipped: readonly string[];
}

const VERSION_TEST = "import sys, venv, ensurepip; sys.exit(0 if sys.version_info >= (3, 11) else 1)";

/** The command of a Python that can make the environment; undefined where there is none. */
function pythonCommand(): string | undefined {
  return ["python3", "python3.13", "python3.12", "python3.11", "python"].find(
    (name) =>
      Bun.which(name) !== null &&
      Bun.spawnSync([name, "-c", VERSION_TEST], { stdio: ["ignore", "ignore", "ignore"] }).success,
  );
}

/** The output of a part, shown when it has ended: another may run beside it. */
type Output = string[];

async function step(
  part: Part,
  command: string[],
  output: Output,
  env: Record<string, string> = {},
): Promise<boolean> {
  const child = Bun.spawn(command, {
    cwd: folderOf(part),
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  output.push(...(await Promise.all([child.stdout, child.stderr].map((each) => new Response(each).text()))));
  return (await child.exited) === 0;
}

/** Makes the environment once per list of packages. False where they cannot be installed. */
async function installed(part: Part, python: string, output: Output): Promise<boolean> {
  const environment = environmentOf(part);
  const requirements = part.requirements.map((name) => readFileSync(join(folderOf(part), name), "utf8"));
  const wanted = Bun.hash(requirements.join("") + root).toString(16);
  const stamp = join(environment, "installed");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return true;
  mkdirSync(environment, { recursive: true });
  const pip = [inside(part, "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
  const made =
    (await step(part, [python, "-m", "venv", "--clear", environment], output)) &&
    (await step(part, [...pip, ...part.requirements.flatMap((name) => ["-r", name])], output)) &&
    (!part.isPackage || (await step(part, [...pip, "--no-deps", "-e", "."], output)));
  if (made) writeFileSync(stamp, wanted);
  return made;
}

/** The oldest Java that runs the engines. */
const JAVA_MIN = 17;

/** Says what a part that needs Java and Maven lacks; undefined where nothing. */
function missingForArchives(): string | undefined {
  const missing = ["java", "mvn"].filter((name) => Bun.which(name) === null);
  if (missing.length > 0)
    return `${missing.join(" and ")} (Java ${JAVA_MIN} or newer, and Maven) ${missing.length > 1 ? "are" : "is"} missing`;
  // Java writes its version to the error stream: `openjdk version "17.0.15" 2025-04-15`.
  const stated = Bun.spawnSync(["java", "-version"], { stderr: "pipe" }).stderr.toString();
  const version = Number(/version "(\d+)/.exec(stated)?.[1] ?? 0);
  return version < JAVA_MIN ? `Java ${JAVA_MIN} or newer is missing` : undefined;
}

const archivesOf = (part: Part) => join(environmentOf(part), "archives");

/** Has Maven bring the Java archives of pom.xml. False where it cannot. */
async function fetched(part: Part, output: Output): Promise<boolean> {
  const stamp = join(archivesOf(part), "fetched");
  const wanted = Bun.hash(readFileSync(join(folderOf(part), "pom.xml"), "utf8")).toString(16);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return true;
  rmSync(archivesOf(part), { recursive: true, force: true });
  const copy = ["dependency:copy-dependencies", `-DoutputDirectory=${archivesOf(part)}`];
  const done = await step(part, ["mvn", "--quiet", "--batch-mode", ...copy], output);
  if (done) writeFileSync(stamp, wanted);
  return done;
}

/** Brings what the tests of a part run on; otherwise the reason why they cannot run. */
async function prepared(part: Part, python: string, output: Output): Promise<string | undefined> {
  const missing = part.hasArchives ? missingForArchives() : undefined;
  if (missing !== undefined) return missing;
  const { folder, requirements } = part;
  if (!(await installed(part, python, output)))
    return `The packages of ${requirements.map((name) => `${folder}/${name}`).join(" and ")} could not be installed`;
  if (part.hasArchives && !(await fetched(part, output)))
    return `The Java archives of ${folder}/pom.xml could not be fetched`;
  return undefined;
}

/** Counts of pytest's JUnit report; one failure where there is no report. */
function totals(report: string): { passed: number; failed: number } {
  if (!existsSync(report)) return { passed: 0, failed: 1 };
  const head = /<testsuite [^>]*>/.exec(readFileSync(report, "utf8"))?.[0] ?? "";
  const count = (name: string) => Number(new RegExp(` ${name}="(\\d+)"`).exec(head)?.[1] ?? 0);
  const failed = count("failures") + count("errors");
  return { passed: count("tests") - failed - count("skipped"), failed };
}

/** Where the reports and the market of a run are. */
interface Run {
  readonly python: string;
  readonly folder: string;
  /**
   * The sample market, made when first asked for; undefined where it could not be made, which its tests then
   * say.
   */
  readonly market: () => Promise<string | undefined>;
}

async function madeMarket(folder: string): Promise<string | undefined> {
  const market = join(folder, "market");
  const child = Bun.spawn([process.execPath, "test/engines/market.ts", market], {
    cwd: root,
    env: { ...process.env, [RUN_FOLDER]: folder },
    stdio: ["ignore", "inherit", "inherit"],
  });
  return (await child.exited) === 0 ? market : undefined;
}

/**
 * Copies the market for one part. Its commands publish the catalogue again in that folder while another part
 * reads its own.
 */
async function copyOf(market: Run["market"], copy: string): Promise<string | undefined> {
  const made = await market();
  if (made !== undefined) await cp(made, copy, { recursive: true });
  return made === undefined ? undefined : copy;
}

async function checkPart(
  part: Part,
  { python, folder, market }: Run,
  output: Output,
): Promise<PythonOutcome> {
  const reason = await prepared(part, python, output);
  if (reason !== undefined)
    return { passed: 0, failed: 0, skipped: [`${reason}, so the tests of ${nameOf(part)} were not run.`] };
  let [passed, failed] = [0, 0];
  for (const [name, ...rest] of part.checks)
    if (await step(part, [inside(part, name), ...rest], output)) passed += 1;
    else failed += 1;
  const made = part.readsMarket ? await copyOf(market, join(folder, part.environment)) : undefined;
  const report = join(folder, `${part.environment}.xml`);
  const pytest = [inside(part, "python"), "-m", "pytest", "-q", "-p", "no:cacheprovider"];
  const ran = await step(part, [...pytest, `--junitxml=${report}`, ...part.tests], output, {
    BUN: process.execPath,
    ...(made === undefined ? {} : { MARKET: made }),
    ...(part.hasArchives ? { ARCHIVES: archivesOf(part) } : {}),
  });
  const tests = totals(report);
  // A run that fails without a failed test, such as one without tests, is a failure too.
  const broken = ran || tests.failed > 0 ? 0 : 1;
  return { passed: passed + tests.passed, failed: failed + tests.failed + broken, skipped: [] };
}

/** Runs parts one after the other, and shows what each printed and how long it took. */
async function inTurn(parts: readonly Part[], run: Run): Promise<PythonOutcome[]> {
  const outcomes: PythonOutcome[] = [];
  for (const part of parts) {
    process.stdout.write(`-- ${nameOf(part)}\n`);
    const startedAt = performance.now();
    const output: Output = [];
    outcomes.push(await checkPart(part, run, output));
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
    process.stdout.write(`-- ${nameOf(part)} took ${seconds} s\n${output.join("")}`);
  }
  return outcomes;
}

/**
 * Runs lint, types and tests of each part, or says why it does not. The reports go into `folder`. Spark,
 * which takes the longest and mostly one core, runs beside the others.
 */
export async function runPython(parts: readonly Part[], folder: string): Promise<PythonOutcome> {
  const python = pythonCommand();
  const tests = [...new Set(parts.map((part) => `${part.folder}/`))].join(" and ");
  if (python === undefined)
    return {
      passed: 0,
      failed: 0,
      skipped: [`python3, 3.11 or newer and with venv, is missing, so the tests of ${tests} were not run.`],
    };
  let making: Promise<string | undefined> | undefined;
  const run: Run = { python, folder, market: () => (making ??= madeMarket(folder)) };
  const lanes = [false, true].map((isSpark) => parts.filter(({ hasArchives }) => hasArchives === isSpark));
  const outcomes = (await Promise.all(lanes.map((lane) => inTurn(lane, run)))).flat();
  return {
    passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
    failed: outcomes.reduce((sum, { failed }) => sum + failed, 0),
    skipped: outcomes.flatMap(({ skipped }) => skipped),
  };
}

if (import.meta.main) {
  const folder = mkdtempSync(join(tmpdir(), "asof-python-"));
  const parts = process.argv.includes("--package") ? [PACKAGE] : ENGINES;
  const { passed, failed, skipped } = await runPython(parts, folder);
  rmSync(folder, { recursive: true, force: true });
  for (const why of skipped) process.stdout.write(`Skipped: ${why}\n`);
  // Where Python is required, as in continuous integration, tests that could not be run have not passed.
  const failures = failed + (process.env.CHECK_PYTHON === "required" ? skipped.length : 0);
  const others = skipped.length > 0 ? `, ${skipped.length} skipped` : "";
  process.stdout.write(`\n${passed} passed, ${failures} failed${others}\n`);
  process.exit(failures === 0 ? 0 : 1);
}
