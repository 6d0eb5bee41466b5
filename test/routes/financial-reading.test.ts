// Figures stored by an earlier version of the parser, or changed in the regulator's file since: what is
// served, what the lake stores, and what an interrupted run leaves.
import { afterAll, beforeEach, describe, expect, setDefaultTimeout, spyOn, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FinancialDataResponse } from "../../src/capabilities/financial/schema.ts";
import { financial_filers } from "../../src/capabilities/financial/tables.ts";
import { financialFacts } from "../../src/datasets/financial-facts.ts";
import { UpstreamFailed } from "../../src/platform/errors.ts";
import type { RowOf } from "../../src/platform/lake/dataset.ts";
import { batchOf, openCatalogue } from "../../src/platform/lake/lake.ts";
import { openZip } from "../../src/platform/zip.ts";
import { FACTS_READING } from "../../src/providers/edgar/index.ts";
import { type FinancialApp, openFinancialApp } from "../support/financial-app.ts";
import { acme, financialWorld } from "../support/financial-companies.ts";
import { factsJson } from "../support/financial-world.ts";
import { zipOf } from "../support/zip-file.ts";

setDefaultTimeout(1_200_000);

type Data = FinancialDataResponse;
type FactRow = RowOf<typeof financialFacts>;
const ACME = "0009100001";
let app: FinancialApp;
beforeEach(async () => {
  await app?.close();
  app = await openFinancialApp({ world: financialWorld() });
});
afterAll(() => app.close());

const rows = () =>
  app.lake.query<FactRow>(
    "SELECT * EXCLUDE (recorded) FROM financial_facts ORDER BY accession_number, line, period, filed_date",
  );
const filer = () => app.sqlite.use((db) => db.select().from(financial_filers).get());
const get = async (query = "") => (await app.get<Data>(`/data/ACME${query}`)).body;
const setReading = (reading: number) =>
  app.sqlite.write((db) => db.update(financial_filers).set({ reading }).run());

/** Leaves the store as an earlier reading would have: a wrong revenue, a line too many, one too few. */
async function storedWrongly(): Promise<{ right: FactRow[] }> {
  await get();
  const right = await rows();
  const wrong = right
    .filter(({ line }) => line !== "total_assets")
    .map((row) => (row.line === "revenue" ? { ...row, value: row.value * 1_000 } : row));
  const [one] = wrong;
  if (!one) throw new Error("nothing is stored");
  const stray = { ...one, line: "goodwill", statement: "balance_sheet", value: 7 };
  const groups = [...new Set(right.map((row) => row.accession_number))].map((report) => [ACME, report]);
  await app.lake.append([
    batchOf(financialFacts, [...wrong, stray], { by: ["cik", "accession_number"], groups }),
  ]);
  // A store from before the version was recorded.
  setReading(0);
  app.clock.set("2026-09-09T21:05:00Z");
  return { right };
}

describe("figures read by an earlier version of the parser", () => {
  test("are read again on the next request; answers and lake have the new ones, known since the filing", async () => {
    const before = await get();
    const { right } = await storedWrongly();
    expect((await rows()).length).not.toBe(0);
    const after = await get();
    expect(after).toEqual({ ...before, cached: false, last_updated: after.last_updated });
    expect(await rows()).toEqual(right);
    const changes = await app.lake.ledger({
      from: (await app.lake.generation()) - 1,
      to: await app.lake.generation(),
      datasets: [financialFacts],
    });
    expect(new Set(changes.map(({ cause }) => cause))).toEqual(new Set(["our_reading"]));
    expect(changes.some(({ op, key }) => op === "withdraw" && key.line === "goodwill")).toBe(true);
    const revenue = right.filter(({ line }) => line === "revenue");
    const accepted = new Map(
      app.world.filers.get("ACME")?.reports.map((report) => [report.accession, report.accepted]) ?? [],
    );
    for (const row of revenue) expect(row.accepted_at).toBe(accepted.get(row.accession_number) ?? null);
    expect(filer()?.reading).toBe(FACTS_READING);
    await app.lake.publish();
    const catalogue = await openCatalogue(app.dataDir);
    const { columns } = await catalogue.query(
      "SELECT count(*), sum(value) FROM financial_facts WHERE line = 'revenue'",
    );
    await catalogue.close();
    expect(columns).toEqual([[revenue.length], [revenue.reduce((total, { value }) => total + value, 0)]]);
    expect((await app.lake.check()).findings).toEqual([]);
  });

  test("are read again for a past as_of too", async () => {
    const before = await get("?as_of=2025-03-01");
    await storedWrongly();
    const after = await get("?as_of=2025-03-01");
    expect(after.income_statement).toEqual(before.income_statement);
    expect(after.income_statement.length).toBeGreaterThan(0);
  });

  test("only once: the second request fetches and writes nothing", async () => {
    await storedWrongly();
    await get();
    const [asked, stored] = [app.world.asked.length, await rows()];
    expect((await get()).cached).toBe(true);
    expect(app.world.asked.length).toBe(asked);
    // And a second reading of the same file changes no file of the lake.
    const manifest = () => Bun.file(join(app.dataDir, "lake", "manifest.json")).json();
    const { generation } = await manifest();
    setReading(0);
    await get();
    expect(app.world.asked.length).toBe(asked + 1);
    expect(await rows()).toEqual(stored);
    expect((await manifest()).generation).toBe(generation);
  });

  test("are served with a warning while the regulator cannot be asked", async () => {
    await storedWrongly();
    const wrong = await rows();
    app.world.failFacts = new UpstreamFailed("edgar", "EDGAR is down.");
    const reported = await get();
    expect(reported.errors).toEqual({ financials: "EDGAR is down." });
    expect(reported.warnings).toContain(
      "The figures were read by an earlier version of this service and could not be read again.",
    );
    expect(await rows()).toEqual(wrong);
    app.world.failFacts = null;
    const { errors, warnings } = await get();
    expect([errors, warnings.filter((warning) => warning.includes("earlier version"))]).toEqual([{}, []]);
  });

  test("a run interrupted between the figures and their state is completed by the next one", async () => {
    const { right } = await storedWrongly();
    const write = app.sqlite.write.bind(app.sqlite);
    const broken = spyOn(app.sqlite, "write").mockImplementation(() => {
      throw new UpstreamFailed("edgar", "killed here");
    });
    await get();
    broken.mockRestore();
    expect(app.sqlite.write).not.toBe(write);
    expect(filer()?.reading).toBe(0);
    expect(await rows()).toEqual(right);
    await get();
    expect(filer()?.reading).toBe(FACTS_READING);
    expect(await rows()).toEqual(right);
  });

  test("are replaced from a newer archive, not from an older one", async () => {
    const { right } = await storedWrongly();
    const wrong = await rows();
    const take = async (name: string, madeMs: number) => {
      const path = join(app.dataDir, name);
      await writeFile(path, zipOf([{ name: `CIK${ACME}.json`, text: factsJson(acme(ACME)) }]));
      const archive = await openZip(path);
      const signal = new AbortController().signal;
      await app.capability.backfill.archive({ archive, name, madeMs, signal }, () => undefined);
      await archive.close();
    };
    await take("older.zip", Date.parse("2026-09-01T03:00:00Z"));
    expect(filer()?.reading).toBe(0);
    // Missing rows are added; stored ones stay.
    expect((await rows()).filter(({ line }) => line !== "total_assets")).toEqual(wrong);
    await take("newer.zip", Date.parse("2026-09-10T03:00:00Z"));
    expect(filer()?.reading).toBe(FACTS_READING);
    expect(await rows()).toEqual(right);
  });
});

