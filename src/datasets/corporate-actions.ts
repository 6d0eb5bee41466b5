// Splits, dividends and capital gains, as they became known.

import { dataset } from "../platform/lake/dataset.ts";

export const corporateActions = dataset({
  name: "corporate_actions",
  says: "Splits, dividends and capital gains; a later report of the same action is a later row, actions(as_of) has the newest.",
  columns: {
    symbol: { type: "VARCHAR", says: "Symbol in its canonical spelling." },
    ex_date: { type: "DATE", says: "First session that trades without it." },
    kind: { type: "VARCHAR", says: "split, dividend or capital_gain." },
    amount: {
      type: "DOUBLE",
      nullable: true,
      unit: "per share",
      says: "Cash, split-adjusted to basis_date.",
    },
    currency: { type: "VARCHAR", nullable: true, says: "ISO 4217 code of the amount." },
    numerator: { type: "DOUBLE", nullable: true, unit: "shares", says: "Of a split: new shares." },
    denominator: {
      type: "DOUBLE",
      nullable: true,
      unit: "shares",
      says: "Of a split: for so many old ones.",
    },
    price_factor: {
      type: "DOUBLE",
      nullable: true,
      positive: true,
      says: "What a price before ex_date is multiplied by: denominator / numerator of a split, 1 - amount / close of the session before ex_date of cash; null when that close is unknown.",
    },
    basis_date: { type: "DATE", says: "The amount is adjusted by every split with ex_date up to this day." },
    known_at: { type: "TIMESTAMPTZ", says: "When the row was fetched." },
    source: { type: "VARCHAR", says: "Who reported it." },
  },
  key: ["symbol", "ex_date", "kind"],
  partition: { by: "none" },
  sort: ["symbol", "ex_date", "known_at"],
  fill: "append",
});
