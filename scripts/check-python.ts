// The Python package's part of `bun run check`: lint, types and tests in a virtual environment of its own.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dir, "..");
const folder = join(root, "python");
/** Git ignores it with all of node_modules. */
const environment = join(root, "node_modules", ".cache", "python");
const inside = (name: string) => join(environment, process.platform === "win32" ? "Scripts" : "bin", name);

export interface PythonOutcome {
  readonly passed: number;
  readonly failed: number;
  /** Why nothing was run, one sentence; null where the tests ran. */
  readonly skipped: string | null;
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

async function step(command: string[], env: Record<string, string> = {}): Promise<boolean> {
  const child = Bun.spawn(command, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit"],
  });
  return (await child.exited) === 0;
}

/** Makes the environment once per list of packages. False where they cannot be installed. */
async function installed(python: string): Promise<boolean> {
  const requirements = readFileSync(join(folder, "requirements-test.txt"), "utf8");
  const wanted = Bun.hash(requirements + root).toString(16);
  const stamp = join(environment, "installed");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return true;
  mkdirSync(environment, { recursive: true });
  const pip = [inside("python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
  const made =
    (await step([python, "-m", "venv", "--clear", environment])) &&
    (await step([...pip, "-r", "requirements-test.txt"])) &&
    (await step([...pip, "--no-deps", "-e", "."]));
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

/** Runs lint, types and tests of python/, or says why it does not. */
export async function checkPython(report: string): Promise<PythonOutcome> {
  const without = (skipped: string): PythonOutcome => ({ passed: 0, failed: 0, skipped });
  const python = pythonCommand();
  if (python === undefined)
    return without("python3, 3.11 or newer and with venv, is missing, so the tests of python/ were not run.");
  if (!(await installed(python)))
    return without(
      "The packages of python/requirements-test.txt could not be installed, so the tests of python/ were not run.",
    );
  const checks = [
    await step([inside("ruff"), "check", "."]),
    await step([inside("ruff"), "format", "--check", "."]),
    await step([inside("mypy")]),
  ];
  const ran = await step([inside("pytest"), "-q", "-p", "no:cacheprovider", `--junitxml=${report}`], {
    BUN: process.execPath,
  });
  const { passed, failed } = totals(report);
  const broken = checks.filter((ok) => !ok).length + (ran || failed > 0 ? 0 : 1);
  return { passed: passed + checks.filter((ok) => ok).length, failed: failed + broken, skipped: null };
}
