// Market values of listed stocks at the end of each month.
import { dataset, type Macro, storedColumns } from "../platform/lake/dataset.ts";

export const universeSnapshots = dataset({
  name: "universe_snapshots",
  description:
    "Listed stocks at the last session of each month: price, shares and market value, with a new row when a later build differs. Months before the service first read the exchanges' lists cover only the stocks listed at that first reading (survivorship bias). universe(on_date, as_of) has one snapshot.",
  columns: {
    listing: { type: "VARCHAR", description: "The listing, as in universe_registry." },
    snapshot_date: { type: "DATE", description: "Last session of the month." },
    symbol: { type: "VARCHAR", description: "Canonical symbol at the time of the build." },
    name: { type: "VARCHAR", description: "Name at the time of the build." },
    cik: { type: "VARCHAR", nullable: true, description: "The filer's SEC number (CIK), ten digits." },
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
      description: "close_price and shares_outstanding are adjusted for every split up to this date.",
    },
    close_price: {
      type: "DOUBLE",
      nullable: true,
      positive: true,
      unit: "per share",
      description:
        "Close of snapshot_date, split-adjusted to basis_date; null when no close of exactly that day is known.",
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
        "regulator: from the filer's report, all classes together; price_provider: this class according to the price provider.",
    },
    shares_as_of: { type: "DATE", nullable: true, description: "Date of that share count." },
    shares_accession: {
      type: "VARCHAR",
      nullable: true,
      description: "Accession number of the report with that count, with dashes.",
    },
    market_cap: {
      type: "DOUBLE",
      nullable: true,
      positive: true,
      unit: "currency",
      description:
        "shares_outstanding * close_price: the current share count at that day's price, so shares issued or bought back since distort it.",
    },
    shares_outstanding_pit: {
      type: "BIGINT",
      nullable: true,
      positive: true,
      unit: "shares",
      description:
        "Share count of the newest report public by the end of snapshot_date, restated for splits up to snapshot_date.",
    },
    shares_pit_as_of: { type: "DATE", nullable: true, description: "Date of that share count." },
    shares_pit_known_at: {
      type: "TIMESTAMPTZ",
      nullable: true,
      description: "When its report became public.",
    },
    shares_pit_accession: {
      type: "VARCHAR",
      nullable: true,
      description: "Accession number of the report, with dashes.",
    },
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
        "Why values are null, with commas: no_close, no_shares, no_shares_pit, old_shares_pit, several_classes, depositary_shares, splits_unknown, shares_in_doubt.",
    },
    known_at: { type: "TIMESTAMPTZ", description: "When the row was built." },
  },
  key: ["listing", "snapshot_date"],
  partition: { by: "year", column: "snapshot_date" },
  sort: ["snapshot_date", "listing"],
  fill: "append",
  changes: { computed: true },
});

export const universeOn: Macro = {
  name: "universe",
  kind: "table",
  parameters: ["on_date", "as_of := NULL"],
  description:
    "The newest snapshot of the universe at or before on_date, as known by as_of: one row per listing.",
  columns: storedColumns(universeSnapshots),
  body: () => `SELECT * FROM universe_snapshots
    WHERE snapshot_date = (SELECT max(snapshot_date) FROM universe_snapshots
        WHERE snapshot_date <= on_date::DATE AND known_at <= known_by(as_of))
      AND known_at <= known_by(as_of)
    QUALIFY row_number() OVER (PARTITION BY listing ORDER BY known_at DESC) = 1`,
};
