// The Python parts of `bun run check` and `bun run engines`: lint, types and tests, each part in a virtual environment of its own.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dir, "..");

/** What is tested on one list of packages. */
interface Part {
  /** The folder of its environment, which Git ignores with all of node_modules. */
  readonly environment: string;
  /** The folder of its tests, below the project's. */
  readonly folder: string;
  /** The files of its tests; empty: all in the folder. */
  readonly tests: readonly string[];
  readonly requirements: string;
  /** Whether the folder is a package, which is installed beside its requirements. */
  readonly isPackage: boolean;
  /** Commands of the environment that must succeed before the tests. */
  readonly checks: readonly (readonly [string, ...string[]])[];
}

const ENGINE_TESTS = "../test/engines";
const ofEngine = (folder: string, name: string, more: Partial<Part> = {}): Part => ({
  environment: `python-test-engines-${name}`,
  folder: `test/engines/${folder}`,
  tests: [],
  requirements: "requirements.txt",
  isPackage: false,
  checks: [],
  ...more,
});
/** The engines that are quick to install: each check reads with them. */
const QUICK_ENGINES: readonly Part[] = [
  ofEngine("duckdb2", "duckdb2"),
  ofEngine("delta", "delta", { tests: ["test_delta.py", "test_publish.py"] }),
];
/** What `bun run check` runs. */
export const CHECKED: readonly Part[] = [
  {
    environment: "python",
    folder: "python",
    tests: [],
    requirements: "requirements-test.txt",
    isPackage: true,
    checks: [
      ["ruff", "check", ".", ENGINE_TESTS],
      ["ruff", "format", "--check", ".", ENGINE_TESTS],
      ["mypy"],
    ],
  },
  ...QUICK_ENGINES,
];
/** What `bun run engines` runs. */
export const ENGINES: readonly Part[] = [
  ...QUICK_ENGINES,
  ofEngine("delta", "clickhouse", {
    tests: ["test_clickhouse.py"],
    requirements: "requirements-clickhouse.txt",
  }),
];

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

async function step(part: Part, command: string[], env: Record<string, string> = {}): Promise<boolean> {
  const child = Bun.spawn(command, {
    cwd: folderOf(part),
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit"],
  });
  return (await child.exited) === 0;
}

/** Makes the environment once per list of packages. False where they cannot be installed. */
async function installed(part: Part, python: string): Promise<boolean> {
  const environment = environmentOf(part);
  const requirements = readFileSync(join(folderOf(part), part.requirements), "utf8");
  const wanted = Bun.hash(requirements + root).toString(16);
  const stamp = join(environment, "installed");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return true;
  mkdirSync(environment, { recursive: true });
  const pip = [inside(part, "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
  const made =
    (await step(part, [python, "-m", "venv", "--clear", environment])) &&
    (await step(part, [...pip, "-r", part.requirements])) &&
    (!part.isPackage || (await step(part, [...pip, "--no-deps", "-e", "."])));
  if (made) writeFileSync(stamp, wanted);
  return made;
}

/** Counts of pytest's JUnit report; one failure where there is no report. */
function totals(report: string): { passed: number; failed: number } {
  if (!existsSync(report)) return { passed: 0, failed: 1 };
  const head = /<testsuite [^>]*>/.exec(readFileSync(report, "utf8"))?.[0] ?? "";
  const count = (name: string) => Number(new RegExp(` ${name}="(\\d+)"`).exec(head)?.[1] ?? 0);
  const failed = count("failures") + count("errors");
  return { passed: count("tests") - failed - count("skipped"), failed };
}

async function checkPart(part: Part, python: string, report: string): Promise<PythonOutcome> {
  const { folder, requirements } = part;
  if (!(await installed(part, python)))
    return {
      passed: 0,
      failed: 0,
      skipped: [
        `The packages of ${folder}/${requirements} could not be installed, so the tests of ${[folder, ...part.tests].join(" ")} were not run.`,
      ],
    };
  let [passed, failed] = [0, 0];
  for (const [name, ...rest] of part.checks)
    if (await step(part, [inside(part, name), ...rest])) passed += 1;
    else failed += 1;
  const ran = await step(
    part,
    [
      inside(part, "python"),
      "-m",
      "pytest",
      "-q",
      "-p",
      "no:cacheprovider",
      `--junitxml=${report}`,
      ...part.tests,
    ],
    { BUN: process.execPath },
  );
  const tests = totals(report);
  // A run that fails without a failed test, such as one without tests, is a failure too.
  const broken = ran || tests.failed > 0 ? 0 : 1;
  return { passed: passed + tests.passed, failed: failed + tests.failed + broken, skipped: [] };
}

/** Runs lint, types and tests of each part, or says why it does not. The reports go into `folder`. */
export async function runPython(parts: readonly Part[], folder: string): Promise<PythonOutcome> {
  const python = pythonCommand();
  const tests = [...new Set(parts.map((part) => `${part.folder}/`))].join(" and ");
  if (python === undefined)
    return {
      passed: 0,
      failed: 0,
      skipped: [`python3, 3.11 or newer and with venv, is missing, so the tests of ${tests} were not run.`],
    };
  const outcomes: PythonOutcome[] = [];
  for (const [at, part] of parts.entries()) {
    process.stdout.write(`-- ${[part.folder, ...part.tests].join(" ")}\n`);
    outcomes.push(await checkPart(part, python, join(folder, `python-${at}.xml`)));
  }
  return {
    passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
    failed: outcomes.reduce((sum, { failed }) => sum + failed, 0),
    skipped: outcomes.flatMap(({ skipped }) => skipped),
  };
}
