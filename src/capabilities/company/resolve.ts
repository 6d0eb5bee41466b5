// Resolves a ticker to the company or fund that had it at a moment: the one place where that is decided.
import { newYorkDate } from "../../market/calendar.ts";
import type { Holder, HolderWarning } from "../../market/issuer.ts";
import type { Services } from "../../market/services.ts";
import { canonical } from "../../market/ticker.ts";
import { AsofError, isUpdateFailure, NotFound } from "../../platform/errors.ts";
import { instantText } from "../../platform/instant-text.ts";
import { type Filers, REGULATOR } from "./filers.ts";
import { type Claim, claimsOf, type Found, holderAt } from "./holder.ts";
import type { ListVersions } from "./list-versions.ts";
import type { Listing } from "./registry.ts";
import { type Sightings, spanOfListing } from "./sightings.ts";
import type { TickerLists } from "./ticker-lists.ts";

export interface ResolverDeps extends Pick<Services, "clock"> {
  readonly lists: TickerLists;
  readonly filers: Filers;
  readonly sightings: Sightings;
  /** The lists in the lake. */
  readonly versions: Pick<ListVersions, "publish" | "load">;
  /** Known former CIKs of a company, for when its own entity was not read yet. */
  predecessorsOf(cik: string): readonly string[];
}

/** A ticker at a moment, and today's line of the regulator's lists. */
interface Question {
  readonly ticker: string;
  readonly symbol: string;
  readonly at: Temporal.Instant;
  /** Null when no company or fund has the ticker today. */
  readonly present: Listing | null;
}

const called = (name: string | null, cik: string) =>
  name === null ? `the filer with the CIK ${cik}` : `${name} (CIK ${cik})`;

const SEEN = { later: "had it later", earlier: "had it before" } as const;

function warningsAbout({ claim, basis }: Found, { ticker, at, present }: Question): HolderWarning[] {
  const day = newYorkDate(at);
  const isPresent = present?.cik === claim.cik;
  const today = present && !isPresent ? ` Today it belongs to ${called(present.name, present.cik)}.` : "";
  const name = called(claim.name, claim.cik);
  if (basis !== "proven") {
    const seen = isPresent ? "has it today" : SEEN[basis];
    const detail = `holder_unproven: no stored list and no stored form of an insider shows which company had the ticker ${ticker} on ${day}. The answer is about ${name}, which ${seen} and had filed with the SEC by then.${today}`;
    return [{ code: "holder_unproven", detail }];
  }
  if (today === "") return [];
  const detail = `holder_changed: on ${day} the ticker ${ticker} belonged to ${name}, which the answer is about.${today}`;
  return [{ code: "holder_changed", detail }];
}

function unknownTicker({ ticker, at, present }: Question): NotFound {
  const since = present
    ? ` ${called(present.name, present.cik)}, which has it today, had filed nothing by then.`
    : "";
  return new NotFound(
    "unknown_ticker",
    `No company is known to have had the ticker ${ticker} on ${newYorkDate(at)}.${since}`,
    { ticker, upstream: REGULATOR },
  );
}

const unlisted = ({ ticker }: Question): NotFound =>
  new NotFound("unknown_ticker", `The SEC lists no company under the ticker ${ticker}.`, {
    ticker,
    upstream: REGULATOR,
  });

/**
 * Finds today's line of the regulator's lists; the error when they cannot be read and no stored list has the
 * ticker.
 */
async function lineOf(lists: TickerLists, symbol: string, signal: AbortSignal | undefined) {
  try {
    return { line: await lists.find(symbol, false, signal), error: null };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof AsofError)) throw error;
    return { line: null, error };
  }
}

/** Reads what is known about a ticker; a list that had it at the moment needs no other evidence. */
function claimReader(sightings: Sightings, predecessors: (cik: string) => readonly string[]) {
  return async ({ symbol, at }: Question, signal?: AbortSignal): Promise<Claim[]> => {
    const then = instantText(at.epochMilliseconds);
    const lines = sightings.inLists(symbol);
    const successors = new Map(
      lines.flatMap(({ cik }) => predecessors(cik).map((old) => [old, cik] as const)),
    );
    const successorOf = (cik: string) => successors.get(cik) ?? cik;
    const known = claimsOf({ spans: lines.map(spanOfListing), forms: [] }, then, successorOf);
    if (known.some(({ listed_from }) => listed_from !== null)) return known;
    const [spans, forms] = await Promise.all([
      sightings.inExchangeLists(symbol, signal),
      sightings.inForms(symbol, then, signal),
    ]);
    return claimsOf({ spans: [...lines.map(spanOfListing), ...spans], forms }, then, successorOf);
  };
}

/** The CIKs under which a company filed before: from its own entity, as far as that was read. */
export const knownPredecessors =
  ({ filers, predecessorsOf }: Pick<ResolverDeps, "filers" | "predecessorsOf">) =>
  (cik: string): readonly string[] =>
    filers.stored(cik)?.body.predecessor_ciks ?? predecessorsOf(cik);

export function resolver({ lists, filers, sightings, versions, predecessorsOf, clock }: ResolverDeps) {
  const predecessors = knownPredecessors({ filers, predecessorsOf });

  const claimsOn = claimReader(sightings, predecessors);

  /** Whether a company may have had a ticker: it had filed by then. An outage does not refuse it. */
  const mayHave = async ({ claim, basis }: Found, at: Temporal.Instant, signal?: AbortSignal) => {
    if (basis !== "later") return true;
    try {
      const ciks = [claim.cik, ...predecessors(claim.cik)];
      const hasFiled = await filers.hasFiledBy(ciks, newYorkDate(at), signal);
      await filers.note(ciks);
      return hasFiled;
    } catch (error) {
      signal?.throwIfAborted();
      if (!isUpdateFailure(error)) throw error;
      return true;
    }
  };

  const holderOf = (line: Listing | null, cik: string, name: string | null, question: Question): Holder => ({
    cik,
    name: filers.stored(cik)?.body.name ?? line?.name ?? name ?? line?.ticker ?? question.ticker,
    series_id: line?.series_id ?? null,
    predecessor_ciks: predecessors(cik),
    is_listed: question.present?.cik === cik,
    is_replaced: question.present !== null && question.present.cik !== cik,
    warnings: [],
  });

  const find = async (ticker: string, at: Temporal.Instant | null, signal?: AbortSignal): Promise<Holder> => {
    const symbol = canonical(ticker);
    await versions.load(symbol, signal);
    await filers.load([]);
    const { line, error } = await lineOf(lists, symbol, signal);
    const present = line?.gone_at === null ? line : null;
    const now = clock.now();
    const question = { ticker: ticker.trim(), symbol, at: at ?? now, present };
    const isPast = at !== null && Temporal.Instant.compare(at, now) < 0;
    if (!isPast) {
      if (line) return holderOf(line, line.cik, line.name, question);
      throw error ?? unlisted(question);
    }
    for (const found of holderAt(await claimsOn(question, signal))) {
      await filers.load([found.claim.cik, ...predecessorsOf(found.claim.cik)]);
      if (!(await mayHave(found, question.at, signal))) continue;
      const { cik, name } = found.claim;
      const own = sightings.inLists(symbol).find((one) => one.cik === cik) ?? null;
      return { ...holderOf(own, cik, name, question), warnings: warningsAbout(found, question) };
    }
    throw error ?? unknownTicker(question);
  };

  return async (ticker: string, at: Temporal.Instant | null, signal?: AbortSignal): Promise<Holder> => {
    const holder = await find(ticker, at, signal);
    await versions.publish();
    return holder;
  };
}
