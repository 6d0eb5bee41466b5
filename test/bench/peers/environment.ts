// The virtual environment with the libraries that the service is compared with.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type PythonChild, startPython } from "../python-child.ts";

const root = resolve(import.meta.dir, "../../..");
/** Git ignores it with all of node_modules. */
const ENVIRONMENT = join(root, "node_modules", ".cache", "peers");
const PYTHON = join(ENVIRONMENT, "bin", "python");
const REQUIREMENTS = join(import.meta.dir, "requirements.txt");

function run(...command: string[]): void {
  const done = Bun.spawnSync(command, { stdio: ["ignore", "ignore", "inherit"] });
  if (!done.success) throw new Error(`${command.slice(0, 3).join(" ")} ended with ${done.exitCode}`);
}

/**
 * The Python of the environment, which is made once for a list of packages. Throws where Python 3 is missing.
 */
function peerPython(tell: (line: string) => void): string {
  const wanted = readFileSync(REQUIREMENTS, "utf8");
  const mark = join(ENVIRONMENT, "installed");
  if (existsSync(mark) && readFileSync(mark, "utf8") === wanted) return PYTHON;
  tell("installing what the service is compared with");
  mkdirSync(ENVIRONMENT, { recursive: true });
  run("python3", "-m", "venv", "--clear", ENVIRONMENT);
  run(PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", REQUIREMENTS);
  writeFileSync(mark, wanted);
  return PYTHON;
}

/** Starts a script of this folder in that environment, with the project's own package on its path. */
export const startPeer = (script: string, tell: (line: string) => void): PythonChild =>
  startPython(peerPython(tell), join(import.meta.dir, script), { PYTHONPATH: join(root, "python", "src") });

/** The versions of everything that is compared with, for the table's head. */
export async function peerVersions(tell: (line: string) => void): Promise<string> {
  const child = startPeer("bars.py", tell);
  const { text } = await child.ask<{ text: string }>({ what: "versions" });
  await child.stop();
  return text;
}
