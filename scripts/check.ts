// `bun run check`: format, lint, types and all tests; its last line is "N passed, N failed".
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { CHECKED, NOT_CHECKED, REQUIRED, runPython } from "./check-python.ts";

const root = resolve(import.meta.dir, "..");

async function step(title: string, command: string[]): Promise<boolean> {
  process.stdout.write(`\n== ${title}\n`);
  const child = Bun.spawn(command, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  return (await child.exited) === 0;
}

/** Reads the totals of a JUnit report: tests, failures and skipped ones. */
function totals(path: string): { passed: number; failed: number; skipped: number } {
  const head = /<testsuites[^>]*>/.exec(readFileSync(path, "utf8"))?.[0] ?? "";
  const count = (name: string) => Number(new RegExp(`${name}="(\\d+)"`).exec(head)?.[1] ?? 0);
  const [tests, failed, skipped] = [count("tests"), count("failures"), count("skipped")];
  return { passed: tests - failed - skipped, failed, skipped };
}

const bin = (name: string) => join(root, "node_modules", ".bin", name);
const checks = [
  await step("format and lint", [bin("biome"), "check", "--error-on-warnings", "."]),
  await step("types", [bin("tsc"), "-p", "."]),
];
const folder = mkdtempSync(join(tmpdir(), "asof-check-"));
const report = join(folder, "tests.xml");
process.stdout.write("\n== tests\n");
const tests = Bun.spawn(
  [
    process.execPath,
    "test",
    "--only-failures",
    // A worker a core, each keeping its modules from file to file.
    "--parallel",
    "--no-isolate",
    "--timeout=1200000",
    "--reporter=junit",
    `--reporter-outfile=${report}`,
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: ["ignore", "inherit", "inherit"] },
);
const testsOk = (await tests.exited) === 0;
let { passed, failed, skipped } = { passed: 0, failed: 1, skipped: 0 };
try {
  ({ passed, failed, skipped } = totals(report));
} catch {
  process.stdout.write("The tests left no report.\n");
}
process.stdout.write("\n== Python\n");
const isRequired = process.env.CHECK_PYTHON === "required";
const python = process.argv.length > 2 ? null : await runPython(isRequired ? REQUIRED : CHECKED, folder);
rmSync(folder, { recursive: true, force: true });
const broken = checks.filter((ok) => !ok).length + (testsOk || failed > 0 ? 0 : 1);
passed += checks.filter((ok) => ok).length;
failed += broken;
if (python !== null) {
  passed += python.passed;
  failed += python.failed;
  for (const why of [...python.skipped, ...(isRequired ? [] : NOT_CHECKED)])
    process.stdout.write(`Skipped: ${why}\n`);
  // Where Python is required, a check without its tests has not passed.
  if (isRequired) failed += python.skipped.length;
}
process.stdout.write(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`);
process.exit(failed === 0 && testsOk ? 0 : 1);
