// The regulator's recorded list of tickers and entities through the company registry.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import {
  type CompanyRegistry,
  companyRegistry,
  companyRows,
} from "../../src/capabilities/company/registry.ts";
import { mainClass } from "../../src/capabilities/company/symbols.ts";
import { openSqlite } from "../../src/platform/sqlite/sqlite.ts";
import type { ListedTickerRow } from "../../src/providers/edgar/index.ts";

setDefaultTimeout(1_200_000);

const folder = join(process.env.CONFORMANCE_DIR ?? join(import.meta.dir, "../../../shared/real"), "edgar");
const file = join(folder, "tickers/company_tickers_exchange.json");

if (!existsSync(file)) test("skipped: no recordings", () => {});

describe.if(existsSync(file))("the recorded list of tickers", () => {
  const store = openSqlite(":memory:");
  let registry: CompanyRegistry;
  let lines: ListedTickerRow[];
  beforeAll(async () => {
    const { data }: { data: [number, string, string, string | null][] } = await Bun.file(file).json();
    lines = data.map(([cik, name, ticker, exchange]) => ({
      cik: String(cik).padStart(10, "0"),
      name,
      ticker,
      exchange,
    }));
    registry = companyRegistry(store);
    await registry.saveList("company", companyRows(lines), 0);
  });
  afterAll(() => store.close());

  test("every line is found again under its canonical symbol", () => {
    expect(registry.list("company")?.rows).toBe(lines.length);
    for (const row of companyRows(lines)) {
      const listing = registry.listing(row.symbol);
      if (listing?.cik !== row.cik || listing.ticker !== row.ticker)
        throw new Error(`${row.ticker} of ${row.cik} is found as ${listing?.ticker} of ${listing?.cik}`);
    }
  });

  test("the siblings of a ticker are the lines of its CIK, and the main class is one of them", () => {
    const byCik = Map.groupBy(lines, ({ cik }) => cik);
    const families = [...byCik.values()].filter((family) => family.length > 1);
    expect(families.length).toBeGreaterThan(500);
    for (const family of families) {
      const symbols = companyRows(family).map(({ symbol }) => symbol);
      const listing = registry.listing(symbols[0] ?? "");
      const siblings = listing ? registry.siblings(listing) : [];
      expect(siblings.map(({ symbol }) => symbol)).toEqual(symbols);
      expect(symbols).toContain(mainClass(siblings)?.symbol ?? "none");
    }
  });

  test("the recorded entities' tickers resolve to them where the list has them", async () => {
    const names = readdirSync(join(folder, "submissions")).filter((name) => /^CIK\d{10}\.json$/.test(name));
    let resolved = 0;
    for (const name of names) {
      const entity: { tickers: string[] } = await Bun.file(join(folder, "submissions", name)).json();
      for (const { symbol, cik } of companyRows(
        entity.tickers.map((ticker) => ({ ticker, cik: name.slice(3, 13), name: "", exchange: null })),
      )) {
        const listing = registry.listing(symbol);
        if (!listing) continue;
        expect([symbol, listing.cik]).toEqual([symbol, cik]);
        resolved++;
      }
    }
    expect(resolved).toBeGreaterThan(40);
  });
});
