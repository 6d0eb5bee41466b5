// The symbols of the short-volume files: their runs of days, and which of those days have no bar.
import type { Lake } from "../../platform/lake/lake.ts";
import type { PanelRun, PanelSymbols } from "./sources.ts";

/** A symbol absent from the files for so many days may return as another company's. */
// Seen on 1 March and next on 30 April: one run. Next on 1 May: two, perhaps of two companies.
const RUN_GAP_DAYS = 60;
/** A symbol in the files of the last days still trades. */
// With a newest file of 14 August, a symbol seen on 31 July trades and one last seen on 30 July does not.
const CURRENT_DAYS = 14;

const FILES = "FROM short_volume WHERE facility = 'CNMS'";

export function panelSymbols(lake: Lake): PanelSymbols {
  return {
    async range() {
      const [row] = await lake.query<{ first: string | null; last: string | null }>(
        `SELECT min(date) AS first, max(date) AS last ${FILES}`,
      );
      return row?.first && row.last ? { first: row.first, last: row.last } : null;
    },

    runs: (start, end, symbols) =>
      lake.query<PanelRun & Record<string, unknown>>(
        `WITH present AS (SELECT DISTINCT symbol, date ${FILES} ${symbols ? "AND symbol = ANY($symbols)" : ""}),
           marked AS (SELECT symbol, date,
               (date - lag(date) OVER (PARTITION BY symbol ORDER BY date) > ${RUN_GAP_DAYS})::INTEGER AS begins FROM present),
           placed AS (SELECT symbol, date, sum(coalesce(begins, 0)) OVER (PARTITION BY symbol ORDER BY date) AS run,
               max(date) OVER (PARTITION BY symbol) AS newest_date FROM marked),
           stored AS (SELECT symbol, date, true AS has FROM bars_daily
             WHERE date BETWEEN CAST($start AS DATE) AND CAST($end AS DATE) ${symbols ? "AND symbol = ANY($symbols)" : ""})
         SELECT symbol, min(date) AS first_date, max(date) AS last_date,
           count(*) FILTER (lacks) AS missing, min(date) FILTER (lacks) AS missing_first, max(date) FILTER (lacks) AS missing_last,
           max(date) >= (SELECT max(date) ${FILES}) - ${CURRENT_DAYS} AS is_current, any_value(newest_date) AS newest_date
         FROM (SELECT p.symbol, p.date, p.run, p.newest_date,
             s.has IS NULL AND p.date BETWEEN CAST($start AS DATE) AND CAST($end AS DATE) AS lacks
           FROM placed p LEFT JOIN stored s ON s.symbol = p.symbol AND s.date = p.date)
         GROUP BY symbol, run HAVING count(*) FILTER (lacks) > 0 ORDER BY symbol, first_date`,
        { start, end, ...(symbols ? { symbols } : {}) },
      ),

    async withoutBar(session) {
      const rows = await lake.query<{ symbol: string; has: boolean }>(
        `SELECT symbol, bool_or(has) AS has FROM (
           SELECT symbol, false AS has ${FILES} AND date >= (SELECT max(date) ${FILES}) - ${CURRENT_DAYS}
           UNION ALL SELECT symbol, true FROM bars_daily WHERE date = CAST($session AS DATE)
           UNION ALL SELECT symbol, true FROM bars_provisional WHERE date = CAST($session AS DATE))
         GROUP BY symbol HAVING bool_or(NOT has) ORDER BY symbol`,
        { session },
      );
      return { open: rows.filter(({ has }) => !has).map(({ symbol }) => symbol), total: rows.length };
    },

    async known(symbols) {
      const rows = await lake.query<{ symbol: string }>(
        `SELECT DISTINCT symbol ${FILES} AND symbol = ANY($symbols)`,
        { symbols },
      );
      return new Set(rows.map((row) => row.symbol));
    },
  };
}
