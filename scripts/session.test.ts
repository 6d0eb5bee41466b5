// A failure of the store in the background is one of the command.
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

setDefaultTimeout(1_200_000);

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

/** Stores one row in a session of its own over the folder. */
const SCRIPT = `
  const { withService } = await import("./scripts/session.ts");
  const { barsProvisional } = await import("./src/datasets/index.ts");
  const { batchOf } = await import("./src/platform/lake/lake.ts");
  const row = { symbol: "A", date: "2026-01-05", open: 1, high: 1, low: 1, close: 1, volume: 1, adj_close: 1, currency: "USD",
    basis_date: "2026-01-06",
    known_at: "2026-01-05T22:00:00Z", source: "yahoo" };
  const isWhole = await withService(({ stores }) => stores.lake.append([batchOf(barsProvisional, [row])]));
  console.log("whole: " + isWhole);
`;

async function session(prepare: (dataDir: string) => Promise<unknown>) {
  const dataDir = await mkdtemp(join(tmpdir(), "asof-session-"));
  folders.push(dataDir);
  await prepare(dataDir);
  const child = Bun.spawn([process.execPath, "-e", SCRIPT], {
    cwd: join(import.meta.dir, ".."),
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [said, complained] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, said, complained };
}

test("a store that fails in the background makes its command fail", async () => {
  // The folder of the Delta log cannot be made where a file is in its place.
  const { code, said, complained } = await session(async (dataDir) => {
    await mkdir(join(dataDir, "lake", "bars_provisional"), { recursive: true });
    await Bun.write(join(dataDir, "lake", "bars_provisional", "_delta_log"), "");
  });
  expect(complained).toContain("background work of the lake failed");
  expect(said).toMatch(/^The store failed \d+ times in the background/m);
  expect([code, said.includes("whole: false")]).toEqual([1, true]);
});

test("one that does not ends with 0", async () => {
  const { code, said } = await session(async () => undefined);
  expect([code, said.trim()]).toEqual([0, "whole: true"]);
});
