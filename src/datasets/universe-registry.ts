// Every listing the service has seen in the exchanges' lists, with the time each change became known. None is
// removed.
import { dataset, type Macro, storedColumns } from "../platform/lake/dataset.ts";

export const universeRegistry = dataset({
  name: "universe_registry",
  description:
    "Listings of US exchanges from the exchanges' lists, a new row for each change of a listing. Delisted ones stay, with is_active false. listings_at(as_of) has the newest row of each.",
  columns: {
    listing: {
      type: "VARCHAR",
      description:
        "Identifies the listing across renames: its first symbol, followed by ~ and a day where an earlier company had that symbol.",
    },
    symbol: { type: "VARCHAR", description: "Symbol in its canonical spelling." },
    name: { type: "VARCHAR", description: "Name of the security in the exchange's list." },
    cik: {
      type: "VARCHAR",
      nullable: true,
      description: "The filer's SEC number (CIK), ten digits; null where the SEC's list has no such ticker.",
    },
    sector: {
      type: "VARCHAR",
      nullable: true,
      description: "Nasdaq's own sector (Finance, Health Care, …), not GICS.",
    },
    industry: { type: "VARCHAR", nullable: true, description: "Nasdaq's own industry." },
    country: { type: "VARCHAR", nullable: true, description: "Country according to Nasdaq's screener." },
    ipo_year: {
      type: "INTEGER",
      nullable: true,
      description: "Year of listing according to Nasdaq's screener.",
    },
    exchange: {
      type: "VARCHAR",
      description:
        "Nasdaq, NYSE, NYSE American, NYSE Arca, Cboe BZX, IEX; the list's own code for any other.",
    },
    security_type: {
      type: "VARCHAR",
      description:
        "common, adr, etf, fund, preferred, warrant, unit, right or note, derived from name and symbol.",
    },
    is_etf: { type: "BOOLEAN", description: "Whether the list marks it as an ETF." },
    is_active: { type: "BOOLEAN", description: "Whether the lists contain it now." },
    first_seen: { type: "TIMESTAMPTZ", description: "When it was first seen in a list." },
    last_seen: {
      type: "TIMESTAMPTZ",
      nullable: true,
      description: "When it was last seen in the list; null while it is listed.",
    },
    former_symbols: {
      type: "VARCHAR",
      nullable: true,
      description: "Former symbols as a JSON list of {ticker, last_seen}.",
    },
    continued_by: {
      type: "VARCHAR",
      nullable: true,
      description: "For a listing whose rename was detected only later: the listing that continues it.",
    },
    source: {
      type: "VARCHAR",
      description: "nasdaqlisted or otherlisted: the file of the symbol directory.",
    },
    known_at: { type: "TIMESTAMPTZ", description: "When the list with this change was read." },
  },
  key: ["listing"],
  partition: { by: "none" },
  sort: ["listing", "known_at"],
  fill: "append",
});

export const listingsAt: Macro = {
  name: "listings_at",
  kind: "table",
  parameters: ["as_of := NULL"],
  description: "Listings as known by as_of, delisted ones included: the newest row of each.",
  columns: storedColumns(universeRegistry),
  body: () => `SELECT * FROM universe_registry WHERE known_at <= known_by(as_of)
    QUALIFY row_number() OVER (PARTITION BY listing ORDER BY known_at DESC) = 1`,
};
