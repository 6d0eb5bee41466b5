// The service bundled into one file with its compiled bytecode. A bundle is run only for exactly its own
// sources.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Inputs of a bundle besides `src`; the lock file covers all packages. */
const BESIDE = ["bun.lock", "package.json", "tsconfig.json", "scripts/bundle.ts"];
/** The script and its compiled bytecode. */
const RUN = ["process.js", "process.js.jsc"] as const;
/** Written last: a folder without it is not a bundle. */
export const SEAL = "seal";

/** Folder of the bundles of the project at `root`: ignored by git, deleted together with the packages. */
export const bundlesOf = (root: string): string => join(root, "node_modules", ".cache", "asof");

/** Folder for the bundle of the current sources. Its name is their hash, so no other bundle is ever found. */
export function bundlePlace(root: string): string {
  const hasher = new Bun.CryptoHasher("sha256");
  // The bundle contains paths of the sources, and bytecode works with one build of Bun only.
  hasher.update([root, Bun.revision, process.platform, process.arch].join("\n"));
  const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.\w+$/.test(name) && !name.endsWith(".test.ts"))
    .map((name) => join("src", name));
  for (const name of [...BESIDE, ...sources.sort()]) {
    const path = join(root, name);
    const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
    hasher.update(`\n${name} ${bytes.byteLength}\n`);
    hasher.update(bytes);
  }
  return join(bundlesOf(root), hasher.digest("hex"));
}

/** The hash of the files to run in `folder`. */
export const sealOf = (folder: string): string =>
  RUN.map((name) => Bun.hash(readFileSync(join(folder, name))).toString(16)).join(" ");

/** The script of the bundle of the current sources; null when there is none. */
export const madeBundle = (root: string): string | null =>
  existsSync(bundlesOf(root)) ? scriptIn(bundlePlace(root)) : null;

/** The script of the bundle in `folder`; null when there is none or its files have changed. */
export function scriptIn(folder: string): string | null {
  const parts = [...RUN, SEAL].map((name) => join(folder, name));
  if (!parts.every((path) => existsSync(path))) return null;
  return readFileSync(join(folder, SEAL), "utf8") === sealOf(folder) ? join(folder, RUN[0]) : null;
}
