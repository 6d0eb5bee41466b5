import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventRows } from "../../src/capabilities/ownership/event-rows.ts";
import { tradeRows } from "../../src/capabilities/ownership/trade-rows.ts";
import { insiderTransactions, ownershipEvents } from "../../src/datasets/index.ts";
import { batchOf, type Lake } from "../../src/platform/lake/lake.ts";
import {
  type Acceptance,
  isUnread,
  parseBeneficial,
  parseOwnershipXml,
} from "../../src/providers/edgar/index.ts";
import { openWholeLake } from "../support/whole-lake.ts";
import { bytesOf, hasRecordings, listed } from "./edgar-recordings.ts";

setDefaultTimeout(1_200_000);

/** Of a document alone neither number nor moment is known: these stand in for both. */
const moment: Acceptance = {
  accepted_at: "2026-08-13T20:30:00Z",
  filing_date: "2026-08-13",
  precision: "second",
  source: "header",
  public_from: "2026-08-13T20:30:00Z",
};
const numberOf = (n: number) => `0000000000-26-${String(n).padStart(6, "0")}`;

const filesIn = (parts: readonly string[]): string[] => parts.flatMap((part) => listed(part, /\.xml$/));

if (!hasRecordings) test.skip("skipped: no recordings", () => {});
else
  describe("recorded filings as rows", () => {
    let lake: Lake;
    let dir: string;
    beforeAll(async () => {
      dir = await mkdtemp(join(tmpdir(), "asof-rows-"));
      lake = await openWholeLake(dir);
    });
    afterAll(async () => {
      await lake.close();
      await rm(dir, { recursive: true, force: true });
    });

    test("every form fits the lake: a row a trade, none for a holding, all owners with it", async () => {
      let trades = 0;
      for (const [n, path] of filesIn(["form3", "form4", "form5"]).entries()) {
        const form = parseOwnershipXml(bytesOf(path));
        if (isUnread(form)) continue;
        const filing = { ...form, ...moment, accession_number: numberOf(n) };
        const rows = tradeRows(filing, { reading: 1, sha256: null });
        expect([path, rows.length]).toEqual([path, form.transactions.length]);
        for (const row of rows) {
          expect(JSON.parse(row.owners)).toHaveLength(form.owners.length);
          expect(row.known_at).toBe("2026-08-13T20:30:00.000Z");
        }
        const [done] = await lake.append([batchOf(insiderTransactions, rows)]);
        expect([path, done?.written]).toEqual([path, rows.length]);
        trades += rows.length;
      }
      const counted = await lake.query(
        "SELECT count(*)::INTEGER AS n FROM insider_transactions_as_of('2026-08-13')",
      );
      expect(counted).toEqual([{ n: trades }]);
      expect(await lake.query("SELECT * FROM insider_transactions_as_of('2026-08-12')")).toEqual([]);
    });

    test("every schedule fits the lake: a row a person, of the filing the largest and never a sum", async () => {
      for (const [n, path] of filesIn(["sc13d", "sc13g"]).entries()) {
        const form_type = path.startsWith("sc13d/") ? "SCHEDULE 13D" : "SCHEDULE 13G";
        const read = parseBeneficial(bytesOf(path), form_type);
        if (isUnread(read)) continue;
        const holder = { cik: null, name: read.persons[0]?.name ?? null };
        const rows = eventRows(
          { ...read, ...moment, holder, accession_number: numberOf(n) },
          "0".repeat(64),
          1,
        );
        expect([path, rows.length]).toEqual([path, read.persons.length]);
        const percents = rows.flatMap((row) => row.ownership_pct ?? []);
        expect([path, rows[0]?.filing_pct]).toEqual([
          path,
          percents.length > 0 ? Math.max(...percents) : null,
        ]);
        const [done] = await lake.append([batchOf(ownershipEvents, rows)]);
        expect([path, done?.written]).toEqual([path, rows.length]);
      }
    });
  });
