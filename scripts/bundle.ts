// `bun scripts/bundle.ts`: makes the bundle of the sources as they are, unless it is there. What starts the
// service does so first; where the folder may not be written afterwards (an image, a unit), it is run once at
// install.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { bundlePlace, bundlesOf, SEAL, scriptIn, sealOf } from "../src/platform/bundle.ts";

/** Bundles that stay: a process may still run an older one, and read the places of its errors from it. */
const KEPT = 3;
/** A younger bundle may still be in the making by another process. */
// A draft of 5 minutes ago stays; one of 11 minutes ago was left by a killed process.
const YOUNG_MS = 10 * 60_000;

/**
 * Takes the text of the sources out of the map at `path`: it lies where it did, and the start would read it
 * as well.
 */
async function slim(path: string): Promise<void> {
  const map = (await Bun.file(path).json()) as { sources: readonly string[] };
  await Bun.write(path, JSON.stringify({ ...map, sourcesContent: map.sources.map(() => null) }));
}

/** Removes bundles of older sources, and what makers that were killed left behind. */
function sweep(folder: string): void {
  const ages = readdirSync(folder).map((name) => {
    const path = join(folder, name);
    return { path, ageMs: Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) };
  });
  for (const { path, ageMs } of ages.sort((a, b) => a.ageMs - b.ageMs).slice(KEPT))
    if (ageMs > YOUNG_MS) rmSync(path, { recursive: true, force: true });
}

/**
 * Makes the bundle of the sources of the project at `root`, whose entry is src/process.ts, and gives its
 * script. It is made aside and renamed, so others see the whole of it or nothing. Throws where it cannot be
 * written.
 */
export async function makeBundle(root: string): Promise<string> {
  const place = bundlePlace(root);
  const there = scriptIn(place);
  if (there !== null) return there;
  const draft = join(bundlesOf(root), `making-${crypto.randomUUID()}`);
  mkdirSync(draft, { recursive: true });
  try {
    await Bun.build({
      entrypoints: [join(root, "src", "process.ts")],
      outdir: draft,
      naming: "[name].[ext]",
      target: "bun",
      // The format that Bun compiles ahead; `import.meta.dir` becomes the folder of the source, where
      // migrations and pages lie.
      format: "cjs",
      bytecode: true,
      sourcemap: "linked",
      // It picks the native library of the machine as it is loaded.
      external: ["@duckdb/node-bindings"],
    });
    await slim(join(draft, "process.js.map"));
    if (bundlePlace(root) !== place) throw new Error("the sources changed while they were bundled");
    writeFileSync(join(draft, SEAL), sealOf(draft));
    // A broken one makes room; a whole one of another process that was faster stays.
    if (scriptIn(place) === null) {
      rmSync(place, { recursive: true, force: true });
      renameSync(draft, place);
    }
    sweep(bundlesOf(root));
    return join(place, "process.js");
  } catch (error) {
    const theirs = scriptIn(place);
    if (theirs === null) throw error;
    return theirs;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

if (import.meta.main)
  await makeBundle(resolve(import.meta.dir, "..")).catch((error: unknown) => {
    const why = error instanceof AggregateError ? error.errors.join("\n") : String(error);
    process.stderr.write(`No bundle could be made, so starts take longer: ${why}\n`);
    process.exit(1);
  });
