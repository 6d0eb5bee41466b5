// A service whose disk runs full: what is stored is answered, with the reason why nothing newer is there.
import { Database } from "bun:sqlite";
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { openSampleService } from "../support/service.ts";
import { canMount, lakeYard } from "./lake-support.ts";

setDefaultTimeout(1_200_000);

const yard = lakeYard();
afterEach(yard.clear);

/** Fills the disk to its last byte. */
function fill(path: string): void {
  const file = openSync(path, "a");
  for (const bytes of [1_048_576, 4_096, 1])
    try {
      for (;;) writeSync(file, Buffer.alloc(bytes));
    } catch (error) {
      expect((error as { code?: string }).code).toBe("ENOSPC");
    }
  closeSync(file);
}

const SPAN = "start_date=2026-09-03&end_date=2026-09-08";
/** Questions, and whether their answers say that something newer could not be stored. */
const QUESTIONS: readonly (readonly [path: string, isReported: boolean])[] = [
  ["/price/data?tickers=ZORP,KRONK&start_date=2026-06-01&end_date=2026-09-08&format=csv", false],
  [`/shortvolume/pit-panel?${SPAN}`, false],
  ...["csv", "ndjson", "parquet", "records"].map(
    (format) => [`/shortvolume/pit-panel?${SPAN}&format=${format}`, false] as const,
  ),
  ["/financial/data/ZORP", true],
  ["/filings/search?ticker=ZORP", true],
  ["/filings/events/ZORP?days=800", true],
  ["/insider/summary/ZORP", true],
  ["/news", false],
  ["/news/ZORP", true],
  ["/changes?limit=50&format=csv", false],
];

test.skipIf(!canMount())(
  "a full disk: what is stored is answered, and what cannot be kept is reported",
  async () => {
    const disk = await yard.smallDisk(120);
    const dataDir = join(disk, "data");
    const service = await openSampleService({
      dataDir,
      env: { SEC_USER_AGENT: "Asof tests tests@asof.example" },
    });
    try {
      await service.post("/api/v1/shortvolume/admin/ingest", { date: "2026-09-08" });
      const ask = async (path: string) => {
        const response = await service.fetch(`/api/v1${path}`);
        const text = await response.text();
        return { status: response.status, text, isReported: text.includes("the disk is full") };
      };
      const rowsIn = (text: string) =>
        Object.entries(JSON.parse(text)).flatMap(([name, value]) =>
          !name.startsWith("warning") && Array.isArray(value) ? [name, value.length] : [],
        );
      const before: string[] = [];
      for (const [path] of QUESTIONS) before.push((await ask(path)).text);
      const database = new Database(join(dataDir, "ops.sqlite"));
      database.run("PRAGMA wal_checkpoint(TRUNCATE)");
      database.close();
      fill(join(disk, "filler"));
      // The lists of filings are read again after five minutes.
      service.clock.set("2026-09-09T22:30:00Z");
      for (const [at, [path, isReported]] of QUESTIONS.entries()) {
        const answer = await ask(path);
        expect([path, answer.status, answer.isReported]).toEqual([path, 200, isReported]);
        if (path.includes("format=")) expect(answer.text).toBe(before[at] ?? "");
        else expect([path, rowsIn(answer.text)]).toEqual([path, rowsIn(before[at] ?? "")]);
      }
      // A company without stored rows has no answer.
      expect((await ask("/price/data/WUZZL?period=1m")).text).toContain("database_unavailable");
      expect((await ask("/filings/search?ticker=WUZZL")).status).toBe(503);
      rmSync(join(disk, "filler"));
      for (const [path] of QUESTIONS) {
        const { status, isReported } = await ask(path);
        expect([path, status, isReported]).toEqual([path, 200, false]);
      }
    } finally {
      await service.stop();
    }
  },
);

if (!canMount()) test.skip("skipped: no disk can be mounted here", () => {});
