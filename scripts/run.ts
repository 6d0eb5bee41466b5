// Runs the package's scripts: installs the packages when they are missing or old, bundles the service, then
// does the work. Neither it nor what it imports may import a package, since on a fresh clone there is none.
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { madeBundle } from "../src/platform/bundle.ts";

const root = resolve(import.meta.dir, "..");
const [task = "", ...rest] = process.argv.slice(2);

/** Runs a command with this very Bun, its output shown; gives the exit code. */
async function bun(args: string[], env: Record<string, string> = {}): Promise<number> {
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["inherit", "inherit", "inherit"],
  });
  const pass = (signal: NodeJS.Signals) => child.kill(signal);
  process.on("SIGTERM", pass);
  process.on("SIGINT", pass);
  return child.exited;
}

/** Whether packages are this user's to install; where a service runs under a name of its own they are not. */
function mayInstall(): boolean {
  try {
    accessSync(root, constants.W_OK);
    return true;
  } catch {
    return !existsSync(join(root, "node_modules"));
  }
}

/** Installs exactly what bun.lock says, once per lock file. */
async function install(): Promise<void> {
  if (!mayInstall()) return;
  const stamp = join(root, "node_modules", ".asof-installed");
  const wanted = Bun.hash(readFileSync(join(root, "bun.lock"))).toString(16);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  process.stderr.write("Installing packages…\n");
  const child = Bun.spawn([process.execPath, "install", "--frozen-lockfile", "--silent"], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if ((await child.exited) !== 0) {
    process.stderr.write("The packages could not be installed; see above.\n");
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
}

/**
 * Makes the bundle the service is run from, once per change of the sources; without it the sources are run.
 */
async function bundle(): Promise<void> {
  if (madeBundle(root) !== null) return;
  process.stderr.write("Bundling…\n");
  await Bun.spawn([process.execPath, "scripts/bundle.ts"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  }).exited;
}

/**
 * How the service runs. Installing and tests must not see it: without it they have the packages for
 * development.
 */
const PRODUCTION = { NODE_ENV: "production" };

const TASKS: Record<string, () => Promise<number>> = {
  start: () => bun(["src/main.ts", ...rest], PRODUCTION),
  demo: () => bun(["scripts/demo.ts", ...rest], PRODUCTION),
  cli: () => bun(["scripts/cli.ts", ...rest]),
  check: () => bun(["scripts/check.ts", ...rest]),
  quick: () => bun(["scripts/check.ts", "--quick", ...rest]),
  engines: () => bun(["scripts/check-python.ts", ...rest]),
  bench: () => bun(["test/bench/run.ts", ...rest]),
  endure: () => bun(["scripts/endure.ts", ...rest]),
};

const run = TASKS[task];
if (!run) {
  process.stderr.write(`There is no task "${task}"; there are ${Object.keys(TASKS).join(", ")}.\n`);
  process.exit(2);
}
await install();
if (task !== "cli") await bundle();
process.exit(await run());