describe("a file that states a stored figure differently", () => {
  const change = (factor: number, count = Number.POSITIVE_INFINITY) => {
    const figures = app.world.filers.get("ACME")?.figures ?? [];
    const report = figures.find(([tag]) => /Revenue/.test(tag))?.[5];
    let left = count;
    for (const [at, [tag, unit, start, end, value, own]] of figures.entries())
      if (/Revenue/.test(tag) && own === report && left-- > 0)
        figures[at] = [tag, unit, start, end, value * factor, own];
    return report ?? "";
  };

  test("is stored with a warning, because a filing never changes; other reports stay untouched", async () => {
    await get();
    const before = await rows();
    const report = change(1.01);
    app.clock.set("2026-09-09T21:05:00Z");
    const after = await get("?force_refresh=true");
    expect(after.warnings).toContain(
      `The SEC's file now states figures of ${report} differently; the stored ones are replaced.`,
    );
    const to = await app.lake.generation();
    const reread = await app.lake.ledger({ from: 0, to, datasets: [financialFacts], op: "reread" });
    expect(new Set(reread.map(({ cause }) => cause))).toEqual(new Set(["source_changed"]));
    expect(reread.some(({ key }) => key.accession_number === report)).toBe(true);
    const now = await rows();
    expect(now.filter((row) => row.accession_number !== report && row.revision === "first")).toEqual(
      before.filter((row) => row.accession_number !== report && row.revision === "first"),
    );
    const revenues = (of: readonly FactRow[]) =>
      of
        .filter((row) => row.accession_number === report && row.line === "revenue")
        .map(({ value, known_at }) => [value, known_at]);
    expect(revenues(now)).toEqual(revenues(before).map(([value, at]) => [Number(value) * 1.01, at ?? null]));
  });

  test("that lost most of its figures is refused, and the stored ones are served", async () => {
    await get();
    const before = await rows();
    change(2);
    const own = app.world.filers.get("ACME");
    if (!own) throw new Error("no ACME");
    own.figures.splice(Math.floor(own.figures.length / 3));
    app.clock.set("2026-09-09T21:05:00Z");
    const { errors, income_statement } = await get("?force_refresh=true");
    expect(errors.financials).toMatch(
      /^The SEC.s file of CIK 0009100001 has \d+ figures where \d+ are stored/,
    );
    expect(income_statement.length).toBe(6);
    expect(await rows()).toEqual(before);
  });

  test("that no longer has a report leaves its stored figures as they are", async () => {
    await get();
    const before = await rows();
    const own = app.world.filers.get("ACME");
    const dropped = own?.reports[0]?.accession ?? "";
    app.world.unread.add(dropped);
    app.clock.set("2026-09-09T21:05:00Z");
    await get("?force_refresh=true");
    const kept = (of: readonly FactRow[]) => of.filter((row) => row.accession_number === dropped);
    expect(kept(await rows())).toEqual(kept(before));
    expect(kept(before).length).toBeGreaterThan(0);
  });
});
