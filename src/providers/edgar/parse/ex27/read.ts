// Reads a Financial Data Schedule (EX-27, 1993 to 2000): its article, its multiplier and its columns, as
// filed.

/** One period of a schedule. */
export interface Column {
  /** "YEAR", "12-MOS", "3-MOS", …; upper case. */
  readonly periodType: string;
  readonly periodStart: string | null;
  readonly periodEnd: string | null;
  readonly fiscalYearEnd: string | null;
  /** Values by tag name without brackets, before the multiplier is applied. */
  readonly values: ReadonlyMap<string, number>;
}

export interface Schedule {
  /**
   * "5" commerce, "7" insurance, "9" banks, "UT" utilities, "BD" brokers, "6" funds; null when not stated.
   */
  readonly article: string | null;
  /** Null when it is missing or is not a power of ten that the schedules use. */
  readonly multiplier: number | null;
  /** ISO 4217; USD when not stated, null when the currency is unknown. */
  readonly currency: string | null;
  /** Ten digits: the registrant, in a filing of several registrants. */
  readonly cik: string | null;
  readonly columns: readonly Column[];
  /** Tags whose values are not numbers, or not as many as the columns. */
  readonly unread: readonly string[];
}

const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
/** Two-digit years from this one on are of the 1900s. */
const CENTURY_FROM = 50;
const LINE = /^\s*<([A-Z][A-Z0-9&;-]*)>(.*)$/i;
const MULTIPLIERS = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 1_000_000_000];
const CURRENCIES: readonly (readonly [RegExp, string])[] = [
  [/^(?:U\.?\s*S\.?|UNITED STATES)|^USD|^DOLLARS?$|^\$$|^[\d.]*$/, "USD"],
  [/CANAD|^CAD|^CDN/, "CAD"],
  [/STERLING|^GBP/, "GBP"],
  [/\bYEN\b|^JPY/, "JPY"],
];
/** Tags that are not amounts. */
const HEADS = new Set([
  ...[
    "ARTICLE",
    "MULTIPLIER",
    "CURRENCY",
    "EXCHANGE-RATE",
    "CIK",
    "NAME",
    "LEGEND",
    "RESTATED",
    "S",
    "C",
    "TABLE",
  ],
  ...["CAPTION", "PAGE", "PERIOD-TYPE", "PERIOD-START", "PERIOD-END", "FISCAL-YEAR-END", "TYPE", "SEQUENCE"],
  ...["DESCRIPTION", "TEXT", "FILENAME", "DOCUMENT", "NUMBER", "BOOK-VALUE", "TOTAL-ASSETS-PER-BOOK"],
]);

/** Converts `SEP-30-2000`, `DEC-31-96` or `12/31/1996` to `YYYY-MM-DD`; null for anything else. */
export function readScheduleDate(text: string): string | null {
  const [, name, month, day, digits] =
    /^(?:([A-Z]{3})[A-Z]*|(\d{1,2}))[-/.](\d{1,2})[-/.](\d{4}|\d{2})$/i.exec(text) ?? [];
  if (!day || !digits) return null;
  const nth = name ? MONTHS.indexOf(name.toUpperCase()) + 1 : Number(month);
  const short = Number(digits);
  const year = digits.length === 4 ? short : short >= CENTURY_FROM ? 1900 + short : 2000 + short;
  try {
    return Temporal.PlainDate.from({ year, month: nth, day: Number(day) }, { overflow: "reject" }).toString();
  } catch {
    return null;
  }
}

/** Reads `1,662`, `(113)` or `-4.5`; null for anything else. */
export function readAmount(token: string): number | null {
  const [, open, minus, digits] = /^(\()?(-)?([\d,]*\.?\d+|\d[\d,]*\.?)\)?$/.exec(token) ?? [];
  if (digits === undefined || token.endsWith(")") !== (open !== undefined)) return null;
  const value = Number(digits.replaceAll(",", ""));
  if (!Number.isFinite(value)) return null;
  return value !== 0 && (open !== undefined || minus !== undefined) ? -value : value;
}

/** Splits a line into tokens, without footnote marks and dollar signs. Brackets stay with their number. */
function tokensOf(text: string): string[] {
  const plain = text.replace(/<F\d+>|<\/?[A-Z]+>|\$/gi, " ").replace(/\(\s+/g, "(");
  return plain.replace(/\s+\)/g, ")").trim().split(/\s+/).filter(Boolean);
}

type Fields = ReadonlyMap<string, readonly string[]>;

function fieldsOf(text: string): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  for (const line of text.split(/\r?\n/)) {
    const [, tag, rest = ""] = LINE.exec(line) ?? [];
    if (!tag) continue;
    const name = tag.toUpperCase().replace("&AMP;", "&");
    // The first value of a tag counts: repeated tags belong to a note.
    if (!fields.has(name)) fields.set(name, tokensOf(rest));
  }
  return fields;
}

function readColumns(fields: Fields, unread: string[]): Column[] {
  const ends = fields.get("PERIOD-END") ?? [];
  const one = (tag: string, nth: number): string | null => {
    const tokens = fields.get(tag) ?? [];
    return (tokens.length === 1 ? tokens[0] : tokens[nth]) ?? null;
  };
  const date = (tag: string, nth: number) => readScheduleDate(one(tag, nth) ?? "");
  const values = ends.map(() => new Map<string, number>());
  for (const [tag, tokens] of fields) {
    if (HEADS.has(tag) || tokens.length === 0) continue;
    const amounts = tokens.map(readAmount);
    if (amounts.length !== ends.length || amounts.includes(null)) unread.push(tag);
    else for (const [nth, amount] of amounts.entries()) values[nth]?.set(tag, amount ?? 0);
  }
  return ends.map((end, nth) => ({
    periodType: (one("PERIOD-TYPE", nth) ?? "").toUpperCase(),
    periodStart: date("PERIOD-START", nth),
    periodEnd: readScheduleDate(end),
    fiscalYearEnd: date("FISCAL-YEAR-END", nth),
    values: values[nth] ?? new Map(),
  }));
}

function readSchedule(text: string): Schedule {
  const fields = fieldsOf(text);
  const words = (tag: string) => (fields.get(tag) ?? []).join(" ").toUpperCase();
  const multiplier = readAmount(words("MULTIPLIER"));
  const currency = words("CURRENCY");
  const cik = /^\d{1,10}$/.exec(words("CIK"))?.[0] ?? null;
  const unread: string[] = [];
  return {
    article: words("ARTICLE").replace(/^ART(?:ICLE)?\.?\s*/, "") || null,
    multiplier: multiplier !== null && MULTIPLIERS.includes(multiplier) ? multiplier : null,
    currency: CURRENCIES.find(([pattern]) => pattern.test(currency))?.[1] ?? null,
    cik: cik?.padStart(10, "0") ?? null,
    columns: readColumns(fields, unread),
    unread,
  };
}

/**
 * Reads the schedules of an exhibit, mostly one. Each starts with its article. Empty when the text has none.
 */
export function readSchedules(text: string): Schedule[] {
  const starts = [...text.matchAll(/<ARTICLE>/gi)].map(({ index }) => index);
  // A name and a CIK may come before the article.
  if (starts.length <= 1) return /<PERIOD-END>/i.test(text) ? [readSchedule(text)] : [];
  return starts.map((start, i) => readSchedule(text.slice(start, starts[i + 1] ?? text.length)));
}
