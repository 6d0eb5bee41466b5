// `bun run endure mutations`: breaks one mechanism of a copy of the last commit at a time, and runs test
// files until one fails. It says something of a commit that has passed `bun run check`.
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

interface Mutation {
  readonly mechanism: string;
  readonly file: string;
  readonly find: string;
  readonly replacement: string;
  /** Run in this order. */
  readonly tests: readonly string[];
}

interface TestRun {
  /** The first test that failed; null when all have passed. */
  readonly failed: string | null;
  readonly cpuS: number;
}

/** CPU of one test file at most; the longest takes about 120 s. */
const CPU_S_MAX = 600;
/** A file that uses no whole second of CPU for so long waits for something that does not come. */
const IDLE_S_MAX = 300;
const LOOK_S = 5;

const tell = (line: string) => void process.stdout.write(`${line}\n`);

/** Reads the table; mutations.txt says how it is written. */
export function readTable(text: string): Mutation[] {
  const blocks = text.split(/^(?== )/m).filter((block) => block.startsWith("= "));
  return blocks.map((block) => {
    const marked = (mark: string) =>
      block.split("\n").flatMap((line) => (line.startsWith(`${mark} `) ? [line.slice(2)] : []));
    return {
      mechanism: marked("=").join(" "),
      file: marked("@").join(" "),
      find: marked("-").join("\n"),
      replacement: marked("+").join("\n"),
      tests: marked(">").flatMap((line) => line.split(" ")),
    };
  });
}

/** Returns why a mutation cannot run in a checkout; null when it can. */
export function faultOf({ mechanism, file, find, tests }: Mutation, root: string): string | null {
  const path = join(root, file);
  if (!existsSync(path)) return `${mechanism}: there is no ${file}`;
  const found = find === "" ? 0 : readFileSync(path, "utf8").split(find).length - 1;
  if (found !== 1) return `${mechanism}: its text is ${found} times in ${file}`;
  const missing = tests.filter((test) => !existsSync(join(root, test)));
  return missing.length > 0 || tests.length === 0 ? `${mechanism}: no test ${missing.join(", ")}` : null;
}

/** Clones the last commit of a checkout. Its bundles are other than the copy's, which therefore has none. */
function copyOf(root: string): string {
  const copy = mkdtempSync(join(tmpdir(), "asof-mutations-"));
  const cloned = Bun.spawnSync(["git", "clone", "--quiet", "--shared", root, copy]);
  if (!cloned.success) throw new Error(`${root} could not be cloned: ${cloned.stderr.toString()}`);
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  return copy;
}

/** Seconds of CPU that the living processes of a session have used. */
function cpuOf(session: number): number {
  const { stdout } = Bun.spawnSync(["ps", "-o", "times=", "-s", String(session)]);
  return stdout
    .toString()
    .split("\n")
    .reduce((sum, text) => sum + Number(text), 0);
}

/** Sessions of tests under way, ended with this process. */
const sessions = new Set<number>();

function endSession(session: number): void {
  sessions.delete(session);
  try {
    process.kill(-session, "SIGKILL");
  } catch {
    // All of its processes have ended.
  }
}

/** Runs a test file until its first failure. Ends one that hangs, which counts as a failure. */
async function runTests(root: string, copy: string, file: string): Promise<TestRun> {
  const recordings = process.env.CONFORMANCE_DIR ?? resolve(root, "../shared/real");
  const child = Bun.spawn([process.execPath, "test", "--bail", "--timeout=1200000", `./${file}`], {
    cwd: copy,
    env: { ...process.env, CONFORMANCE_DIR: recordings },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  sessions.add(child.pid);
  let [hung, cpuS, idleS] = [false, 0, 0];
  const looks = setInterval(() => {
    const now = cpuOf(child.pid);
    idleS = now === cpuS ? idleS + LOOK_S : 0;
    cpuS = now;
    if (cpuS <= CPU_S_MAX && idleS < IDLE_S_MAX) return;
    hung = true;
    endSession(child.pid);
  }, LOOK_S * 1000);
  // A service that a test has left behind keeps the outputs open.
  const texts = [new Response(child.stdout).text(), new Response(child.stderr).text()];
  const code = await child.exited;
  clearInterval(looks);
  endSession(child.pid);
  const text = (await Promise.all(texts)).join("\n");
  cpuS = Math.max(cpuS, Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6);
  if (code === 0) return { failed: null, cpuS };
  const name = /^\(fail\) (.*?)(?: \[[\d.]+ms\])?$/m.exec(text)?.[1];
  return { failed: hung ? "it hung" : (name ?? "it did not load"), cpuS };
}

/** Breaks the copy by one mutation and runs its tests until one fails. */
async function tryMutation({ file, find, replacement, tests }: Mutation, root: string, copy: string) {
  const path = join(copy, file);
  const whole = readFileSync(path, "utf8");
  writeFileSync(
    path,
    whole.replace(find, () => replacement),
  );
  let cpuS = 0;
  for (const test of tests) {
    const run = await runTests(root, copy, test);
    cpuS += run.cpuS;
    if (run.failed === null) continue;
    writeFileSync(path, whole);
    return { caught: `${test}: ${run.failed}`, cpuS };
  }
  writeFileSync(path, whole);
  return { caught: null, cpuS };
}

/** Runs the mutations and gives the exit code. */
export async function mutations(args: string[]): Promise<number> {
  const { only, checkout, table } = parseArgs({
    args,
    options: { only: { type: "string" }, checkout: { type: "string" }, table: { type: "string" } },
  }).values;
  const root = resolve(checkout ?? join(import.meta.dir, "../.."));
  const all = readTable(readFileSync(table ?? join(import.meta.dir, "mutations.txt"), "utf8"));
  const chosen = all.filter(({ mechanism }) => only === undefined || mechanism.includes(only));
  const copy = copyOf(root);
  process.on("exit", () => {
    sessions.forEach(endSession);
    rmSync(copy, { recursive: true, force: true });
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));
  const faults = chosen.flatMap((mutation) => faultOf(mutation, copy) ?? []);
  faults.forEach(tell);
  if (faults.length > 0 || chosen.length === 0) return 2;
  let escaped = 0;
  tell("| mutation | caught by | CPU, s |\n|---|---|---|");
  for (const mutation of chosen) {
    const { caught, cpuS } = await tryMutation(mutation, root, copy);
    if (caught === null) escaped++;
    tell(`| ${mutation.mechanism} | ${caught ?? "escaped"} | ${cpuS.toFixed(1)} |`);
  }
  tell(`${chosen.length - escaped} caught, ${escaped} escaped`);
  return escaped === 0 ? 0 : 1;
}
