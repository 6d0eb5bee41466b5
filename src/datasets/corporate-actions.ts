// Splits, dividends and capital gains, as they became known.

import { dataset } from "../platform/lake/dataset.ts";

export const corporateActions = dataset({
  name: "corporate_actions",
  description:
    "Splits, dividends and capital gains. A later report of the same action is a new row; actions(as_of) has the newest.",
  columns: {
    symbol: { type: "VARCHAR", description: "Symbol in its canonical spelling." },
    ex_date: { type: "DATE", description: "First session in which the shares trade without it." },
    kind: {
      type: "VARCHAR",
      description:
        "split, dividend or capital_gain; unusable for a listed entry that can be none, such as a split of 1:0: kept as it is listed, with price_factor 1.",
    },
    amount: {
      type: "DOUBLE",
      nullable: true,
      unit: "per share",
      description: "Cash, split-adjusted to basis_date.",
    },
    currency: { type: "VARCHAR", nullable: true, description: "ISO 4217 code of the amount." },
    numerator: { type: "DOUBLE", nullable: true, unit: "shares", description: "For a split: new shares." },
    denominator: {
      type: "DOUBLE",
      nullable: true,
      unit: "shares",
      description: "For a split: old shares they replace.",
    },
    price_factor: {
      type: "DOUBLE",
      nullable: true,
      positive: true,
      description:
        "Factor for prices before ex_date. Of a split: denominator / numerator. Of cash: 1 - amount / close of the session before; null when that close is unknown.",
    },
    missing_through: {
      type: "DATE",
      nullable: true,
      description:
        "Of an action listed late: bars before ex_date with a basis_date from ex_date to this day lack it, and bars(as_of) applies it to them. Null where none does.",
    },
    basis_date: {
      type: "DATE",
      description: "The amount is adjusted by every split with ex_date up to this day.",
    },
    known_at: { type: "TIMESTAMPTZ", description: "When the row was fetched." },
    source: { type: "VARCHAR", description: "The provider that reported it." },
  },
  key: ["symbol", "ex_date", "kind"],
  partition: { by: "none" },
  sort: ["symbol", "ex_date", "known_at"],
  fill: "append",
  changes: { publicFrom: "ex_date", countsBefore: { column: "ex_date", upTo: "basis_date" } },
});
