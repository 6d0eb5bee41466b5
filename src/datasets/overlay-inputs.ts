// Inputs of the overlay score: one query per part, each over the data known by the end of the day.
import { columnsOf, type Macro } from "../platform/lake/dataset.ts";
import { insiderDollars } from "./insider-transactions.ts";
import { overlayScores } from "./overlay-scores.ts";

/** Minimum number of known values among the 20 before. */
// With 9 of 20 values known the score's part is null; with 10 equal ones too, with 10 different ones it is a
// number.
const KNOWN_MIN = 10;

/** The `as_of` of every macro: the day of `session`, which includes its end in New York. */
const AS_OF = "session::DATE::VARCHAR";
const NEW_YORK = "'America/New_York'";

/** The z-score; null when too few values are known or all are equal, because the deviation is then zero. */
const zscore = (value: string, baseline: string) =>
  `CASE WHEN count(${baseline}) >= ${KNOWN_MIN} AND max(${baseline}) > min(${baseline})
    THEN (${value} - avg(${baseline})) / stddev_samp(${baseline}) END`;

/** Page views of a company's article by UTC day. */
const ATTENTION = `SELECT symbol, newest AS date,
    ${zscore("any_value(views) FILTER (WHERE date = newest)", "CASE WHEN date < newest THEN views::DOUBLE END")} AS z
  FROM (SELECT e.symbol, v.date, v.views, max(v.date) OVER (PARTITION BY e.symbol) AS newest
    FROM page_views_as_of(${AS_OF}) v JOIN encyc_entities_as_of(${AS_OF}) e ON e.encyc_title = v.article
    WHERE v.date BETWEEN session::DATE - 24 AND session::DATE)
  WHERE newest >= session::DATE - 4 AND date >= newest - 20
  GROUP BY symbol, newest`;

/**
 * Articles fetched on the day they were published. So each day counts what was known by its own end, and
 * articles of old days that are collected later change nothing. A day without any fetched article is unknown,
 * not a day without news.
 */
// Made up: an article of 3 May that is collected on 9 May counts for neither day.
const NEWS = `SELECT m.symbol, ${zscore(
  "any_value(m.articles) FILTER (WHERE m.day_met = session::DATE)",
  "CASE WHEN m.day_met < session::DATE THEN m.articles::DOUBLE END",
)} AS z
  FROM (SELECT s.symbol, c.day_met, count(a.id) AS articles
    FROM (SELECT DISTINCT symbol FROM met) s CROSS JOIN (SELECT DISTINCT day_met FROM met) c
    LEFT JOIN met a ON a.symbol = s.symbol AND a.day_met = c.day_met
    GROUP BY s.symbol, c.day_met) m
  WHERE EXISTS (SELECT 1 FROM met WHERE day_met = session::DATE)
  GROUP BY m.symbol`;
const MET = `SELECT DISTINCT trim(t.symbol) AS symbol, n.filed_on AS day_met, n.id
  FROM news_as_of(${AS_OF}) n CROSS JOIN unnest(string_split(n.tickers, ',')) t(symbol)
  WHERE n.filed_on BETWEEN session::DATE - 28 AND session::DATE AND n.tickers IS NOT NULL
    AND (n.ingested_at AT TIME ZONE ${NEW_YORK})::DATE = n.filed_on AND trim(t.symbol) <> ''`;

/** Share of short sales in the off-exchange volume, by file. */
const SHORT_VOLUME = `SELECT symbol, newest AS date, ${zscore(
  "any_value(ratio) FILTER (WHERE place = 1)",
  "CASE WHEN place BETWEEN 2 AND 21 THEN ratio END",
)} AS z
  FROM (SELECT symbol, CASE WHEN total_volume > 0 THEN short_volume / total_volume END AS ratio,
      dense_rank() OVER (ORDER BY date DESC) AS place, max(date) OVER () AS newest
    FROM short_volume_as_of(${AS_OF}) WHERE facility = 'CNMS' AND date BETWEEN session::DATE - 45 AND session::DATE)
  WHERE newest >= session::DATE - 5
  GROUP BY symbol, newest HAVING any_value(ratio) FILTER (WHERE place = 1) IS NOT NULL`;

