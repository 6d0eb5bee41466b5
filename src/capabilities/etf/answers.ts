// The routes' answers: each use case with its row form, ready for the server to render.
import type { Static } from "@sinclair/typebox";
import { newYorkDate } from "../../market/calendar.ts";
import { Answer, type Table, type TableColumnType } from "../../platform/answer.ts";
import type { CacheHit } from "../../platform/cache/cache.ts";
import type { Clock } from "../../platform/clock.ts";
import { NotFound } from "../../platform/errors.ts";
import type { FundExposure } from "./exposure.ts";
import type { FundDesk } from "./fund-lookup.ts";
import type { FundHoldings } from "./holdings.ts";
import type { ListFunds } from "./list.ts";
import type {
  ExposureQuery,
  ExposureResponse,
  FundList,
  FundProfile,
  HoldingsQuery,
  HoldingsResponse,
  ListQuery,
  SectorsAnswer,
} from "./schema.ts";
import type { SourceFund } from "./sources.ts";
import type { EtfStore } from "./store.ts";

type Columns = Table["columns"];
const of = (type: TableColumnType, ...names: string[]): Columns => names.map((name) => ({ name, type }));

const HOLDING_COLUMNS: Columns = [
  ...of("BIGINT", "rank"),
  ...of("VARCHAR", "symbol", "name", "title", "cusip", "isin", "lei"),
  ...of("DOUBLE", "weight_percent", "shares", "market_value", "balance"),
  ...of("VARCHAR", "units", "currency", "payoff_profile", "asset_category", "country", "derivative_kind"),
];
const LIST_COLUMNS: Columns = [
  ...of("VARCHAR", "ticker", "name", "issuer", "exchange", "cik"),
  ...of("TIMESTAMPTZ", "first_seen"),
];
const EXPOSURE_COLUMNS: Columns = [
  ...of("VARCHAR", "etf", "name"),
  ...of("DOUBLE", "weight_percent", "shares", "market_value"),
  ...of("DATE", "as_of"),
  ...of("TIMESTAMPTZ", "known_at"),
  ...of("VARCHAR", "matched_by", "accession_number", "series_id"),
];

function tabular<T extends { readonly data: readonly object[] }>(
  name: string,
  columns: Columns,
  body: T,
): Answer<T> {
  return new Answer(() => body, {
    table: {
      name,
      columns,
      *rows() {
        for (const row of body.data)
          yield columns.map((column) => (row as Readonly<Record<string, unknown>>)[column.name] ?? null);
      },
    },
  });
}

/** What more than half of the fund is. */
function assetClassOf({ positions }: SourceFund): FundProfile["asset_class"] {
  if (!positions) return null;
  const { stock, bond, cash, other } = positions;
  const kinds = [
    ["equity", stock],
    ["bond", bond],
    ["cash", cash],
    ["other", other],
  ] as const;
  return kinds.find(([, percent]) => percent !== null && percent > 50)?.[0] ?? null;
}

const staleWarning = ({ state }: CacheHit<SourceFund>) =>
  state === "STALE" ? ["The price provider could not be asked; this is its last word, of known_at."] : [];

export interface AnswersDeps {
  readonly desk: FundDesk;
  readonly holdings: FundHoldings;
  readonly exposure: FundExposure;
  readonly list: ListFunds;
  readonly store: EtfStore;
  readonly clock: Clock;
  /** Name of the price provider. */
  readonly provider: string;
}

export function etfAnswers({ desk, holdings, exposure, list, store, clock, provider }: AnswersDeps) {
  const profileOf = async (
    ticker: string,
    cached: CacheHit<SourceFund>,
    signal: AbortSignal,
  ): Promise<FundProfile> => {
    const fund = cached.value;
    const { series, fault: error } = await desk.behind(ticker, signal);
    const report = series ? store.newestRead(series.series_id, clock.nowMs()) : null;
    return {
      ticker,
      name: fund.name,
      issuer: fund.issuer,
      category: fund.category,
      asset_class: assetClassOf(fund),
      index_tracked: null,
      expense_ratio: fund.expense_ratio,
      aum: fund.total_assets,
      nav: fund.nav,
      nav_date: null,
      inception_date: fund.inception_date,
      dividend_yield: fund.yield_percent,
      holdings_count: report?.holdings ?? null,
      holdings_as_of: report?.period_end ?? null,
      exchange: fund.exchange_name ?? fund.exchange,
      currency: fund.currency,
      positions: fund.positions,
      series_id: series?.series_id ?? null,
      source: provider,
      known_at: fund.received_at,
      warnings: [
        ...staleWarning(cached),
        ...(error ? [`The SEC could not be asked (${error.message}): series_id is not known.`] : []),
      ],
    };
  };

  return {
    async profile(given: string, force: boolean, signal: AbortSignal): Promise<Answer<FundProfile>> {
      const ticker = given.trim();
      const cached = await desk.profile(ticker, force, signal);
      const body = await profileOf(ticker, cached, signal);
      return new Answer(() => body, { cache: cached });
    },

    async holdings(
      given: string,
      query: Static<typeof HoldingsQuery>,
      signal: AbortSignal,
    ): Promise<Answer<HoldingsResponse>> {
      const body = await holdings(given.trim(), query, signal);
      return tabular(`etf_holdings_${body.ticker}`, HOLDING_COLUMNS, body);
    },

    async sectors(given: string, force: boolean, signal: AbortSignal): Promise<Answer<SectorsAnswer>> {
      const ticker = given.trim();
      const cached = await desk.profile(ticker, force, signal);
      const { sectors, received_at } = cached.value;
      if (sectors === null)
        throw new NotFound("no_data", `The price provider tells no sectors of ${ticker}.`, { ticker });
      const body = {
        ticker,
        as_of: newYorkDate(Temporal.Instant.from(received_at)),
        source: provider,
        known_at: received_at,
        data: sectors.toSorted(
          (a, b) => b.weight_percent - a.weight_percent || a.sector.localeCompare(b.sector),
        ),
      };
      return new Answer(() => body, { cache: cached });
    },

    async list(query: Static<typeof ListQuery>, signal: AbortSignal): Promise<Answer<FundList>> {
      return tabular("etf_list", LIST_COLUMNS, await list(query, signal));
    },

    async exposure(
      given: string,
      query: Static<typeof ExposureQuery>,
      signal: AbortSignal,
    ): Promise<Answer<ExposureResponse>> {
      const body = await exposure(given.trim(), query, signal);
      return tabular(`etf_exposure_${body.symbol}`, EXPOSURE_COLUMNS, body);
    },
  };
}

export type EtfAnswers = ReturnType<typeof etfAnswers>;
