// The answers of the fund routes, with their rows for the tabular formats.
import type { Static } from "@sinclair/typebox";
import { pageFacts } from "../../market/answer-fields.ts";
import { newYorkDate } from "../../market/calendar.ts";
import type { Services } from "../../market/services.ts";
import { Answer } from "../../platform/answer.ts";
import type { CacheHit } from "../../platform/cache/cache.ts";
import { columnsOf, tableOfObjects } from "../../platform/cells.ts";
import { NotFound } from "../../platform/errors.ts";
import type { Table } from "../../platform/table.ts";
import type { FundExposure } from "./exposure.ts";
import type { FundLookup } from "./fund-lookup.ts";
import type { FundHoldings } from "./holdings.ts";
import type { ListFunds } from "./list.ts";
import type { ReportStore } from "./report-store.ts";
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

type Columns = Table["columns"];
const HOLDING_COLUMNS: Columns = [
  ...columnsOf("BIGINT", "rank"),
  ...columnsOf("VARCHAR", "symbol", "name", "title", "cusip", "isin", "lei"),
  ...columnsOf("DOUBLE", "weight_percent", "shares", "market_value", "balance"),
  ...columnsOf(
    "VARCHAR",
    "units",
    "currency",
    "payoff_profile",
    "asset_category",
    "country",
    "derivative_kind",
  ),
];
const LIST_COLUMNS: Columns = [
  ...columnsOf("VARCHAR", "ticker", "name", "issuer", "exchange", "cik"),
  ...columnsOf("TIMESTAMPTZ", "first_seen"),
];
const EXPOSURE_COLUMNS: Columns = [
  ...columnsOf("VARCHAR", "etf", "name"),
  ...columnsOf("DOUBLE", "weight_percent", "shares", "market_value"),
  ...columnsOf("DATE", "as_of"),
  ...columnsOf("TIMESTAMPTZ", "known_at"),
  ...columnsOf("VARCHAR", "matched_by", "accession_number", "series_id"),
];

function tabular<T extends Parameters<typeof pageFacts>[0] & { readonly data: readonly object[] }>(
  name: string,
  columns: Columns,
  body: T,
): Answer<T> {
  return new Answer(() => body, {
    page: pageFacts(body),
    table: tableOfObjects(name, columns, body.data),
  });
}

/** The asset class that makes up more than half of the fund. */
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
  state === "STALE" ? ["The price provider could not be reached: this is its profile of known_at."] : [];

export interface AnswersDeps extends Pick<Services, "clock"> {
  readonly funds: FundLookup;
  readonly holdings: FundHoldings;
  readonly exposure: FundExposure;
  readonly list: ListFunds;
  readonly reports: ReportStore;
  /** Name of the price provider. */
  readonly provider: string;
}

export function etfAnswers({ funds, holdings, exposure, list, reports, clock, provider }: AnswersDeps) {
  const profileOf = async (
    ticker: string,
    cached: CacheHit<SourceFund>,
    signal: AbortSignal,
  ): Promise<FundProfile> => {
    const fund = cached.value;
    const { series, error } = await funds.findSeries(ticker, null, signal);
    const report = series ? reports.newestRead(series.series_id, clock.nowMs()) : null;
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
        ...(error ? [`Fetching from the SEC failed (${error.message}): series_id is unknown.`] : []),
      ],
    };
  };

  return {
    async profile(given: string, force: boolean, signal: AbortSignal): Promise<Answer<FundProfile>> {
      const ticker = given.trim();
      const cached = await funds.profile(ticker, force, signal);
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
      const cached = await funds.profile(ticker, force, signal);
      const { sectors, received_at } = cached.value;
      if (sectors === null)
        throw new NotFound("no_data", `The price provider has no sectors of ${ticker}.`, { ticker });
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
