// What listed stocks were worth at the end of each month.
import { dataset, type Macro } from "../platform/lake/dataset.ts";

export const universeSnapshots = dataset({
  name: "universe_snapshots",
  description:
    "Listed stocks at the last session of each month: price, shares and market value, one row more whenever a later build differs. Months before the service first read the exchanges' lists cover only what was listed then (survivorship bias). universe(on_date, as_of) has one snapshot.",
  columns: {
    listing: { type: "VARCHAR", description: "The listing, as in universe_registry." },
    snapshot_date: { type: "DATE", description: "Last session of the month." },
    symbol: { type: "VARCHAR", description: "Symbol at the time of the build, canonical." },
    name: { type: "VARCHAR", description: "Name at the time of the build." },
    cik: { type: "VARCHAR", nullable: true, description: "The SEC's number of the filer, ten digits." },
    sector: {
      type: "VARCHAR",
      nullable: true,
      description: "Nasdaq's sector at the time of the build, not GICS.",
    },
    industry: { type: "VARCHAR", nullable: true, description: "Nasdaq's industry at the time of the build." },
    exchange: { type: "VARCHAR", description: "Exchange at the time of the build, or the last one." },
    security_type: { type: "VARCHAR", description: "As in universe_registry." },
    currency: { type: "VARCHAR", nullable: true, description: "ISO 4217 code of the prices and values." },
    basis_date: {
      type: "DATE",
      nullable: true,
      description: "close_price and shares_outstanding are adjusted for every split up to this day.",
    },
    close_price: {
      type: "DOUBLE",
      nullable: true,
      positive: true,
      unit: "per share",
      description:
        "Close of snapshot_date, split-adjusted to basis_date; null when no close of that very day is known.",
    },
    close_price_unadjusted: {
      type: "DOUBLE",
      nullable: true,
      positive: true,
      unit: "per share",
      description: "The same close as traded that day, before any later split.",
    },
    shares_outstanding: {
      type: "BIGINT",
      nullable: true,
      positive: true,
      unit: "shares",
      description: "Latest known count at the time of the build, restated for splits up to basis_date.",
    },
    shares_source: {
      type: "VARCHAR",
      nullable: true,
      description:
        "regulator: the filer's own report, all its classes together; price_provider: this class as the price provider counts it.",
    },
    shares_as_of: { type: "DATE", nullable: true, description: "The day that count is of." },
    shares_accession: {
      type: "VARCHAR",
      nullable: true,
      description: "The report that count stands in, dashed.",
    },
    market_cap: {
      type: "DOUBLE",
      nullable: true,
      positive: true,
      unit: "currency",
      description:
        "shares_outstanding * close_price: today's count at that day's price, off by what was issued and bought back since.",
    },
    shares_outstanding_pit: {
      type: "BIGINT",
      nullable: true,
      positive: true,
      unit: "shares",
      description:
        "Count of the newest report anybody could read by the end of snapshot_date, restated for splits up to snapshot_date.",
    },
    shares_pit_as_of: { type: "DATE", nullable: true, description: "The day that count is of." },
    shares_pit_known_at: {
      type: "TIMESTAMPTZ",
      nullable: true,
      description: "From when its report could be read.",
    },
    shares_pit_accession: { type: "VARCHAR", nullable: true, description: "The report, dashed." },
    market_cap_pit: {
      type: "DOUBLE",
      nullable: true,
      positive: true,
      unit: "currency",
      description: "shares_outstanding_pit * close_price_unadjusted: what could be computed on that day.",
    },
    missing: {
      type: "VARCHAR",
      nullable: true,
      description:
        "Why a figure is null, by comma: no_close, no_shares, no_shares_pit, old_shares_pit, several_classes, depositary_shares, splits_unknown.",
    },
    known_at: { type: "TIMESTAMPTZ", description: "When the row was built." },
  },
  key: ["listing", "snapshot_date"],
  partition: { by: "year", column: "snapshot_date" },
  sort: ["snapshot_date", "listing"],
  fill: "append",
});

export const universeOn: Macro = {
  name: "universe",
  kind: "table",
  parameters: ["on_date", "as_of := NULL"],
  description:
    "The newest snapshot of the universe at or before on_date, as known by as_of: one row a listing.",
  body: () => `SELECT * FROM universe_snapshots
    WHERE snapshot_date = (SELECT max(snapshot_date) FROM universe_snapshots
        WHERE snapshot_date <= on_date::DATE AND known_at <= known_by(as_of))
      AND known_at <= known_by(as_of)
    QUALIFY row_number() OVER (PARTITION BY listing ORDER BY known_at DESC) = 1`,
};
