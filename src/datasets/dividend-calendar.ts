// Dividends as they were declared, changed, cancelled and paid, as it became known.

import { dataset, type Macro } from "../platform/lake/dataset.ts";

export const dividendCalendar = dataset({
  name: "dividend_calendar",
  description:
    "Declared and paid dividends; every change is a later row with the day it was seen (as_of_date) and its number (revision). dividends_as_of(as_of) has the newest.",
  columns: {
    symbol: { type: "VARCHAR", description: "Symbol in its canonical spelling." },
    ex_dividend_date: { type: "DATE", description: "First session that trades without it." },
    dividend_type: {
      type: "VARCHAR",
      description: "cash, special or stock as the provider has it; other for a word of another meaning.",
    },
    part: {
      type: "INTEGER",
      description: "1; more only where several payments of one type share an ex date.",
    },
    declaration_date: { type: "DATE", nullable: true, description: "Day it was declared." },
    record_date: { type: "DATE", nullable: true, description: "Whose holders it goes to." },
    payment_date: { type: "DATE", nullable: true, description: "Day it is paid." },
    amount: {
      type: "DOUBLE",
      nullable: true,
      unit: "per share",
      description:
        "As paid: on the share basis of its own day, not adjusted for later splits. Null in shares, and where a provider only has it adjusted for a split since.",
    },
    reported_amount: {
      type: "DOUBLE",
      nullable: true,
      unit: "per share",
      description: "Of a provider that adjusts for splits: the amount as it has it, on basis_date.",
    },
    basis_date: {
      type: "DATE",
      nullable: true,
      description: "reported_amount is adjusted by every split with ex date up to this day.",
    },
    currency: { type: "VARCHAR", nullable: true, description: "ISO 4217 code of the amounts." },
    frequency: { type: "VARCHAR", nullable: true, description: "Only where a provider says so." },
    status: {
      type: "VARCHAR",
      description:
        "declared; cancelled when a declared one disappeared before its ex date; estimated where the provider says so.",
    },
    as_of_date: { type: "DATE", description: "New York day on which the provider said so first." },
    revision: { type: "INTEGER", description: "1 for the first word on the dividend, then counted up." },
    known_at: { type: "TIMESTAMPTZ", description: "When it was read." },
    source: { type: "VARCHAR", description: "Who said so." },
  },
  key: ["symbol", "ex_dividend_date", "dividend_type", "part", "source"],
  partition: { by: "none" },
  sort: ["symbol", "ex_dividend_date", "known_at"],
  fill: "append",
});

/** Where the payment date is not known: far longer than any dividend takes from its ex date. */
const PAID_AFTER_DAYS = 180;

export const dividendsAsOf: Macro = {
  name: "dividends_as_of",
  kind: "table",
  parameters: ["as_of := NULL"],
  description:
    "Dividends as known by as_of: of each (symbol, ex_dividend_date, dividend_type) the newest revision, status paid once the payment date has come (180 days after the ex date where it is not known). A provider with the dates of a payment goes before one that only has its ex date.",
  body: () => `SELECT * REPLACE (CASE WHEN status = 'declared'
        AND coalesce(payment_date, ex_dividend_date + ${PAID_AFTER_DAYS}) <= (least(known_by(as_of), now()) AT TIME ZONE 'America/New_York')::DATE
        THEN 'paid' ELSE status END AS status)
    FROM (SELECT * FROM dividend_calendar WHERE known_at <= known_by(as_of)
      QUALIFY row_number() OVER (PARTITION BY symbol, ex_dividend_date, dividend_type, part, source ORDER BY known_at DESC) = 1)
    WINDOW payment AS (PARTITION BY symbol, ex_dividend_date, dividend_type)
    QUALIFY CASE WHEN basis_date IS NULL
      THEN status <> 'cancelled' OR NOT bool_or(basis_date IS NOT NULL) OVER payment
      ELSE NOT bool_or(basis_date IS NULL AND status <> 'cancelled') OVER payment END`,
};
