// Dividends as they were declared, changed, cancelled and paid, with the time each change became known.

import { dataset, type Macro } from "../platform/lake/dataset.ts";

export const dividendCalendar = dataset({
  name: "dividend_calendar",
  description:
    "Declared and paid dividends. Every change is a new row with the day it was first seen (as_of_date) and a number (revision); dividends_as_of(as_of) has the newest.",
  columns: {
    symbol: { type: "VARCHAR", description: "Symbol in its canonical spelling." },
    ex_dividend_date: { type: "DATE", description: "First session in which the shares trade without it." },
    dividend_type: {
      type: "VARCHAR",
      description: "cash, special or stock as the provider states it; other for any other type.",
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
        "Amount as paid, on the share basis of its own day and not adjusted for later splits. Null for dividends in shares, and where a provider only has the amount adjusted for a later split.",
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
});

/** Days after the ex date when an unknown payment date counts as passed: far longer than any dividend takes. */
const PAID_AFTER_DAYS = 180;

export const dividendsAsOf: Macro = {
  name: "dividends_as_of",
  kind: "table",
  parameters: ["as_of := NULL"],
  description:
    "Dividends as known by as_of: the newest revision of each (symbol, ex_dividend_date, dividend_type). The status is paid from the payment date on (180 days after the ex date where it is unknown). A provider with payment dates is preferred to one that only has the ex date.",
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
