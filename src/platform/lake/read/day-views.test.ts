// Reading the rows of some days: the same rows as out of all files, without opening those of other days.

import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { lakeYard, type PriceRow, price, prices } from "../../../../test/faults/lake-support.ts";
import { drawnRuns } from "../../../../test/support/seed.ts";
import { batchOf, type DaysRead, type Lake, NO_END } from "../lake.ts";

setDefaultTimeout(1_200_000);

const yard = lakeYard({ publishes: false });
afterEach(yard.clear);

const daysOf = (start: string | null, end: string): DaysRead => ({
  datasets: [prices],
  column: "date",
  ranges: [{ start, end }],
});
const priceRows = (
  lake: Lake,
  start: string,
  end: string,
  options: { days?: DaysRead; version?: number } = {},
) =>
  lake.query<PriceRow>(
    "SELECT * FROM prices WHERE date BETWEEN CAST($start AS DATE) AND CAST($end AS DATE) ORDER BY symbol, date",
    { start, end },
    options,
  );
/** The years of the files that the view of a read lists, ascending. */
async function yearsOpened(lake: Lake, days?: DaysRead): Promise<string[]> {
  const [row] = await lake.query<{ sql: string }>(
    "SELECT sql FROM duckdb_views() WHERE view_name = 'prices' AND schema_name = current_schema()",
    {},
    { days },
  );
  return [...new Set(row?.sql.match(/year=\d{4}/g))].sort();
}

const year = fc.integer({ min: 2019, max: 2025 });
const steps = fc.record({
  kind: fc.constantFrom("append", "append", "replace", "compact"),
  symbol: fc.constantFrom("A", "B"),
  year,
  day: fc.integer({ min: 1, max: 9 }),
});
const spans = fc
  .tuple(year, year)
  .map(([a, b]) => [`${Math.min(a, b)}-03-03`, `${Math.max(a, b)}-03-05`] as const);

test("a read of some days has the rows that all files have of them, after every commit", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(steps, { minLength: 2, maxLength: 12 }),
      fc.array(spans, { minLength: 2, maxLength: 6 }),
      async (script, asked) => {
        const lake = await yard.open();
        let close = 1;
        for (const { kind, symbol, year, day } of script) {
          const row = price(symbol, `${year}-03-0${day}`, ++close);
          if (kind === "append") await lake.append([batchOf(prices, [row])]);
          if (kind === "replace")
            await lake.append([batchOf(prices, [row], { by: ["symbol"], groups: [[symbol]] })]);
          if (kind === "compact") await lake.compact({ force: true });
          const all = await priceRows(lake, "2000-01-01", "2030-12-31");
          for (const [start, end] of asked)
            expect(await priceRows(lake, start, end, { days: daysOf(start, end) })).toEqual(
              all.filter(({ date }) => date >= start && date <= end),
            );
        }
        await lake.close();
      },
    ),
    { numRuns: drawnRuns(8, 12) },
  );
});

test("so has a read of an earlier version, also of rows that were replaced since", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(steps, { minLength: 3, maxLength: 10 }),
      fc.array(spans, { minLength: 2, maxLength: 4 }),
      async (script, asked) => {
        const lake = await yard.open();
        const versions = [await lake.generation()];
        let close = 1;
        for (const { kind, symbol, year, day } of script) {
          const row = price(symbol, `${year}-03-0${day}`, ++close);
          if (kind === "append") await lake.append([batchOf(prices, [row])]);
          if (kind === "replace")
            await lake.append([batchOf(prices, [row], { by: ["symbol"], groups: [[symbol]] })]);
          if (kind === "compact") await lake.compact({ force: true });
          versions.push(await lake.generation());
        }
        for (const version of versions) {
          const all = await priceRows(lake, "2000-01-01", "2030-12-31", { version });
          for (const [start, end] of asked)
            expect([
              version,
              await priceRows(lake, start, end, { version, days: daysOf(start, end) }),
            ]).toEqual([version, all.filter(({ date }) => date >= start && date <= end)]);
        }
        await lake.close();
      },
    ),
    { numRuns: drawnRuns(9, 15) },
  );
});

test("files that end before the days or begin after them are not opened", async () => {
  const lake = await yard.open();
  for (const year of [2021, 2022, 2023, 2024])
    await lake.append([
      batchOf(prices, [price("A", `${year}-03-01`, year), price("A", `${year}-03-08`, year)]),
    ]);
  expect(await yearsOpened(lake)).toEqual(["year=2021", "year=2022", "year=2023", "year=2024"]);
  expect(await yearsOpened(lake, daysOf("2022-03-08", "2023-03-01"))).toEqual(["year=2022", "year=2023"]);
  expect(await yearsOpened(lake, daysOf(null, "2021-03-01"))).toEqual(["year=2021"]);
  expect(await yearsOpened(lake, daysOf("2024-03-09", "2030-01-01"))).toEqual([]);
  expect(
    await priceRows(lake, "2024-03-09", "2030-01-01", { days: daysOf("2024-03-09", "2030-01-01") }),
  ).toEqual([]);
});

test("files that became known later are not opened, those of partitions that are read whole are", async () => {
  const lake = await yard.open();
  for (const year of [2021, 2022, 2023])
    await lake.append([
      batchOf(prices, [{ ...price("A", `${year}-03-01`, year), known_at: `${year}-03-02T12:00:00.500Z` }]),
    ]);
  const known = (knownBy: string) => ({ ...daysOf(null, NO_END), knownBy });
  expect(await yearsOpened(lake, known("2022-03-02T12:00:00.499Z"))).toEqual(["year=2021"]);
  expect(await yearsOpened(lake, known("2022-03-02T12:00:00.500Z"))).toEqual(["year=2021", "year=2022"]);
  const besides = { ...daysOf("2023-01-01", NO_END), besides: "year=2021" };
  expect(await yearsOpened(lake, besides)).toEqual(["year=2021", "year=2023"]);
});

test("more spans than are kept, read side by side, each have their own rows", async () => {
  const lake = await yard.open();
  const years = Array.from({ length: 12 }, (_, at) => 2011 + at);
  for (const year of years) await lake.append([batchOf(prices, [price("A", `${year}-03-01`, year)])]);
  const asked = years.flatMap((first) =>
    years.filter((last) => last >= first).map((last) => [first, last] as const),
  );
  expect(asked.length).toBe(78);
  for (let round = 0; round < 2; round++) {
    const found = await Promise.all(
      asked.map(([first, last]) => {
        const [start, end] = [`${first}-01-01`, `${last}-12-31`];
        return priceRows(lake, start, end, { days: daysOf(start, end) });
      }),
    );
    expect(found.map((rows) => rows.map(({ close }) => close))).toEqual(
      asked.map(([first, last]) => years.filter((year) => year >= first && year <= last)),
    );
  }
});
