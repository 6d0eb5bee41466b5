// Reads who was seen with a ticker, and when: in the regulator's lists, in the exchanges' lists, and in
// insiders' forms.
import { formSymbolPattern, namesSymbol, symbolsOfForm } from "../../market/form-symbol.ts";
import type { Services } from "../../market/services.ts";
import { instantMs, instantText } from "../../platform/instant-text.ts";
import { type ListedSpan, type NamedInForms, PROOF_DAYS } from "./holder.ts";
import type { CompanyRegistry, Listing } from "./registry.ts";

/** Each vintage of a listing counts from when it was read until the next one. */
const EXCHANGE_SPANS = `SELECT cik, name, "from", "to" FROM (
    SELECT symbol, cik, name, is_active, known_at AS "from",
      lead(known_at) OVER (PARTITION BY listing ORDER BY known_at) AS "to"
    FROM universe_registry WHERE listing IN (SELECT listing FROM universe_registry WHERE symbol = $symbol))
  WHERE symbol = $symbol AND cik IS NOT NULL AND is_active ORDER BY cik, "from"`;

/** Counts are of filings, since a form has a row for each trade. */
const FORMS = `SELECT issuer_symbol AS text, issuer_cik AS cik, arg_max(issuer_name, known_at) AS name,
    max(known_at) FILTER (known_at <= $at::TIMESTAMPTZ) AS last_before,
    min(known_at) FILTER (known_at > $at::TIMESTAMPTZ) AS first_after,
    count(DISTINCT accession_number) FILTER (known_at BETWEEN $from::TIMESTAMPTZ AND $at::TIMESTAMPTZ) AS recent,
    count(DISTINCT accession_number) FILTER (known_at BETWEEN $from::TIMESTAMPTZ AND $to::TIMESTAMPTZ) AS near
  FROM insider_transactions WHERE role = 'trade' AND regexp_matches(upper(issuer_symbol), $pattern)
  GROUP BY issuer_symbol, issuer_cik`;

const NEWEST_SYMBOLS = `SELECT issuer_cik AS cik, arg_max(issuer_symbol, known_at) AS text FROM insider_transactions
  WHERE role = 'trade' AND issuer_cik = ANY($ciks) AND known_at <= $at::TIMESTAMPTZ AND issuer_symbol IS NOT NULL
  GROUP BY issuer_cik`;

interface FormRow extends NamedInForms {
  readonly text: string;
}

const stored = (instant: string) => instantText(instantMs(instant));
const storedOrNull = (instant: string | null) => (instant === null ? null : stored(instant));

/** Spans with adjoining ones of the same company as one. */
function joinedSpans(spans: readonly ListedSpan[]): ListedSpan[] {
  const found: ListedSpan[] = [];
  for (const span of spans) {
    const before = found.at(-1);
    if (before && before.cik === span.cik && before.to === span.from)
      found[found.length - 1] = { ...before, to: span.to };
    else found.push(span);
  }
  return found;
}

export const spanOfListing = ({ cik, name, first_seen_at, gone_at }: Listing): ListedSpan => ({
  cik,
  name,
  from: first_seen_at,
  to: gone_at,
});

export function sightings({
  registry,
  lake,
}: Pick<Services, "lake"> & { readonly registry: CompanyRegistry }) {
  return {
    /** Lines of the regulator's lists, present and past. */
    inLists: (symbol: string): Listing[] => registry.listingsOf(symbol),

    /** Lines of the exchanges' lists, which have the regulator's CIKs. */
    async inExchangeLists(symbol: string, signal?: AbortSignal): Promise<ListedSpan[]> {
      const rows = await lake.query<ListedSpan>(EXCHANGE_SPANS, { symbol }, signal ? { signal } : {});
      return joinedSpans(rows.map((row) => ({ ...row, from: stored(row.from), to: storedOrNull(row.to) })));
    },

    /** Companies whose insiders' forms name the ticker or another class of it. */
    async inForms(symbol: string, at: string, signal?: AbortSignal): Promise<NamedInForms[]> {
      const shifted = (days: number) => instantText(instantMs(at) + days * 86_400_000);
      const span = { at, from: shifted(-PROOF_DAYS), to: shifted(PROOF_DAYS) };
      const params = { pattern: formSymbolPattern(symbol), ...span };
      const rows = await lake.query<FormRow>(FORMS, params, signal ? { signal } : {});
      return rows
        .filter(({ text }) => namesSymbol(text, symbol))
        .map(({ text: _, ...row }) => ({
          ...row,
          recent: Number(row.recent),
          near: Number(row.near),
          last_before: storedOrNull(row.last_before),
          first_after: storedOrNull(row.first_after),
        }));
    },

    /** The symbol that the newest form by a moment states, by CIK of its issuer. */
    async symbolsInForms(
      ciks: readonly string[],
      at: string,
      signal?: AbortSignal,
    ): Promise<ReadonlyMap<string, string>> {
      if (ciks.length === 0) return new Map();
      const rows = await lake.query<{ cik: string; text: string }>(
        NEWEST_SYMBOLS,
        { ciks, at },
        signal ? { signal } : {},
      );
      return new Map(
        rows.flatMap(({ cik, text }) => {
          const [symbol] = symbolsOfForm(text);
          return symbol === undefined ? [] : [[cik, symbol] as const];
        }),
      );
    },
  };
}

export type Sightings = ReturnType<typeof sightings>;
