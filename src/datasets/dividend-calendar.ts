// Dividends as they were declared, changed, cancelled and paid, with the time each change became known.

import { AMOUNT_DECIMALS } from "../market/float.ts";
import { dataset, type Macro, storedColumns } from "../platform/lake/dataset.ts";
import { BACKFILLED, RECORDED_AT } from "./macro-columns.ts";

export const dividendCalendar = dataset({
  name: "dividend_calendar",
  description:
    "Declared and paid dividends. Every change is a new row with the day it was first seen (as_of_date) and a number (revision); dividends_as_of(as_of) has the newest.",
  columns: {
    symbol: { type: "VARCHAR", description: "Symbol in its canonical spelling." },
    ex_dividend_date: { type: "DATE", description: "First session in which the shares trade without it." },
    dividend_type: {
      type: "VARCHAR",
      description:
        "cash, special or stock as the provider states it; cash where its list of a day states none; other for any other type.",
    },
    part: {
      type: "INTEGER",
      description: "1; counted up where several payments of the same type have the same ex date.",
    },
    declaration_date: { type: "DATE", nullable: true, description: "Day it was declared." },
    record_date: { type: "DATE", nullable: true, description: "Holders on this day receive it." },
    payment_date: { type: "DATE", nullable: true, description: "Day it is paid." },
    amount: {
      type: "DOUBLE",
      nullable: true,
      unit: "per share",
      description:
        "As paid, on the share basis of its own day. Null for dividends in shares, and where a provider only has it adjusted for later splits (see dividends_as_of).",
    },
    reported_amount: {
      type: "DOUBLE",
      nullable: true,
      unit: "per share",
      description:
        "For a provider that adjusts for splits: the amount it reports, on the basis of basis_date.",
    },
    basis_date: {
      type: "DATE",
      nullable: true,
      description: "reported_amount is adjusted by every split with ex date up to this day.",
    },
    currency: { type: "VARCHAR", nullable: true, description: "ISO 4217 code of the amounts." },
    frequency: { type: "VARCHAR", nullable: true, description: "Only where a provider reports it." },
    status: {
      type: "VARCHAR",
      description:
        "declared; cancelled when a declared dividend disappeared before its ex date; estimated where the provider marks it so.",
    },
    as_of_date: { type: "DATE", description: "New York day on which the provider first reported this." },
    revision: { type: "INTEGER", description: "1 for the first report of the dividend, then counted up." },
    known_at: { type: "TIMESTAMPTZ", description: "When it was fetched." },
    source: { type: "VARCHAR", description: "The provider that reported it." },
  },
  key: ["symbol", "ex_dividend_date", "dividend_type", "part", "source"],
  partition: { by: "none" },
  sort: ["symbol", "ex_dividend_date", "known_at"],
  fill: "append",
  changes: { publicFrom: "coalesce(declaration_date, ex_dividend_date)" },
});

/**
 * Days after the ex date when an unknown payment date counts as passed: far longer than any dividend takes.
 */
// Made up: ex on 1 March without a payment date: it counts as paid from 28 August on.
const PAID_AFTER_DAYS = 180;

/**
 * When the first report of a dividend was public: at the end of its declaration day, else at the open of its
 * ex date, and never after its fetch. Sources do not state when they changed a report, so later revisions
 * count from their fetch.
 */
// Made up: declared on 1 May, ex on 20 May, fetched on 2 June: known at the end of 1 May; undeclared, at
// 09:30 on 20 May.
const KNOWN_AT = `CASE WHEN revision > 1 THEN known_at
      WHEN declaration_date IS NOT NULL THEN least(known_at, known_by(declaration_date))
      ELSE least(known_at, (ex_dividend_date::TIMESTAMP + INTERVAL '9 hours 30 minutes') AT TIME ZONE 'America/New_York') END`;

/**
 * Splits after as_of that an adjusted amount includes. Each reading of a symbol stores its splits before its
 * dividends, so all are there.
 */
const UNDONE = `(SELECT CASE WHEN bool_or(s.price_factor IS NULL) THEN NULL ELSE coalesce(product(s.price_factor), 1) END
      FROM actions(NULL) s WHERE s.symbol = d.symbol AND s.kind = 'split'
        AND s.ex_date > known_day(as_of) AND s.ex_date <= d.basis_date)`;

/**
 * The amount as paid, out of one that the splits after its ex date adjust. Splits up to as_of count as known
 * by as_of. Null where a split was stored only after the reading, which cannot show whether its amount
 * includes it. A rounded amount times a large ratio has fewer certain decimals.
 */
// Made up: 0.1925 reported after a 4:1 split was paid as 0.77; where the split was stored after the reading,
// null.
const AS_PAID = `(SELECT CASE WHEN bool_or(s.price_factor IS NULL OR s.stored_at > d.recorded_at) THEN NULL
      ELSE round(d.reported_amount / product(s.price_factor),
        ${AMOUNT_DECIMALS} - ceil(log10(1 / product(s.price_factor)))::INT) END
      FROM splits s WHERE s.symbol = d.symbol AND s.ex_date > d.ex_dividend_date AND s.ex_date <= d.basis_date)`;

