// Decides which company held a ticker at a moment, from what lists and insiders' forms say about it. Pure.

/** A line of a list that had the ticker from one moment to another. */
export interface ListedSpan {
  readonly cik: string;
  readonly name: string | null;
  readonly from: string;
  /** When the list first lacked it; null while it is listed. */
  readonly to: string | null;
}

/** The forms of one company's insiders that name the ticker, counted around the moment. */
export interface NamedInForms {
  readonly cik: string;
  readonly name: string | null;
  /** When the newest form by the moment became public; null: none. */
  readonly last_before: string | null;
  /** When the first form after the moment became public; null: none. */
  readonly first_after: string | null;
  /** Forms in the `PROOF_DAYS` before the moment, and in as many days around it. */
  readonly recent: number;
  readonly near: number;
}

/** Evidence that a company held the ticker: both moments are when it was seen with it, in forms or lists. */
export interface Claim extends NamedInForms {
  /** Forms that prove that it held the ticker: those since when no list has lost it. */
  readonly recent: number;
  /** Since when a list has had it at the moment; null: none has. */
  readonly listed_from: string | null;
  /** Whether a list had it at any time. */
  readonly is_in_lists: boolean;
}

/**
 * `basis` is later or earlier when nothing proves the holder: the company was seen with the ticker after, or
 * long before.
 */
export interface Found {
  readonly claim: Claim;
  readonly basis: "proven" | "later" | "earlier";
}

/**
 * A form proves its issuer for this long, unless it is seen again: an active company's insiders file every
 * year.
 */
// A form of 2 January 2024 proves its issuer until July 2025.
export const PROOF_DAYS = 550;

const latest = (a: string | null, b: string | null) => (a === null || (b !== null && b > a) ? b : a);
const earliest = (a: string | null, b: string | null) => (a === null || (b !== null && b < a) ? b : a);

/** Collects the evidence for one company's hold on the ticker at `at`. */
function claimOf(
  cik: string,
  spans: readonly ListedSpan[],
  forms: readonly NamedInForms[],
  at: string,
): Claim {
  const over = spans
    .flatMap(({ to }) => (to !== null && to <= at ? [to] : []))
    .reduce<string | null>(latest, null);
  const ahead = spans.flatMap(({ from }) => (from > at ? [from] : [])).reduce<string | null>(earliest, null);
  const named = forms.reduce<string | null>((found, form) => latest(found, form.last_before), null);
  const isLost = over !== null && (named === null || over >= named);
  const sum = (count: (form: NamedInForms) => number) =>
    forms.reduce((total, form) => total + count(form), 0);
  return {
    cik,
    name: [...spans, ...forms].find(({ name }) => name !== null)?.name ?? null,
    last_before: latest(named, over),
    first_after: forms.reduce((found, form) => earliest(found, form.first_after), ahead),
    recent: isLost ? 0 : sum((form) => form.recent),
    near: sum((form) => form.near),
    listed_from: spans
      .flatMap(({ from, to }) => (from <= at && (to === null || at < to) ? [from] : []))
      .reduce<string | null>(latest, null),
    is_in_lists: spans.length > 0,
  };
}

/**
 * The claims of all companies on the ticker. `successorOf` gives the company that continues another: their
 * claims are one, under the newer CIK.
 */
export function claimsOf(
  evidence: { readonly spans: readonly ListedSpan[]; readonly forms: readonly NamedInForms[] },
  at: string,
  successorOf: (cik: string) => string,
): Claim[] {
  const spans = Map.groupBy(evidence.spans, ({ cik }) => successorOf(cik));
  const forms = Map.groupBy(evidence.forms, ({ cik }) => successorOf(cik));
  return [...new Set([...spans.keys(), ...forms.keys()])].map((cik) =>
    claimOf(cik, spans.get(cik) ?? [], forms.get(cik) ?? [], at),
  );
}

/**
 * The better of two companies that forms name shortly before the moment. One that is also seen with the
 * ticker later wins: a form with another company's symbol, which happens, is followed by none. Otherwise the
 * newer one.
 */
// Made up: forms of A and of B name ZQX in June, and one of B does again in September: B held it.
function better(a: Claim, b: Claim): Claim {
  if ((a.first_after === null) !== (b.first_after === null)) return a.first_after === null ? b : a;
  if (a.first_after !== null && a.near !== b.near) return a.near > b.near ? a : b;
  return (a.last_before ?? "") >= (b.last_before ?? "") ? a : b;
}

/** The company first seen with the ticker after the moment. A single form loses to a company of the lists. */
// Made up: one form of A in July and a list with B in August: B is next.
function nextHolder(claims: readonly Claim[]): Claim | null {
  const later = claims.filter(({ first_after }) => first_after !== null);
  const isWeak = ({ is_in_lists, near }: Claim) => !is_in_lists && near < 2;
  const strong = later.some(({ is_in_lists }) => is_in_lists)
    ? later.filter((claim) => !isWeak(claim))
    : later;
  return strong.sort((a, b) => ((a.first_after ?? "") < (b.first_after ?? "") ? -1 : 1))[0] ?? null;
}

/**
 * Finds who held the ticker. Proven: a list had it then; or forms name it shortly before; or the same company
 * was seen with it before and, next, after. Otherwise the next company seen with it, then the last one.
 */
export function holderAt(claims: readonly Claim[]): Found[] {
  // A company that lost a ticker and has it again counts as its holder all the time; another one in between
  // came later.
  const listed = claims
    .filter(({ listed_from }) => listed_from !== null)
    .sort((a, b) => ((a.listed_from ?? "") > (b.listed_from ?? "") ? -1 : 1))[0];
  if (listed) return [{ claim: listed, basis: "proven" }];
  const recent = claims.filter(({ recent }) => recent > 0);
  if (recent.length > 0) return [{ claim: recent.reduce(better), basis: "proven" }];
  const next = nextHolder(claims);
  const last = claims
    .filter(({ last_before }) => last_before !== null)
    .sort((a, b) => ((a.last_before ?? "") > (b.last_before ?? "") ? -1 : 1))[0];
  if (next && last && next.cik === last.cik) return [{ claim: next, basis: "proven" }];
  return [
    ...(next ? [{ claim: next, basis: "later" as const }] : []),
    ...(last ? [{ claim: last, basis: "earlier" as const }] : []),
  ];
}
