// GET /universe/registry: the listings as known now, or at a moment.

import type { Static } from "@sinclair/typebox";
import { UNIVERSE_ROWS_DEFAULT } from "../../limits.ts";
import { absent, ifEmpty } from "../../market/absence.ts";
import { pageFacts, pageOf } from "../../market/answer-fields.ts";
import { asOfInstant } from "../../market/known-at.ts";
import { wordsOf } from "../../market/params.ts";
import { canonical } from "../../market/ticker.ts";
import { Answer } from "../../platform/answer.ts";
import { tableOfRows } from "../../platform/cells.ts";
import { instantText, shownInstant } from "../../platform/instant-text.ts";
import type { Lake, Params } from "../../platform/lake/lake.ts";
import { isReplaying, refuseInReplay } from "../../platform/reading.ts";
import type { TableColumnType } from "../../platform/table.ts";
import type { RegistryList, RegistryQuery, RegistryRow } from "./schema.ts";
import type { UniverseStore } from "./store.ts";

type Query = Static<typeof RegistryQuery>;
type List = Static<typeof RegistryList>;

const COLUMNS: readonly { readonly name: keyof RegistryRow & string; readonly type: TableColumnType }[] = [
  { name: "ticker", type: "VARCHAR" },
  { name: "name", type: "VARCHAR" },
  { name: "cik", type: "VARCHAR" },
  { name: "sector", type: "VARCHAR" },
  { name: "industry", type: "VARCHAR" },
  { name: "exchange", type: "VARCHAR" },
  { name: "security_type", type: "VARCHAR" },
  { name: "country", type: "VARCHAR" },
  { name: "ipo_year", type: "BIGINT" },
  { name: "is_etf", type: "BOOLEAN" },
  { name: "is_active", type: "BOOLEAN" },
  { name: "first_seen", type: "TIMESTAMPTZ" },
  { name: "last_seen", type: "TIMESTAMPTZ" },
  { name: "former_tickers", type: "VARCHAR" },
  { name: "continued_by", type: "VARCHAR" },
  { name: "market_cap", type: "DOUBLE" },
  { name: "market_cap_at", type: "TIMESTAMPTZ" },
  { name: "source", type: "VARCHAR" },
  { name: "known_at", type: "TIMESTAMPTZ" },
];

/** A condition that a column is one of the words of a comma list. Adds its parameter to `params`. */
export function oneOfWords(
  column: string,
  given: string | undefined,
  params: Record<string, unknown>,
): string[] {
  if (given === undefined) return [];
  params[column] = wordsOf(given);
  return [`lower(${column}) = ANY($${column})`];
}

function conditions(query: Query): { where: string; params: Params } {
  const params: Record<string, unknown> = {};
  const parts = [
    ...oneOfWords("sector", query.sector, params),
    ...oneOfWords("exchange", query.exchange, params),
  ];
  if (query.type !== undefined) {
    params.types = wordsOf(query.type);
    parts.push("security_type = ANY($types)");
  }
  if (query.is_active !== undefined) parts.push(query.is_active ? "is_active" : "NOT is_active");
  if (query.q !== undefined) {
    params.q = query.q.trim().toLowerCase();
    params.symbol = canonical(query.q);
    parts.push(
      "(contains(lower(symbol), $q) OR contains(lower(name), $q) OR contains(lower(coalesce(former_symbols, '')), $q) OR symbol = $symbol)",
    );
  }
  return { where: parts.length === 0 ? "true" : parts.join(" AND "), params: params as Params };
}

interface Stored extends Omit<RegistryRow, "ticker" | "former_tickers" | "market_cap" | "market_cap_at"> {
  readonly listing: string;
  readonly symbol: string;
  readonly former_symbols: string | null;
  readonly total: number;
}

const valuesOf = (row: RegistryRow) =>
  COLUMNS.map(({ name }) => (name === "former_tickers" ? JSON.stringify(row.former_tickers) : row[name]));

