// `bun test/engines/made-up-lake.ts FOLDER`: a lake of the service's datasets with rows drawn at random
// (always the same), so that revisions, splits, voided and withdrawn rows meet in ways that the sample market
// does not have.
import {
  actionCoverage,
  barsDaily,
  barsProvisional,
  corporateActions,
  DATASETS,
  dividendCalendar,
  econObservations,
  filings,
  financialFacts,
  finraFiles,
  insiderPriceChecks,
  insiderTransactions,
  MACROS,
  ownershipEvents,
  shortVolume,
  universeSnapshots,
} from "../../src/datasets/index.ts";
import { systemClock } from "../../src/platform/clock.ts";
import type { Column, Dataset } from "../../src/platform/lake/dataset.ts";
import { batchOf, openLake } from "../../src/platform/lake/lake.ts";

type Value = string | number | boolean | null;
type Draw = () => Value;

let seed = 20;
/** A number in [0, 1), the next of a fixed sequence (mulberry32). */
function random(): number {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
const upTo = (count: number) => Math.floor(random() * count);
const of =
  (...values: Value[]): Draw =>
  () =>
    values[upTo(values.length)] ?? null;

/** The autumn of 2025, with the end of daylight saving time. */
const FIRST = Date.parse("2025-10-01T00:00:00Z");
const DAYS = 90;
const instant = () => new Date(FIRST + upTo(DAYS * 86_400_000)).toISOString();
const day = () => instant().slice(0, 10);
/** Few of the days, so that rows of the same key meet. */
const someDay = () => new Date(FIRST + upTo(12) * 7.5 * 86_400_000).toISOString().slice(0, 10);
const symbol = of("A", "B", "C", "D");
const price = () => Math.round(random() * 10 ** (2 + upTo(5))) / 100 + 0.01 + (upTo(2) ? random() / 1000 : 0);

const BY_TYPE: Readonly<Record<string, Draw>> = {
  VARCHAR: of("x", "y"),
  DATE: day,
  TIMESTAMPTZ: instant,
  DOUBLE: price,
  INTEGER: () => 1 + upTo(3),
  BIGINT: () => upTo(100_000),
  BOOLEAN: () => upTo(2) === 0,
};

type Draws = Readonly<Record<string, Draw>>;
const accession = () => `0000000001-25-00000${upTo(8)}`;
const factor = of(0.25, 0.5, 4, 0.1, 0.987654, 0.99, null);
const basis = of("2025-10-10", "2025-11-03", "2025-11-20", "2025-12-28", "9999-12-31");
/** Each file's versions become known on the following evenings. */
const fileVersion = () => {
  const date = someDay();
  const at = Date.parse(`${date}T23:00:00Z`) + upTo(3) * 86_400_000;
  return { facility: of("CNMS", "CNMS", "FNYX")(), date, known_at: new Date(at).toISOString() };
};

/** How many rows of a dataset are drawn, and how its columns that the macros read are. */
const DRAWN: readonly (readonly [Dataset, number, Draws])[] = [
  [barsDaily, 250, { symbol, basis_date: basis }],
  [barsProvisional, 60, { symbol, basis_date: of("2025-12-28", "2025-12-29") }],
  [
    corporateActions,
    60,
    {
      symbol,
      ex_date: someDay,
      kind: of("split", "dividend"),
      price_factor: factor,
      missing_through: of(null, null, "2025-12-01"),
      basis_date: day,
    },
  ],
  [actionCoverage, 8, { symbol: of("A", "B", "C"), incomplete_through: of(null, null, "2025-11-01") }],
  [filings, 60, { accession_number: accession, cik: of("0000000001", "0000000002") }],
  [
    financialFacts,
    200,
    {
      cik: of("0000000001", "0000000002"),
      line: of("revenue", "assets"),
      period: of("2025-01-01/2025-03-31", "2025-03-31"),
      accession_number: accession,
      flags: of(null, null, "suspect_scale", "proxy_form", "reversed_sign,other_form", "conflicting"),
      filed_date: someDay,
    },
  ],
  [
    insiderTransactions,
    80,
    {
      role: of("trade", "trade", "strike"),
      row_id: () => upTo(30),
      counted_in: () => (upTo(2) ? null : upTo(30)),
      accession_number: accession,
      owners: of(
        '[{"cik":"0000000001","name":"A","relationship":"director"}]',
        '[{"cik":null,"name":"B","relationship":""},{"cik":"0000000001","name":"A","relationship":""}]',
      ),
    },
  ],
  [
    insiderPriceChecks,
    40,
    { row_id: () => upTo(30), finding: of("fits", "total", "cents", "unexplained"), filing_date: day },
  ],
  [ownershipEvents, 60, { accession_number: accession, reading: () => 1 + upTo(2) }],
  [universeSnapshots, 60, { listing: of("l1", "l2", "l3"), snapshot_date: of("2025-10-31", "2025-11-28") }],
  [
    dividendCalendar,
    150,
    {
      symbol,
      ex_dividend_date: someDay,
      dividend_type: of("cash", "special"),
      part: of(1),
      basis_date: of(null, "2025-11-03", "2025-12-28"),
      amount: of(null, 0.25),
      status: of("declared", "declared", "cancelled"),
      revision: of(1, 1, 2),
      source: of("one", "two"),
    },
  ],
  [
    econObservations,
    80,
    { series_id: of("GDPC1", "CPI"), date: of("2025-01-01", "2025-04-01", "2025-07-01") },
  ],
];

function drawn(dataset: Dataset, draws: Draws): Record<string, Value> {
  const value = (name: string, { type, nullable }: Column) =>
    draws[name] ? draws[name]() : nullable && upTo(6) === 0 ? null : (BY_TYPE[type]?.() ?? null);
  return Object.fromEntries(
    Object.entries(dataset.columns).map(([name, column]) => [name, value(name, column)]),
  );
}

/** Rows with keys of their own, and instants where the dataset keeps each report. */
function distinct(dataset: Dataset, rows: readonly Record<string, Value>[]): Record<string, Value>[] {
  const keyOf = (row: Record<string, Value>) =>
    JSON.stringify(
      [...dataset.key, ...(dataset.fill === "append" ? ["known_at"] : [])].map((name) => row[name]),
    );
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()];
}

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("Name the folder to make.");
const lake = await openLake({
  dir: folder,
  datasets: DATASETS,
  macros: MACROS,
  clock: systemClock,
  deltaLogs: true,
  retentionMs: () => 3_600_000,
});
const store = (dataset: Dataset, rows: readonly Record<string, Value>[]) =>
  lake.append([batchOf(dataset, distinct(dataset, rows) as never)]);
for (const [dataset, count, draws] of DRAWN)
  await store(
    dataset,
    Array.from({ length: count }, () => drawn(dataset, draws)),
  );
const versions = distinct(
  finraFiles,
  Array.from({ length: 60 }, () => ({ ...drawn(finraFiles, {}), ...fileVersion() })),
);
await store(finraFiles, versions);
await store(
  shortVolume,
  versions.flatMap(({ facility, date, known_at }) =>
    Array.from(
      { length: 4 },
      () => ({ ...drawn(shortVolume, { symbol }), facility, date, known_at }) as Record<string, Value>,
    ),
  ),
);
await lake.publish();
await lake.close();
