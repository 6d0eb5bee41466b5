import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { openSqlite, type Store } from "../../platform/sqlite/sqlite.ts";
import { type CompanyRegistry, companyRegistry, companyRows, fundRows } from "./registry.ts";
import { mainClass } from "./resolve.ts";
import type { SourceListed } from "./sources.ts";

/** Days of the fake world. */
const DAY_1 = Date.UTC(2026, 8, 1, 10);
const DAY_2 = Date.UTC(2026, 8, 2, 10);
const DAY_3 = Date.UTC(2026, 8, 3, 10);

let store: Store;
let registry: CompanyRegistry;
beforeEach(() => {
  store = openSqlite(":memory:");
  registry = companyRegistry(store);
});
afterEach(() => store.close());

const line = (ticker: string, cik: string, exchange: string | null = "NYSE"): SourceListed => ({
  ticker,
  cik,
  name: `Company ${cik}`,
  exchange,
});
const save = (lines: SourceListed[], atMs: number) => registry.saveList("company", companyRows(lines), atMs);

describe("a list", () => {
  test("new lines come in, absent ones are gone, and may come back", async () => {
    expect(await save([line("ZQA", "1"), line("ZQB", "2")], DAY_1)).toEqual({ added: 2, gone: 0 });
    expect(registry.list("company")).toMatchObject({ rows: 2, read_at: "2026-09-01T10:00:00.000Z" });
    expect(await save([line("ZQB", "2")], DAY_2)).toEqual({ added: 0, gone: 1 });
    expect(registry.listing("ZQA")).toMatchObject({ cik: "1", gone_at: "2026-09-02T10:00:00.000Z" });
    expect(await save([line("ZQB", "2"), line("ZQA", "1")], DAY_3)).toEqual({ added: 0, gone: 0 });
    expect(registry.listing("ZQA")).toMatchObject({
      first_seen_at: "2026-09-01T10:00:00.000Z",
      gone_at: null,
    });
  });

  test("a ticker that passes to another company names the present one, and its former one is kept", async () => {
    await save([line("ZQA", "1")], DAY_1);
    await save([line("ZQA", "2"), line("ZQN", "1")], DAY_2);
    expect(registry.listing("ZQA")?.cik).toBe("2");
    await save([line("ZQN", "1")], DAY_3);
    // Both are gone: who bore it last.
    expect(registry.listing("ZQA")?.cik).toBe("2");
  });

  test("companies count before funds, and a present fund before a company that has gone", async () => {
    await save([line("ZQA", "1")], DAY_1);
    const fund = { ticker: "ZQA", cik: "900", series_id: "S000000001", class_id: "C000000001" };
    await registry.saveList("fund", fundRows([fund]), DAY_1);
    expect(registry.listing("ZQA")?.kind).toBe("company");
    await save([line("ZQZ", "5")], DAY_2);
    expect(registry.listing("ZQA")).toMatchObject({ kind: "fund", cik: "900", series_id: "S000000001" });
  });

  test("spellings of the regulator become canonical; a line twice counts once", async () => {
    await save([line("ZQ-B", "1"), line("ZQ-PD", "1"), line("ZQ-WT", "1"), line("ZQ-B", "1")], DAY_1);
    const listing = registry.listing("ZQ.B");
    expect(listing?.ticker).toBe("ZQ-B");
    expect(listing && registry.siblings(listing).map((row) => row.symbol)).toEqual([
      "ZQ.B",
      "ZQ.PRD",
      "ZQ.WS",
    ]);
    expect(registry.list("company")?.rows).toBe(3);
  });

  test("twelve thousand lines and a changed order", async () => {
    const lines = Array.from({ length: 12_000 }, (_, i) =>
      line(
        `Z${i.toString(26).replace(/\d/g, (d) => "QRSTUVWXYZ"[Number(d)] ?? "")}`.toUpperCase(),
        String(i),
      ),
    );
    expect((await save(lines, DAY_1)).added).toBe(new Set(lines.map((l) => `${l.ticker} ${l.cik}`)).size);
    expect(await save(lines.toReversed(), DAY_2)).toEqual({ added: 0, gone: 0 });
    const [first] = lines;
    expect(registry.listing(first?.ticker ?? "")?.first_seen_at).toBe("2026-09-01T10:00:00.000Z");
  });
});

test("the main class is the first ordinary share that is not over the counter", async () => {
  await save([line("ZQ-PA", "1"), line("ZQOTC", "1", "OTC"), line("ZQB", "1"), line("ZQC", "1")], DAY_1);
  const rows = registry.siblings(registry.listing("ZQB") ?? (null as never));
  expect(mainClass(rows)?.symbol).toBe("ZQB");
  expect(mainClass(rows.filter((row) => row.symbol !== "ZQB" && row.symbol !== "ZQC"))?.symbol).toBe("ZQOTC");
  expect(mainClass([])).toBeNull();
});

test("facts are a source's last words; what cannot be read is none", async () => {
  expect(registry.facts("edgar", "1")).toBeNull();
  registry.saveFacts("edgar", "1", { body: { name: "A" }, read_at: "2026-09-01T10:00:00.000Z" });
  registry.saveFacts("edgar", "1", { body: { name: "B" }, read_at: "2026-09-02T10:00:00.000Z" });
  registry.saveFacts("yahoo", "1", { body: { name: "C" }, read_at: "2026-09-02T10:00:00.000Z" });
  expect(registry.facts<unknown>("edgar", "1")).toEqual({
    body: { name: "B" },
    read_at: "2026-09-02T10:00:00.000Z",
  });
  store.use((db) => db.run("UPDATE company_facts SET body = '{broken' WHERE source = 'edgar'"));
  expect(registry.facts("edgar", "1")).toBeNull();
});