export function registryList({ lake, store }: { readonly lake: Lake; readonly store: UniverseStore }) {
  const present = (
    row: Stored,
    readings: ReadonlyMap<string, string>,
    caps: ReturnType<UniverseStore["marketCaps"]>,
  ): RegistryRow => {
    const { listing, symbol, former_symbols, total: _total, ...fields } = row;
    const priced = caps.get(listing);
    return {
      ticker: symbol,
      ...fields,
      // An active listing was last seen when its list was last read.
      last_seen: fields.is_active
        ? shownInstant(readings.get(fields.source) ?? fields.first_seen)
        : fields.last_seen,
      former_tickers: JSON.parse(former_symbols ?? "[]"),
      market_cap: priced?.market_cap ?? null,
      market_cap_at: priced?.market_cap_at ?? null,
    };
  };

  return async (query: Query, signal: AbortSignal): Promise<Answer<List>> => {
    const { limit = UNIVERSE_ROWS_DEFAULT, offset = 0 } = query;
    const moment = asOfInstant(query.as_of);
    const { where, params } = conditions(query);
    const found = await lake.query<Stored>(
      `SELECT *, count(*) OVER () AS total FROM (SELECT listing, symbol, name, cik, sector, industry, exchange,
         security_type, country, ipo_year, is_etf, is_active, first_seen, last_seen, former_symbols, continued_by, source, known_at
         FROM listings_at(CAST($as_of AS TIMESTAMPTZ))) WHERE ${where}
       ORDER BY symbol, listing LIMIT ${limit} OFFSET ${offset}`,
      { ...params, as_of: moment?.toString() ?? null },
      { signal },
    );
    const total = found[0]?.total ?? (offset > 0 ? await countOf(lake, where, params, moment, signal) : 0);
    const until = moment === null ? null : instantText(moment.epochMilliseconds);
    const readings = await store.readings(until, signal);
    // Releases before this one noted readings in the operational database alone.
    if (found.length > 0 && readings.size === 0) refuseInReplay("when the exchanges' lists were read");
    // Market values are those of now: no moment and no version has them.
    const hasCaps = moment === null && !isReplaying();
    const caps = hasCaps ? store.marketCaps(found.map(({ listing }) => listing)) : new Map();
    const data = found.map((row) => present(row, readings, caps));
    const body = {
      ...pageOf(data.length, total, { limit, offset }),
      warnings: absencesOf(await store.firstReading(signal), until, data),
      data,
    };
    return new Answer(() => body, {
      page: pageFacts(body),
      table: tableOfRows("universe_registry", COLUMNS, () => data.map(valuesOf)),
    });
  };
}

/**
 * Warns where the registry cannot have a listing, as no list of the exchanges was read by then, and where
 * none matches.
 */
function absencesOf(firstReading: string | null, until: string | null, rows: readonly unknown[]): string[] {
  if (firstReading === null)
    return [
      absent(
        "not_read",
        "The registry is empty: the lists of the exchanges have not been read. POST /api/v1/universe/admin/discover reads them, as does a job on each session's morning.",
      ),
    ];
  return until !== null && until < firstReading
    ? [absent("not_read", "No list of the exchanges had been read by then, so no listing was known.")]
    : ifEmpty(
        rows,
        "nothing_there",
        "No listing of the exchanges' lists matches, or the page lies behind the last one.",
      );
}

/** The number of matching rows, for a page after the last one. */
async function countOf(
  lake: Lake,
  where: string,
  params: Params,
  moment: Temporal.Instant | null,
  signal: AbortSignal,
): Promise<number> {
  const [row] = await lake.query<{ total: number }>(
    `SELECT count(*) AS total FROM listings_at(CAST($as_of AS TIMESTAMPTZ)) WHERE ${where}`,
    { ...params, as_of: moment?.toString() ?? null },
    { signal },
  );
  return row?.total ?? 0;
}
