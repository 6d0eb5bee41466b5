import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { openSqlite, type Store } from "../../platform/sqlite/sqlite.ts";
import type { ListedTickerRow } from "../../providers/edgar/index.ts";
import { type CompanyRegistry, companyRegistry, companyRows, fundRows } from "./registry.ts";
import { mainClass } from "./symbols.ts";

setDefaultTimeout(1_200_000);

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

const line = (ticker: string, cik: string, exchange: string | null = "NYSE"): ListedTickerRow => ({
  ticker,
  cik,
  name: `Company ${cik}`,
  exchange,
});
const save = (lines: ListedTickerRow[], atMs: number) =>
  registry.saveList("company", companyRows(lines), atMs);

describe("a list", () => {
  test("adds new lines, marks absent ones as gone, and restores those that return", async () => {
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

  test("a ticker that passes to another company names the current holder, and its former holder is kept", async () => {
    await save([line("ZQA", "1")], DAY_1);
    await save([line("ZQA", "2"), line("ZQN", "1")], DAY_2);
    expect(registry.listing("ZQA")?.cik).toBe("2");
    await save([line("ZQN", "1")], DAY_3);
    // Both are gone: the last holder counts.
    expect(registry.listing("ZQA")?.cik).toBe("2");
  });

  test("companies come before funds, and a current fund before a company that is gone", async () => {
    await save([line("ZQA", "1")], DAY_1);
    const fund = { ticker: "ZQA", cik: "900", series_id: "S000000001", class_id: "C000000001" };
    await registry.saveList("fund", fundRows([fund]), DAY_1);
    expect(registry.listing("ZQA")?.kind).toBe("company");
    await save([line("ZQZ", "5")], DAY_2);
    expect(registry.listing("ZQA")).toMatchObject({ kind: "fund", cik: "900", series_id: "S000000001" });
  });

  test("the regulator's spellings become canonical; a repeated line counts once", async () => {
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

  test("twelve thousand lines in another order change nothing", async () => {
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

test("stores the last answer of each source; unreadable JSON counts as no answer", async () => {
  expect(registry.storedAnswer("edgar", "1")).toBeNull();
  registry.saveAnswer("edgar", "1", { body: { name: "A" }, read_at: "2026-09-01T10:00:00.000Z" });
  registry.saveAnswer("edgar", "1", { body: { name: "B" }, read_at: "2026-09-02T10:00:00.000Z" });
  registry.saveAnswer("yahoo", "1", { body: { name: "C" }, read_at: "2026-09-02T10:00:00.000Z" });
  expect(registry.storedAnswer<unknown>("edgar", "1")).toEqual({
    body: { name: "B" },
    read_at: "2026-09-02T10:00:00.000Z",
  });
  store.use((db) => db.run("UPDATE company_facts SET body = '{broken' WHERE source = 'edgar'"));
  expect(registry.storedAnswer("edgar", "1")).toBeNull();
});
