// Answers what was known of a company at a moment: the record stored by then, the lines of the lists then,
// and its names by date.
import { newYorkDate } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import type { Services } from "../../market/services.ts";
import { canonical } from "../../market/ticker.ts";
import { AsofError } from "../../platform/errors.ts";
import { instantMs, instantText } from "../../platform/instant-text.ts";
import { isReplaying } from "../../platform/reading.ts";
import type { Filers } from "./filers.ts";
import type { CompanyRecord } from "./record.ts";
import type { CompanyRegistry } from "./registry.ts";
import type { SourceEntity } from "./sources.ts";

/** Texts of a company record that are served as they were recorded. */
const TEXTS = [
  ...(["sector", "industry", "description", "exchange", "country", "website"] as const),
  ...(["fiscal_year_end", "sic", "sic_description"] as const),
];
type TextField = (typeof TEXTS)[number];

/** A company as it was known at a moment. */
export interface PastCompany extends Pick<CompanyRecord, "name" | "cik" | TextField> {
  /** Not known of the past. */
  readonly market_cap: null;
  readonly employees: null;
  /** Other symbols of the company then; null when nothing stored says which it had. */
  readonly share_classes: readonly { readonly ticker: string }[] | null;
  readonly warnings: readonly string[];
}

type StoredRow = Readonly<Record<TextField | "name" | "cik" | "share_classes", string | null>>;

const RECORDED = `SELECT cik, name, share_classes, ${TEXTS.join(", ")} FROM companies_at(CAST($as_of AS TIMESTAMPTZ))
  WHERE symbol = $symbol`;

const NOT_RECORDED =
  "Nothing about the company was recorded by as_of: sector, industry, description, exchange, country, website, fiscal year end and SIC are null.";

/**
 * The regulator dates the end of a name by its last filing under it. Within these days of it the next name
 * may not have begun.
 */
// A former name ended on 10 May 2024: on 1 March 2025 the name is unknown, on 1 June 2025 it is the present
// one.
const NAME_CHANGE_DAYS = 366;

/** The name that a filer had on a day; null when its dated names do not say. */
export function nameOn(
  { name, former_names }: Pick<SourceEntity, "name" | "former_names">,
  day: string,
): string | null {
  if (former_names.some(({ from, to }) => from === null || to === null)) return null;
  const dated = former_names.map((one) => ({ name: one.name, from: one.from ?? "", to: one.to ?? "" }));
  const then = dated.filter(({ from, to }) => from.slice(0, 10) <= day && day <= to.slice(0, 10));
  if (then.length > 0) return then.length === 1 ? (then[0]?.name ?? null) : null;
  const last = dated
    .map(({ to }) => to.slice(0, 10))
    .sort()
    .at(-1);
  return last === undefined || day > addDays(last, NAME_CHANGE_DAYS) ? name : null;
}

export interface PastRecordDeps extends Pick<Services, "lake"> {
  readonly registry: Pick<CompanyRegistry, "ofCompanies">;
  readonly filers: Pick<Filers, "stored" | "fetch" | "load" | "note">;
}

export function pastRecords({ lake, registry, filers }: PastRecordDeps) {
  /** The filer as the regulator described it at `at` or later; what is stored when it cannot be asked. */
  const entityOf = async (cik: string, at: Temporal.Instant, signal: AbortSignal) => {
    await filers.load([cik]);
    const stored = filers.stored(cik);
    if (isReplaying()) return stored?.body ?? null;
    if (stored !== null && instantMs(stored.read_at) >= at.epochMilliseconds) return stored.body;
    try {
      return (await filers.fetch(cik, signal))?.body ?? null;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof AsofError)) throw error;
      return stored?.body ?? null;
    }
  };

  /**
   * The company's other symbols in the regulator's list at a moment; null when the list did not have `symbol`
   * then.
   */
  const listedWith = (symbol: string, cik: string, at: string) => {
    const lines = registry
      .ofCompanies([cik])
      .filter(({ first_seen_at, gone_at }) => first_seen_at <= at && (gone_at === null || gone_at > at));
    if (!lines.some((line) => line.symbol === symbol)) return null;
    return lines.filter((line) => line.symbol !== symbol).map((line) => ({ ticker: line.symbol }));
  };

  /**
   * The company of a CIK, which had the ticker at a moment, as it was known then. Asks the regulator for
   * nothing but its names.
   */
  return async (
    ticker: string,
    cik: string,
    at: Temporal.Instant,
    signal: AbortSignal,
  ): Promise<PastCompany> => {
    const symbol = canonical(ticker);
    const rows = await lake.query<StoredRow>(RECORDED, { symbol, as_of: at.toString() }, { signal });
    const row = rows.find((one) => one.cik === cik) ?? null;
    const recordedClasses = (): PastCompany["share_classes"] =>
      row && (JSON.parse(row.share_classes ?? "[]") as string[]).map((other) => ({ ticker: other }));
    const entity = row?.name ? null : await entityOf(cik, at, signal);
    if (entity) await filers.note([cik]);
    return {
      ...(Object.fromEntries(TEXTS.map((field) => [field, row?.[field] ?? null])) as Record<
        TextField,
        string | null
      >),
      cik,
      name: row?.name ?? (entity && nameOn(entity, newYorkDate(at))),
      market_cap: null,
      employees: null,
      share_classes: listedWith(symbol, cik, instantText(at.epochMilliseconds)) ?? recordedClasses(),
      warnings: row === null ? [NOT_RECORDED] : [],
    };
  };
}

export type FindPastCompany = ReturnType<typeof pastRecords>;
