// Every listing the service has seen in the lists of the exchanges, as it became known; none is ever removed.
import { dataset, type Macro } from "../platform/lake/dataset.ts";

export const universeRegistry = dataset({
  name: "universe_registry",
  description:
    "Listings of US exchanges as the lists of the exchanges had them, one row whenever something of a listing changed; delisted ones stay, with is_active false. listings_at(as_of) has the newest of each.",
  columns: {
    listing: {
      type: "VARCHAR",
      description:
        "Names the listing through renames: its first symbol; with ~ and a day where an earlier company had that symbol.",
    },
    symbol: { type: "VARCHAR", description: "Symbol in its canonical spelling." },
    name: { type: "VARCHAR", description: "Name of the security as the exchange's list has it." },
    cik: {
      type: "VARCHAR",
      nullable: true,
      description: "The SEC's number of the filer, ten digits; null where its list has no such ticker.",
    },
    sector: {
      type: "VARCHAR",
      nullable: true,
      description: "Nasdaq's own sector (Finance, Health Care, …), not GICS.",
    },
    industry: { type: "VARCHAR", nullable: true, description: "Nasdaq's own industry." },
    country: { type: "VARCHAR", nullable: true, description: "Country as Nasdaq's screener has it." },
    ipo_year: {
      type: "INTEGER",
      nullable: true,
      description: "Year of listing as Nasdaq's screener has it.",
    },
    exchange: {
      type: "VARCHAR",
      description:
        "Nasdaq, NYSE, NYSE American, NYSE Arca, Cboe BZX, IEX; the list's own code for any other.",
    },
    security_type: {
      type: "VARCHAR",
      description:
        "common, adr, etf, fund, preferred, warrant, unit, right or note, as its name and symbol tell.",
    },
    is_etf: { type: "BOOLEAN", description: "The list's own word." },
    is_active: { type: "BOOLEAN", description: "Whether the lists have it." },
    first_seen: { type: "TIMESTAMPTZ", description: "When a list was first read with it." },
    last_seen: {
      type: "TIMESTAMPTZ",
      nullable: true,
      description: "When the list was last read with it; null while it is listed.",
    },
    former_symbols: {
      type: "VARCHAR",
      nullable: true,
      description: "Symbols it gave up, a JSON list of {ticker, last_seen}.",
    },
    continued_by: {
      type: "VARCHAR",
      nullable: true,
      description:
        "Of a listing that was renamed, where that was learnt only later: the listing it went on as.",
    },
    source: {
      type: "VARCHAR",
      description: "nasdaqlisted or otherlisted: the file of the symbol directory.",
    },
    known_at: { type: "TIMESTAMPTZ", description: "When the list was read that told it." },
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
  description: "Listings as known by as_of, the delisted ones too: of each the newest row.",
  body: () => `SELECT * FROM universe_registry WHERE known_at <= known_by(as_of)
    QUALIFY row_number() OVER (PARTITION BY listing ORDER BY known_at DESC) = 1`,
};
