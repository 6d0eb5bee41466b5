// The encyclopedia article of a company: found by search, or set by hand.
import type { Services } from "../../market/services.ts";
import { canonical } from "../../market/ticker.ts";
import { InvalidRequest } from "../../platform/errors.ts";
import { instantMs, instantText } from "../../platform/instant-text.ts";
import { singleFlight } from "../../platform/upstream/single-flight.ts";
import { articleSearch, type Company, type FoundArticle } from "./article-search.ts";
import type { EntityRecord, EntityStore } from "./entity-store.ts";
import { ACCEPTED_MIN } from "./score.ts";
import type { CompanyBehind, Encyclopedia, SourceArticle } from "./sources.ts";

export interface EntityDeps extends Pick<Services, "clock"> {
  readonly encyclopedia: Encyclopedia;
  readonly companyBehind: CompanyBehind;
  readonly store: EntityStore;
}

/** A failed search for a company's article is repeated after this long. */
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

export function entities({ encyclopedia, companyBehind, store, clock }: EntityDeps) {
  const flights = singleFlight<EntityRecord>();
  const search = articleSearch(encyclopedia);

  const findOverride = async (symbol: string, signal: AbortSignal) => {
    const stored = await store.find(symbol, null, signal);
    return stored?.is_manual_override ? stored : null;
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

  /** Searches the article and stores the result. Throws on an outage: continuing with a weaker search would find a worse article. */
  const searchAndStore = async (
    ticker: string,
    force: boolean,
    signal: AbortSignal,
  ): Promise<EntityRecord> => {
    const symbol = canonical(ticker);
    const company = await companyBehind(ticker, signal);
    const candidates = await search(symbol, company, signal);
    // An admin may have set the article while the search ran.
    const override = force ? null : await findOverride(symbol, signal);
    if (override) return override;
    const record = recordOf(symbol, company, candidates);
    await store.save(record);
    return record;
  };

  return {
    /** The newest record as known at `asOf` (RFC 3339; null: now); null when no search was made by then. */
    find: (ticker: string, asOf: string | null, signal?: AbortSignal) =>
      store.find(canonical(ticker), asOf, signal),

    /** The newest record. Searches when there is none, or when the last search is old and found nothing. */
    async ensure(ticker: string, signal: AbortSignal): Promise<EntityRecord> {
      const stored = await store.find(canonical(ticker), null, signal);
      const isGood =
        stored && (stored.encyc_title !== null || clock.nowMs() - instantMs(stored.known_at) < NONE_GOOD_MS);
      return isGood ? stored : this.resolve(ticker, false, signal);
    },

    /** Searches again. An article set by hand stays, unless `force`. */
    async resolve(ticker: string, force: boolean, signal: AbortSignal): Promise<EntityRecord> {
      const symbol = canonical(ticker);
      const override = force ? null : await findOverride(symbol, signal);
      if (override) return override;
      return flights.run(`${symbol} ${force}`, signal, (shared) => searchAndStore(ticker, force, shared));
    },

    /** Sets the article by hand. Throws InvalidRequest when it does not exist, NotFound for an unknown ticker. */
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
      const stored = await store.find(symbol, null, signal);
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
