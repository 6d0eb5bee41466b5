// GET /etf/exposure/{symbol}: which funds held a share, by the stored reports.
import { canonical } from "../../market/ticker.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import { momentOf } from "./holdings.ts";
import type { ExposureAsk, ExposureResponse, ExposureRow } from "./schema.ts";

const LIMIT = 100;

/** A sum that is known only where each part is. */
const sum = (column: string) => `CASE WHEN count(${column}) = count(*) THEN sum(${column}) END`;

/** A symbol without its dot: some reports have BRKB where others have BRK.B. */
const bare = (symbol: string) => `replace(${symbol}, '.', '')`;
/** Numbers that reports give to this symbol and to no other, but for the dot. */
const numbers = (column: string) => `SELECT ${column} FROM told WHERE ${column} IS NOT NULL GROUP BY ${column}
      HAVING count(DISTINCT ${bare("symbol")}) = 1 AND bool_or(symbol = $symbol)`;

/**
 * Lines of a share: those whose ticker it is, and lines without a ticker, or with it without its dot, whose ISIN (else
 * CUSIP) other reports give to this symbol and to no other. Derivatives on it are not holdings of it.
 */
const HELD = `WITH told AS (SELECT symbol, isin, cusip FROM etf_holdings
      WHERE symbol IS NOT NULL AND known_at <= known_by($as_of)),
    isins AS (${numbers("isin")}), cusips AS (${numbers("cusip")}),
    lines AS (SELECT h.*, CASE WHEN h.symbol = $symbol THEN 'ticker'
        WHEN h.symbol IS NOT NULL AND ${bare("h.symbol")} <> ${bare("$symbol")} THEN NULL
        WHEN h.isin IN (SELECT isin FROM isins) THEN 'isin'
        WHEN h.isin IS NULL AND h.cusip IN (SELECT cusip FROM cusips) THEN 'cusip' END AS matched_by
      FROM etf_holdings_as_of($as_of) h WHERE h.derivative_kind IS NULL AND h.asset_category = 'EC')
    SELECT fund_symbol AS etf, fund_name AS name, ${sum("weight_percent")} AS weight_percent,
      ${sum("CASE WHEN units = 'NS' THEN balance END")} AS shares, ${sum("value_usd")} AS market_value,
      max(period_end) AS as_of, max(known_at) AS known_at, max(matched_by) AS matched_by,
      accession_number, series_id
    FROM lines WHERE matched_by IS NOT NULL
    GROUP BY series_id, accession_number, fund_symbol, fund_name`;

export function fundExposure({ lake, clock }: { readonly lake: Lake; readonly clock: Clock }) {
  return async (ticker: string, ask: ExposureAsk, signal: AbortSignal): Promise<ExposureResponse> => {
    const { limit = LIMIT, offset = 0 } = ask;
    const moment = momentOf(ask.as_of, clock.now());
    const params = { symbol: canonical(ticker), as_of: moment?.toString() ?? null };
    const rows = await lake.query<ExposureRow>(
      `SELECT * FROM (${HELD}) ORDER BY weight_percent DESC NULLS LAST, etf, series_id`,
      params,
      { signal },
    );
    const [funds] = await lake.query<{ n: number }>(
      "SELECT count(DISTINCT series_id) AS n FROM etf_holdings WHERE known_at <= known_by($as_of)",
      { as_of: params.as_of },
      { signal },
    );
    const data = rows.slice(offset, offset + limit);
    return {
      symbol: ticker,
      funds_stored: funds?.n ?? 0,
      count: data.length,
      total: rows.length,
      limit,
      offset,
      has_more: offset + data.length < rows.length,
      data,
    };
  };
}

export type FundExposure = ReturnType<typeof fundExposure>;
