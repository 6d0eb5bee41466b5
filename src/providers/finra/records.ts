// The records of FINRA's files.

/** Files of daily short-sale volume, by reporting facility. CNMS combines all of them except the OTC one. */
export const FACILITIES = ["CNMS", "FNSQ", "FNQC", "FNYX", "FNRA", "FORF"] as const;
export type Facility = (typeof FACILITIES)[number];

/** First day for which the server has files. */
export const FIRST_FILE_DATE = "2018-08-01";

/** One line. Volumes in shares; newer files have fractions of shares. */
export interface ShortVolumeLine {
  /** Trade date, YYYY-MM-DD. */
  readonly date: string;
  /** Canonical; a text that is not a tape spelling stays as it is. */
  readonly symbol: string;
  readonly short_volume: number;
  /** Null where the file has no such column (before 2011-02-28). */
  readonly short_exempt_volume: number | null;
  readonly total_volume: number;
  /** As in the file: `Q`, `B,Q,N`. */
  readonly market: string;
}

/** Identifies the version of a file. */
export interface FileFacts {
  readonly sha256: string;
  /** RFC 3339; null when the server sends none. */
  readonly last_modified: string | null;
  /** When the download was complete, RFC 3339 UTC. */
  readonly fetched_at: string;
}

export interface ShortVolumeFile extends FileFacts {
  readonly lines: readonly ShortVolumeLine[];
  /** Number of lines of test symbols, which are left out. */
  readonly test_lines: number;
}

/** One position on a settlement date, in shares; null means not reported. */
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
