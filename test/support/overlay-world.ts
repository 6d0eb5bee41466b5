// A made-up history of a few tickers in every dataset that overlay scores are computed from, with scores
// computed by hand.
import { DATASETS } from "../../src/datasets/index.ts";
import { exchangeCalendar, startOfDay } from "../../src/market/calendar.ts";
import { addDays } from "../../src/market/date.ts";
import { adjustedDigits } from "../../src/market/float.ts";
import type { Dataset } from "../../src/platform/lake/dataset.ts";
import type { Batch, Lake } from "../../src/platform/lake/lake.ts";

const calendar = exchangeCalendar();
export const FIRST = "2026-05-04";
export const LAST = "2026-09-09";
export const SESSIONS = calendar.sessionsBetween(FIRST, LAST);
export const DAYS = Array.from({ length: 129 }, (_, i) => addDays(FIRST, i)).filter((day) => day <= LAST);
export const ARTICLE = "Ovalia (company)";
export const CIK = "0009999001";

/** Numbers between 0 and 1, the same for the same seed. */
export function draws(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

const EMPTY = { DATE: FIRST, TIMESTAMPTZ: `${FIRST}T00:00:00Z`, VARCHAR: "x", BOOLEAN: false } as const;

/** A complete row of a dataset: missing fields are null, or some value when they may not be null. */
export function row(dataset: Dataset, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(dataset.columns).map(([name, column]) => {
      const empty = column.nullable
        ? null
        : column.type in EMPTY
          ? EMPTY[column.type as keyof typeof EMPTY]
          : 1;
      return [name, given[name] === undefined ? empty : given[name]];
    }),
  );
}

export function batch(name: string, rows: readonly Readonly<Record<string, unknown>>[]): Batch {
  const dataset = DATASETS.find((one) => one.name === name);
  if (!dataset) throw new Error(`there is no dataset ${name}`);
  return { dataset, rows: rows.map((one) => row(dataset, one)) } as Batch;
}

export interface Known<T> {
  readonly date: string;
  readonly value: T;
  readonly known_at: string;
}
export interface World {
  readonly ratios: readonly Known<number>[];
  readonly views: readonly Known<number>[];
  readonly bars: readonly (Known<number> & { readonly volume: number })[];
  readonly news: readonly Known<number>[];
  readonly purchases: readonly Known<number>[];
}

/** A bar is stored only after the next session opens. */
export const settledAt = (date: string) => `${calendar.nextSession(date)}T15:00:00Z`;
const nextDay = (date: string) => startOfDay(calendar.nextSession(date)).toString();

/** The history of the ticker OVA. */
export function worldOf(seed: number): World {
  const draw = draws(seed);
  let price = 100;
  return {
    ratios: SESSIONS.map((date) => ({ date, value: 0.3 + 0.3 * draw(), known_at: nextDay(date) })),
    views: DAYS.map((date) => ({
      date,
      value: Math.floor(500 + 2_000 * draw()),
      known_at: `${addDays(date, 2)}T00:00:00Z`,
    })),
    bars: SESSIONS.map((date) => {
      price *= 0.95 + 0.1 * draw();
      return { date, value: price, volume: Math.floor(1e5 + 2e6 * draw()), known_at: settledAt(date) };
    }),
    news: DAYS.map((date) => ({ date, value: Math.floor(5 * draw()), known_at: `${date}T15:00:00Z` })),
    purchases: SESSIONS.filter((_, i) => i % 17 === 3).map((date) => ({
      date,
      value: Math.floor(400_000 * draw()),
      known_at: `${date}T20:00:00Z`,
    })),
  };
}

const SYMBOLS: readonly (readonly [symbol: string, ratioOf: (value: number) => number])[] = [
  ["OVA", (ratio) => ratio],
  // A ratio that never changes.
  ["OVB", () => 0.4],
];

const shortVolumeBatches = ({ ratios }: World): Batch[] => [
  batch(
    "short_volume",
    ratios.flatMap(({ date, value, known_at }) =>
      SYMBOLS.map(([symbol, ratioOf]) => ({
        date,
        symbol,
        known_at,
        facility: "CNMS",
        short_volume: ratioOf(value) * 1e6,
        total_volume: 1e6,
      })),
    ),
  ),
  batch(
    "finra_files",
    ratios.map(({ date, known_at }) => ({ date, known_at, facility: "CNMS" })),
  ),
];

/**
 * Page views and news; a ticker OTHER has news every day, so that every day counts as collected. Of every
 * third day there is an article that was collected a day late, which no score counts.
 */
