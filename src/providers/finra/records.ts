// What the provider gives: whole files, read and checked.

/** Files of daily short-sale volume, by reporting facility. CNMS is all of them but the OTC one put together. */
export const FACILITIES = ["CNMS", "FNSQ", "FNQC", "FNYX", "FNRA", "FORF"] as const;
export type Facility = (typeof FACILITIES)[number];

/** The first day of which the server has files. */
export const FIRST_FILE_DATE = "2018-08-01";

/** One line. Volumes in shares, fractional since some day between 2021 and 2026. */
export interface ShortVolumeLine {
  /** Trade date, YYYY-MM-DD. */
  readonly date: string;
  /** Canonical; what is no spelling of the tape's stays as it came. */
  readonly symbol: string;
  readonly short_volume: number;
  /** Null where the file has no such column (before 2011-02-28). */
  readonly short_exempt_volume: number | null;
  readonly total_volume: number;
  /** As in the line: `Q`, `B,Q,N`. */
  readonly market: string;
}

/** What says which version of a file it is. */
export interface FileFacts {
  readonly sha256: string;
  /** RFC 3339; null when the server does not say. */
  readonly last_modified: string | null;
  /** When it was complete here, RFC 3339 UTC. */
  readonly fetched_at: string;
}

export interface ShortVolumeFile extends FileFacts {
  readonly lines: readonly ShortVolumeLine[];
  /** Lines of the exchanges' test symbols, left out. */
  readonly test_lines: number;
}

/** One position of a settlement date. Shares; null is not reported. */
export interface ShortInterestLine {
  readonly settlement_date: string;
  /** Without separators: BRKB, ABRPRD. */
  readonly finra_symbol: string;
  readonly issue_name: string | null;
  readonly market_class: string | null;
  readonly short_interest: number;
  readonly previous_short_interest: number | null;
  readonly change: number | null;
  readonly change_percent: number | null;
  readonly avg_daily_volume: number | null;
  /** Null where nothing traded. */
  readonly days_to_cover: number | null;
  readonly stock_split: boolean;
  readonly revised: boolean;
}

export interface ShortInterestFile extends FileFacts {
  readonly lines: readonly ShortInterestLine[];
}
