// The service as one file beside its compiled code, run in place of the sources it was made of and of no others.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What a bundle depends on beside `src`; the lock file stands for all packages. */
const BESIDE = ["bun.lock", "package.json", "tsconfig.json", "scripts/bundle.ts"];
/** What is run: the script, and what Bun has compiled of it. */
const RUN = ["process.js", "process.js.jsc"] as const;
/** Written last, so that a folder without it is no bundle. */
export const SEAL = "seal";

/** Where the bundles of the project at `root` lie: below what is ignored, and goes with the packages. */
export const bundlesOf = (root: string): string => join(root, "node_modules", ".cache", "asof");

/** Where the bundle of the sources as they are now belongs. Its name is their content, so no other is ever found. */
export function bundlePlace(root: string): string {
  const hasher = new Bun.CryptoHasher("sha256");
  // Paths of the sources are written into it, and compiled code is for one build of Bun alone.
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

/** The hash of what would be run of the bundle in `folder`. */
export const sealOf = (folder: string): string =>
  RUN.map((name) => Bun.hash(readFileSync(join(folder, name))).toString(16)).join(" ");

/** The script of the bundle of the sources as they are now; null where none was made. */
export const madeBundle = (root: string): string | null =>
  existsSync(bundlesOf(root)) ? scriptIn(bundlePlace(root)) : null;

/** The script of the bundle in `folder`; null where there is none, or not as it was made. */
export function scriptIn(folder: string): string | null {
  const parts = [...RUN, SEAL].map((name) => join(folder, name));
  if (!parts.every((path) => existsSync(path))) return null;
  return readFileSync(join(folder, SEAL), "utf8") === sealOf(folder) ? join(folder, RUN[0]) : null;
}