/**
 * Purchases of a company's insiders. They are joined by CIK, because the symbol in a form is free text; a
 * symbol has one company, the one that had it then.
 */
const INSIDER = `SELECT c.symbol, ${insiderDollars("transaction_code = 'P' AND filing_date > session::DATE - 30")} AS usd
  FROM (SELECT issuer_cik, security_type, transaction_code, transaction_value, filing_date
    FROM insider_transactions_as_of(${AS_OF}) WHERE filing_date BETWEEN session::DATE - 365 AND session::DATE) t
  JOIN (SELECT symbol, cik FROM ticker_holders(${AS_OF})) c ON c.cik = t.issuer_cik
  GROUP BY c.symbol`;

/**
 * Shares traded against earlier sessions. A bar becomes known after the next session opens, so `priced` is
 * the session before.
 */
const VOLUME = `SELECT symbol, CASE WHEN count(before) >= ${KNOWN_MIN} AND avg(before) > 0
      THEN any_value(volume) FILTER (WHERE date = priced::DATE) / avg(before) END AS ratio
  FROM (SELECT symbol, date, volume, CASE WHEN date < priced::DATE THEN volume::DOUBLE END AS before FROM prices)
  GROUP BY symbol`;

/** Adjusted close against that of five sessions earlier. */
const MOMENTUM = `SELECT n.symbol, (n.adj_close / o.adj_close - 1) * 100 AS percent
  FROM prices n JOIN prices o ON o.symbol = n.symbol AND o.date = priced_5::DATE AND o.adj_close > 0
  WHERE n.date = priced::DATE`;
const PRICES = `SELECT symbol, date, volume, adj_close FROM bars(${AS_OF})
  WHERE date BETWEEN priced_20::DATE AND priced::DATE AND isodow(date) < 6`;

export const overlayInputs: Macro = {
  name: "overlay_inputs",
  kind: "table",
  parameters: ["session", "priced", "priced_5", "priced_20"],
  description:
    "The inputs of overlay scores for a session. priced is the session before it, the newest whose bars are known by then; priced_5 and priced_20 are five and twenty sessions before priced. Only data known by the end of that day in New York is used; null is unknown.",
  columns: columnsOf(
    overlayScores,
    "symbol",
    "attention_z",
    "attention_date",
    "news_z",
    "short_volume_z",
    "short_volume_date",
    "insider_bought_usd",
    "relative_volume",
    "return_5d_percent",
  ),
  body: () => `WITH prices AS MATERIALIZED (${PRICES}), met AS MATERIALIZED (${MET}),
    attention AS (${ATTENTION}), news AS (${NEWS}), short_volume AS (${SHORT_VOLUME}),
    insider AS (${INSIDER}), volume AS (${VOLUME}), momentum AS (${MOMENTUM}),
    symbols AS (SELECT symbol FROM attention UNION SELECT symbol FROM news UNION SELECT symbol FROM short_volume
      UNION SELECT symbol FROM volume UNION SELECT symbol FROM momentum)
  SELECT s.symbol, attention.z AS attention_z, attention.date AS attention_date, news.z AS news_z,
    short_volume.z AS short_volume_z, short_volume.date AS short_volume_date, insider.usd AS insider_bought_usd,
    volume.ratio AS relative_volume, momentum.percent AS return_5d_percent
  FROM symbols s LEFT JOIN attention USING (symbol) LEFT JOIN news USING (symbol)
    LEFT JOIN short_volume USING (symbol) LEFT JOIN insider USING (symbol)
    LEFT JOIN volume USING (symbol) LEFT JOIN momentum USING (symbol)`,
};
