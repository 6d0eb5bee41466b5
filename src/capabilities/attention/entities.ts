// The encyclopedia article of a company: found by search, or set by hand.
import { holderWarnings } from "../../market/issuer.ts";
import type { Services } from "../../market/services.ts";
import { canonical } from "../../market/ticker.ts";
import { AsofError, InvalidRequest, NotFound } from "../../platform/errors.ts";
import { instantMs, instantText } from "../../platform/instant-text.ts";
import { singleFlight } from "../../platform/upstream/single-flight.ts";
import { articleSearch, type Company, type FoundArticle } from "./article-search.ts";
import type { EntityRecord, EntityStore } from "./entity-store.ts";
import { ACCEPTED_MIN } from "./score.ts";
import type { CompanyBehind, Encyclopedia, ResolveCompany, SourceArticle } from "./sources.ts";

export interface EntityDeps extends Pick<Services, "clock"> {
  readonly encyclopedia: Encyclopedia;
  readonly companyBehind: CompanyBehind;
  readonly resolve: ResolveCompany;
  readonly store: EntityStore;
}

/** A failed search for a company's article is repeated after this long. */
// No article was found on 3 August: the next request from 10 August on searches again.
const NONE_GOOD_MS = 7 * 24 * 3_600_000;

const NO_ARTICLE = {
  encyc_title: null,
  page_id: null,
  wikidata_id: null,
  description: null,
  confidence: null,
  resolution_method: "none",
  is_manual_override: false,
  note: null,
} as const;

/** The fields of a record that describe the article. */
const articleFields = (article: SourceArticle) => ({
  encyc_title: article.title,
  page_id: article.page_id,
  wikidata_id: article.wikidata_id,
  description: article.description,
});

/** A company's record at a moment, and what an answer must say about who held the ticker. */
export interface FoundEntity {
  readonly record: EntityRecord | null;
  readonly warnings: readonly string[];
}

/** Finds the newest record about the company that had a ticker at a moment (null: now). */
function entityFinder({ resolve, store }: Pick<EntityDeps, "resolve" | "store">) {
  return async function findEntity(
    ticker: string,
    at: Temporal.Instant | null,
    signal: AbortSignal,
  ): Promise<FoundEntity> {
    const holder = await resolve(ticker, at, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      if (!(error instanceof AsofError) || error.code === "not_replayable") throw error;
      return error;
    });
    const known = at?.toString() ?? null;
    const symbol = canonical(ticker);
    if (!(holder instanceof AsofError)) {
      const ciks = [holder.cik, ...holder.predecessor_ciks];
      return { record: await store.find(symbol, known, ciks, signal), warnings: holderWarnings(holder) };
    }
    // A holder that is no filer has a record without a CIK. An outage must not hide a record.
    const ciks = holder instanceof NotFound ? [] : null;
    return { record: await store.find(symbol, known, ciks, signal), warnings: [] };
  };
}

export function entities({ encyclopedia, companyBehind, resolve, store, clock }: EntityDeps) {
  const flights = singleFlight<EntityRecord>();
  const search = articleSearch(encyclopedia);

  const findAt = entityFinder({ resolve, store });

  const findOverride = async (ticker: string, signal: AbortSignal) => {
    const { record } = await findAt(ticker, null, signal);
    return record?.is_manual_override ? record : null;
  };

  const recordOf = (symbol: string, company: Company, candidates: readonly FoundArticle[]): EntityRecord => {
    const best = candidates.find(({ score }) => score >= ACCEPTED_MIN);
    const chosen = best
      ? {
          ...articleFields(best.article),
          confidence: best.score,
          resolution_method: best.by,
          is_manual_override: false,
          note: null,
        }
      : NO_ARTICLE;
    return {
      symbol,
      ...chosen,
      company_name: company.name,
      cik: company.cik,
      candidates: candidates.map(({ title, score, reason }) => ({ title, score, reason })),
      known_at: instantText(clock.nowMs()),
    };
  };

  /**
   * Searches the article and stores the result. Throws on an outage: continuing with a weaker search would
   * find a worse article.
   */
  const searchAndStore = async (
    ticker: string,
    force: boolean,
    signal: AbortSignal,
  ): Promise<EntityRecord> => {
    const symbol = canonical(ticker);
    const company = await companyBehind(ticker, signal);
    const candidates = await search(symbol, company, signal);
    // An admin may have set the article while the search ran.
    const override = force ? null : await findOverride(ticker, signal);
    if (override) return override;
    const record = recordOf(symbol, company, candidates);
    await store.save(record);
    return record;
  };

  return {
    find: findAt,

    /** The newest record. Searches when there is none, or when the last search is old and found nothing. */
    async ensure(ticker: string, signal: AbortSignal): Promise<EntityRecord> {
      const { record: stored } = await findAt(ticker, null, signal);
      const isGood =
        stored && (stored.encyc_title !== null || clock.nowMs() - instantMs(stored.known_at) < NONE_GOOD_MS);
      return isGood ? stored : this.resolve(ticker, false, signal);
    },

    /** Searches again. An article set by hand stays, unless `force`. */
    async resolve(ticker: string, force: boolean, signal: AbortSignal): Promise<EntityRecord> {
      const symbol = canonical(ticker);
      const override = force ? null : await findOverride(ticker, signal);
      if (override) return override;
      return flights.run(`${symbol} ${force}`, signal, (shared) => searchAndStore(ticker, force, shared));
    },

    /**
     * Sets the article by hand. Throws InvalidRequest when it does not exist, NotFound for an unknown ticker.
     */
    async override(
      ticker: string,
      given: { readonly title: string; readonly note: string | null },
      signal: AbortSignal,
    ): Promise<EntityRecord> {
      const symbol = canonical(ticker);
      const company = await companyBehind(ticker, signal);
      const title = given.title.trim();
      const article = (await encyclopedia.titles([title], signal)).get(title) ?? null;
      if (!article || article.is_disambiguation) {
        const what = article ? "is a disambiguation page" : "does not exist";
        throw new InvalidRequest("bad_request", `The article “${title}” ${what} in the English Wikipedia.`, {
          ticker: ticker.trim(),
          hint: "Give the title as shown above the article.",
        });
      }
      const { record: stored } = await findAt(ticker, null, signal);
      const record: EntityRecord = {
        symbol,
        ...articleFields(article),
        confidence: 1,
        resolution_method: "manual",
        is_manual_override: true,
        note: given.note,
        company_name: company.name,
        cik: company.cik,
        candidates: stored?.candidates ?? [],
        known_at: instantText(clock.nowMs()),
      };
      await store.save(record);
      return record;
    },
  };
}

export type Entities = ReturnType<typeof entities>;