const attentionBatches = ({ views, news }: World): Batch[] => [
  batch(
    "page_views",
    views.map(({ date, value, known_at }) => ({ article: ARTICLE, date, views: value, known_at })),
  ),
  batch("encyc_entities", [{ symbol: "OVA", encyc_title: ARTICLE }]),
  batch(
    "news_headlines",
    news.flatMap(({ date, value, known_at }) => [
      { id: `other ${date}`, filed_on: date, tickers: "OTHER", ingested_at: known_at, known_at },
      ...Array.from({ length: value }, (_, i) => ({
        id: `${date} ${i}`,
        filed_on: date,
        tickers: i % 2 ? "OVA" : "OTHER,OVA",
        ingested_at: known_at,
        known_at,
      })),
    ]),
  ),
  batch(
    "news_headlines",
    news
      .filter((_, i) => i % 3 === 0)
      .map(({ date }) => {
        const late = `${addDays(date, 1)}T15:00:00Z`;
        return { id: `late ${date}`, filed_on: date, tickers: "OVA", ingested_at: late, known_at: late };
      }),
  ),
];

const insiderBatches = ({ purchases }: World): Batch[] => [
  batch("companies", [
    { symbol: "OVA", cik: CIK, name: "Ovalia Inc.", market_cap: 5e9, market_cap_currency: "USD" },
  ]),
  batch(
    "insider_transactions",
    purchases.map(({ date, value, known_at }, i) => ({
      accession_number: `0009999001-26-${String(i).padStart(6, "0")}`,
      line: 1,
      role: "trade",
      row_id: i + 1,
      reading: 1,
      filing_date: date,
      issuer_cik: CIK,
      known_at,
      transaction_value: value,
      transaction_code: "P",
      security_type: "non_derivative",
    })),
  ),
];

const priceBatches = ({ bars }: World): Batch[] => [
  batch(
    "bars_daily",
    bars.map(({ date, value, volume, known_at }) => ({
      symbol: "OVA",
      date,
      basis_date: date,
      known_at,
      currency: "USD",
      close: value,
      adj_close: value,
      volume,
    })),
  ),
];

/** Writes the history into the lake. */
export async function store(lake: Lake, world: World): Promise<void> {
  await lake.append([
    ...shortVolumeBatches(world),
    ...attentionBatches(world),
    ...insiderBatches(world),
    ...priceBatches(world),
  ]);
}

const mean = (values: readonly number[]) => values.reduce((sum, v) => sum + v, 0) / values.length;
function zscore(value: number | undefined, before: readonly number[]): number | null {
  if (value === undefined || before.length < 10) return null;
  const about = mean(before);
  const spread = Math.sqrt(before.reduce((sum, v) => sum + (v - about) ** 2, 0) / (before.length - 1));
  return spread === 0 ? null : (value - about) / spread;
}

/** An adjusted close as bars show it: with the digits of prices. */
const priced = ({ value }: { readonly value: number }) => adjustedDigits(value) ?? Number.NaN;

/** OVA's figures on a day, only from what was known by its end in New York. */
export function figuresByHand(world: World, day: string) {
  const end = Temporal.Instant.from(startOfDay(addDays(day, 1)).toString());
  const known = <T extends { date: string; known_at: string }>(rows: readonly T[]) =>
    rows.filter(
      ({ date, known_at }) =>
        date <= day && Temporal.Instant.compare(Temporal.Instant.from(known_at), end) < 0,
    );
  const ratios = known(world.ratios)
    .map(({ value }) => value)
    .reverse();
  const views = known(world.views).reverse();
  const [newest] = views;
  const news = known(world.news).reverse();
  const bars = known(world.bars).reverse();
  const bought = known(world.purchases).filter(({ date }) => date > addDays(day, -30));
  const [newestBar] = bars;
  return {
    attention_z: newest
      ? zscore(
          newest.value,
          views.slice(1, 21).map(({ value }) => value),
        )
      : null,
    news_z: zscore(
      news[0]?.value,
      news.slice(1, 29).map(({ value }) => value),
    ),
    short_volume_z: zscore(ratios[0], ratios.slice(1, 21)),
    insider_bought_usd: bought.reduce((sum, { value }) => sum + value, 0),
    relative_volume: newestBar
      ? newestBar.volume / mean(bars.slice(1, 21).map(({ volume }) => volume))
      : null,
    return_5d_percent: newestBar && bars[5] ? (priced(newestBar) / priced(bars[5]) - 1) * 100 : null,
  };
}