/** Every split in its newest report by as_of; a split after as_of in its newest report of all. */
const SPLITS = `SELECT symbol, ex_date, price_factor, stored_at
      FROM (SELECT symbol, ex_date, price_factor FROM actions(as_of) WHERE kind = 'split' AND ex_date <= known_day(as_of)
        UNION ALL SELECT symbol, ex_date, price_factor FROM actions(NULL) WHERE kind = 'split' AND ex_date > known_day(as_of))
      JOIN (SELECT symbol, ex_date, min(known_at) AS stored_at FROM corporate_actions WHERE kind = 'split'
        GROUP BY symbol, ex_date) USING (symbol, ex_date)`;

/**
 * Keeps what was read by as_of: a row of another kind of provider that was read later does not replace it.
 */
const IS_FIRST_READ = `NOT (backfilled AND CASE WHEN basis_date IS NULL
        THEN bool_or(NOT backfilled AND basis_date IS NOT NULL) OVER payment
        ELSE bool_or(NOT backfilled AND basis_date IS NULL) OVER payment END)`;

const PAYMENT = "WINDOW payment AS (PARTITION BY symbol, ex_dividend_date, dividend_type)";

export const dividendsAsOf: Macro = {
  name: "dividends_as_of",
  kind: "table",
  parameters: ["as_of := NULL"],
  description:
    "Dividends as known by as_of: the newest revision of each (symbol, ex_dividend_date, dividend_type). A first report is known from the end of its declaration day, else from 09:30 of its ex date, or from its fetch (recorded_at) where that was earlier. Later revisions are known from their fetch. as_of_date is the day of known_at. backfilled: the row was fetched after as_of, and its provider may have changed it meanwhile. reported_amount is on the basis of as_of at the latest. amount is as paid: computed by the splits since its ex date where the provider only has an adjusted one, null where one of these is not known. The status is paid from the payment date on (180 days after the ex date where it is unknown). A provider with payment dates is preferred to one that only has the ex date.",
  columns: {
    ...storedColumns(dividendCalendar),
    amount: {
      ...dividendCalendar.columns.amount,
      description:
        "As paid, on the share basis of its own day. Where a provider only has an adjusted one it is computed by the splits since; null where one is not known.",
    },
    basis_date: {
      ...dividendCalendar.columns.basis_date,
      description:
        "reported_amount is adjusted by every split with ex date up to this day, never after as_of.",
    },
    status: {
      type: "VARCHAR",
      description: `As in dividend_calendar; paid from the payment date on, or ${PAID_AFTER_DAYS} days after the ex date where that is unknown.`,
    },
    as_of_date: { type: "DATE", description: "New York day of known_at." },
    known_at: {
      type: "TIMESTAMPTZ",
      description:
        "For a first report the end of its declaration day, else 09:30 of its ex date, or its fetch where that was earlier; for a later revision its fetch.",
    },
    recorded_at: RECORDED_AT,
    backfilled: BACKFILLED,
  },
  body: () => `WITH splits AS (${SPLITS}),
    known AS (SELECT * REPLACE (${KNOWN_AT} AS known_at),
        known_at AS recorded_at, known_at > known_by(as_of) AS backfilled FROM dividend_calendar),
    newest AS (SELECT * FROM known WHERE known_at <= known_by(as_of)
      QUALIFY row_number() OVER (PARTITION BY symbol, ex_dividend_date, dividend_type, part, source ORDER BY recorded_at DESC) = 1),
    kept AS (SELECT * FROM newest ${PAYMENT} QUALIFY ${IS_FIRST_READ}),
    preferred AS (SELECT * FROM kept ${PAYMENT} QUALIFY CASE WHEN basis_date IS NULL
      THEN status <> 'cancelled' OR NOT bool_or(basis_date IS NOT NULL) OVER payment
      ELSE NOT bool_or(basis_date IS NULL AND status <> 'cancelled') OVER payment END),
    undone AS (SELECT d.*, CASE WHEN basis_date > known_day(as_of) THEN price_digits(reported_amount / ${UNDONE})
        ELSE reported_amount END AS then_reported, ${AS_PAID} AS as_paid FROM preferred d)
    SELECT * EXCLUDE (then_reported, as_paid) REPLACE (
      CASE WHEN status = 'declared'
        AND coalesce(payment_date, ex_dividend_date + ${PAID_AFTER_DAYS}) <= (least(known_by(as_of), now()) AT TIME ZONE 'America/New_York')::DATE
        THEN 'paid' ELSE status END AS status,
      coalesce(amount, as_paid) AS amount,
      then_reported AS reported_amount,
      CASE WHEN basis_date > known_day(as_of) THEN known_day(as_of) ELSE basis_date END AS basis_date,
      (known_at AT TIME ZONE 'America/New_York')::DATE AS as_of_date)
    FROM undone`,
};
