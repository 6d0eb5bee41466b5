// Every note that a loss takes back is one of the tables' own, and goes.
import { expect, test } from "bun:test";
import { econ_fetches } from "../capabilities/econdata/tables.ts";
import { filings } from "../capabilities/filings/tables.ts";
import { DATASETS } from "../datasets/index.ts";
import { openSqlite } from "../platform/sqlite/sqlite.ts";
import { forgetReads, readLostRows } from "./noted-reads.ts";

test("what is noted as read of a lost dataset is forgotten, and of others it stays", () => {
  const sqlite = openSqlite(":memory:");
  const span = { observation_start: "2020-01-01", observation_end: "2026-01-01" };
  const at = "2026-01-02T00:00:00Z";
  sqlite.use((db) =>
    db
      .insert(econ_fetches)
      .values({ series_id: "GDP", ...span, known_from: at, fetched_at: at })
      .run(),
  );
  const fetches = () => sqlite.use((db) => db.select().from(econ_fetches).all().length);
  expect([forgetReads(sqlite, ["page_views"]), fetches()]).toEqual([[], 1]);
  expect([forgetReads(sqlite, ["econ_observations"]), fetches()]).toEqual([[], 0]);
  expect(sqlite.use((db) => db.select().from(filings).all())).toEqual([]);
  const left = forgetReads(
    sqlite,
    DATASETS.map(({ name }) => name),
  );
  expect(left).toContain("universe_registry");
  for (const name of [
    "bars_daily",
    "short_volume",
    "short_interest",
    "presented_statements",
    "universe_readings",
  ])
    expect(left).not.toContain(name);
  sqlite.close();
});

test("companies and series of a lost file are asked for again, each once; of other datasets their jobs run", async () => {
  const lost = (dataset: string) => ({
    dataset,
    path: `${dataset}/1`,
    ranges: { date: ["2026-01-02", "2026-01-30"] },
  });
  const [asked, run]: string[][] = [[], []];
  const files = [
    ...["financial_facts", "financial_facts", "bars_daily", "econ_observations", "page_views"],
    ...["presented_statements", "short_volume"],
  ].map(lost);
  await readLostRows(
    {
      losses: async () => files as never,
      lostValues: async (_, column) =>
        ({ symbol: ["BRK.B"], date: ["2026-01-05", "2026-01-02"], cik: ["0000000007"] })[column] ?? ["GDP"],
      query: async () => [{ symbol: "KO" }] as never,
    },
    {
      list: () =>
        [
          { name: "views", fills: ["page_views"] },
          { name: "bars", fills: ["bars_daily"] },
          { name: "volume", fills: ["short_volume"] },
        ] as never,
      runNow: (name) => void run?.push(name) as never,
      request: (name, date) => ({ done: Promise.resolve(run?.push(`${name} ${date}`)) }) as never,
    },
    {
      fetch: ({ url }) => {
        asked?.push(url.slice("http://localhost/api/v1/".length));
        return new Response();
      },
    },
    new AbortController().signal,
  );
  expect(asked).toEqual([
    "financial/data/BRK.B",
    "price/data/BRK.B?start_date=2026-01-02&end_date=2026-01-30",
    "econdata/proxy/series/observations?series_id=GDP&realtime_start=1776-07-04&realtime_end=9999-12-31",
    "financial/data/KO?period=max",
  ]);
  expect(run).toEqual(["views", "volume 2026-01-02", "volume 2026-01-05"]);
});
