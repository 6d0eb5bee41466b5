// The content of a Form 3, 4 or 5 and of a Schedule 13D or 13G of the sample, before it is written.
import type { Filer } from "./filers.ts";

export interface Reporter {
  readonly filer: Filer;
  readonly director?: boolean;
  readonly officer?: boolean;
  readonly tenPercent?: boolean;
  readonly title?: string;
}

/** A line of Table I or II; without a code a holding. Numbers are the texts that are filed. */
export interface FormLine {
  readonly table: "nonDerivative" | "derivative";
  readonly title: string;
  readonly date?: string;
  readonly code?: string;
  readonly shares?: string;
  /** Null: only a footnote gives it. */
  readonly price?: string | null;
  readonly way?: "A" | "D";
  readonly after: string;
  readonly nature: "D" | "I";
  readonly how?: string;
  /** Footnotes: of the price, and of the title. */
  readonly priceNote?: string;
  readonly titleNote?: string;
}

export interface FormFiling {
  readonly kind: "form";
  readonly reporters: readonly Reporter[];
  readonly lines: readonly FormLine[];
  readonly original?: string;
  /** The 10b5-1 box, for forms that have one. */
  readonly planned?: boolean;
  readonly footnotes?: readonly string[];
  readonly remarks?: string;
  /**
   * Days with a zone behind them; a bare ampersand in the text; a line without its coding; before 2003: no
   * XML.
   */
  readonly oddity?: "zoned" | "broken" | "uncoded" | "text";
}

export interface SchedulePerson {
  readonly name: string;
  readonly cik?: number;
  readonly shares: number;
  /** As filed: "8.4". */
  readonly percent: string;
  readonly type: string;
}

export interface ScheduleFiling {
  readonly kind: "schedule";
  readonly holder: Filer;
  readonly persons: readonly SchedulePerson[];
  readonly eventDate: string;
  readonly amendment?: number;
  readonly previous?: string;
  /** Item 4 of a 13D. */
  readonly purpose?: string;
  /** Item 5: the holder has five percent or less. */
  readonly fell?: boolean;
  /** Of a 13G: the rule it is filed under. */
  readonly rule?: "b" | "c" | "d";
}

export type OwnershipFiling = FormFiling | ScheduleFiling;

/** Since this day schedules are data. */
export const STRUCTURED_FROM = "2024-12-18";
/** Since this day forms have the 10b5-1 box. */
export const BOX_FROM = "2023-04-01";
/** Before this day forms are text. */
export const XML_FROM = "2003-06-30";

/** Returns the form's name on a date: "SCHEDULE 13D/A" was "SC 13D/A" before schedules were structured. */
export const scheduleForm = (letter: "D" | "G", amended: boolean, date: string): string =>
  `${date < STRUCTURED_FROM ? "SC" : "SCHEDULE"} 13${letter}${amended ? "/A" : ""}`;
