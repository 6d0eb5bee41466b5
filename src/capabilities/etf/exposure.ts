// GET /etf/exposure/{symbol}: which funds hold a share, by the stored reports.
import { absent, ifEmpty } from "../../market/absence.ts";
import { pageOf } from "../../market/answer-fields.ts";
import type { Services } from "../../market/services.ts";
import { canonical } from "../../market/ticker.ts";
import { pastMoment } from "./past-moment.ts";
import type { ExposureRequest, ExposureResponse, ExposureRow } from "./schema.ts";

const LIMIT = 100;

/**
 * A sum, or null if one of its parts is null. It adds the parts by size: in the order of the files, a merge
 * could change the last digit.
 */
const sum = (column: string) =>
  `CASE WHEN count(${column}) = count(*) THEN sum(${column} ORDER BY ${column}) END`;

/** A symbol without its dot: some reports write BRKB, others BRK.B. */
const withoutDot = (symbol: string) => `replace(${symbol}, '.', '')`;
/** Identifiers that reports give to this symbol and to no other, ignoring the dot. */
const identifiers = (
  column: string,
) => `SELECT ${column} FROM reported WHERE ${column} IS NOT NULL GROUP BY ${column}
      HAVING count(DISTINCT ${withoutDot("symbol")}) = 1 AND bool_or(symbol = $symbol)`;

/**
 * The holdings of a share by fund. A line belongs to the share if it has its ticker, or if it has no ticker
 * (or the ticker without its dot) and an ISIN, else a CUSIP, that other reports give to this symbol alone.
 * Derivatives do not count.
 */
// Made up: a line without a ticker has an ISIN that other reports give to ZQX alone: ZQX. To ZQX and ZQY:
// neither.
const HOLDINGS = `WITH reported AS (SELECT symbol, isin, cusip FROM etf_holdings
      WHERE symbol IS NOT NULL AND known_at <= known_by($as_of)),
    isins AS (${identifiers("isin")}), cusips AS (${identifiers("cusip")}),
    lines AS (SELECT h.*, CASE WHEN h.symbol = $symbol THEN 'ticker'
        WHEN h.symbol IS NOT NULL AND ${withoutDot("h.symbol")} <> ${withoutDot("$symbol")} THEN NULL
        WHEN h.isin IN (SELECT isin FROM isins) THEN 'isin'
        WHEN h.isin IS NULL AND h.cusip IN (SELECT cusip FROM cusips) THEN 'cusip' END AS matched_by
      FROM etf_holdings_as_of($as_of) h WHERE h.derivative_kind IS NULL AND h.asset_category = 'EC')
    SELECT fund_symbol AS etf, fund_name AS name, ${sum("weight_percent")} AS weight_percent,
      ${sum("CASE WHEN units = 'NS' THEN balance END")} AS shares, ${sum("value_usd")} AS market_value,
      max(period_end) AS as_of, max(known_at) AS known_at, max(matched_by) AS matched_by,
      accession_number, series_id
    FROM lines WHERE matched_by IS NOT NULL
    GROUP BY series_id, accession_number, fund_symbol, fund_name`;

export function fundExposure({ lake, clock }: Pick<Services, "lake" | "clock">) {
  return async (ticker: string, request: ExposureRequest, signal: AbortSignal): Promise<ExposureResponse> => {
    const { limit = LIMIT, offset = 0 } = request;
    const moment = pastMoment(request.as_of, clock.now());
    const params = { symbol: canonical(ticker), as_of: moment?.toString() ?? null };
    const rows = await lake.query<ExposureRow>(
      `SELECT * FROM (${HOLDINGS}) ORDER BY weight_percent DESC NULLS LAST, etf, series_id`,
      params,
      { signal },
    );
    const [funds] = await lake.query<{ n: number }>(
      "SELECT count(DISTINCT series_id) AS n FROM etf_holdings WHERE known_at <= known_by($as_of)",
      { as_of: params.as_of },
      { signal },
    );
    const data = rows.slice(offset, offset + limit);
    const stored = funds?.n ?? 0;
    const unread = `${stored === 0 ? "No report of a fund is" : `Only the reports of ${stored} funds are`} stored${moment ? " as of then" : ""}; GET /api/v1/etf/{ticker}/holdings adds one fund, and the job etf-reports reads their new ones.`;
    return {
      symbol: ticker,
      funds_stored: stored,
      ...pageOf(data.length, rows.length, { limit, offset }),
      warnings: [
        absent("not_read", unread),
        ...(stored === 0
          ? []
          : ifEmpty(
              data,
              "nothing_there",
              `None of them holds ${ticker}, or the page lies behind the last one.`,
            )),
      ],
      data,
    };
  };
}

export type FundExposure = ReturnType<typeof fundExposure>;
