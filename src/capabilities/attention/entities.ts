// Which article is about a company: by its number at the SEC, else by its ticker, else by search; or as it was set by hand.
import { canonical } from "../../market/ticker.ts";
import type { Clock } from "../../platform/clock.ts";
import { InvalidRequest } from "../../platform/errors.ts";
import { instantMs, instantText } from "../../platform/instant-text.ts";
import { singleFlight } from "../../platform/single-flight.ts";
import type { EntityRecord, EntityStore } from "./entity-store.ts";
import { ACCEPTED_MIN, type FoundBy, scoreOf, searchWords } from "./score.ts";
import type { CompanyBehind, Encyclopedia } from "./sources.ts";

export interface EntityDeps {
  readonly encyclopedia: Encyclopedia;
  readonly companyBehind: CompanyBehind;
  readonly store: EntityStore;
  readonly clock: Clock;
}

const HITS_MAX = 10;
/** A company without an article is looked for again after so long. */
const NONE_GOOD_MS = 7 * 24 * 3_600_000;

type Found = readonly { readonly title: string; readonly by: FoundBy }[];

const NOTHING = {
  encyc_title: null,
  page_id: null,
  wikidata_id: null,
  description: null,
  confidence: null,
  resolution_method: "none",
  is_manual_override: false,
  note: null,
} as const;

export function entities({ encyclopedia, companyBehind, store, clock }: EntityDeps) {
  const flights = singleFlight<EntityRecord>();

  const findTitles = async (
    symbol: string,
    { name, cik }: { name: string | null; cik: string | null },
    signal: AbortSignal,
  ): Promise<Found> => {
    const byCik = cik === null ? [] : await encyclopedia.itemsByCik(cik, signal);
    if (byCik.length > 0) return byCik.map(({ title }) => ({ title, by: "cik" }));
    const byTicker = await encyclopedia.itemsByTicker(symbol, signal);
    if (byTicker.length > 0) return byTicker.map(({ title }) => ({ title, by: "ticker" }));
    if (name === null) return [];
    const { hits } = await encyclopedia.search(searchWords(name), HITS_MAX, signal);
    return hits.map(({ title }) => ({ title, by: "search" }));
  };

  /** Looks for the article and stores what came of it. An outage is passed on: a worse way would find a worse article. */
  const look = async (ticker: string, signal: AbortSignal): Promise<EntityRecord> => {
    const symbol = canonical(ticker);
    const company = await companyBehind(ticker, signal);
    const found = await findTitles(symbol, company, signal);
    const articles = await encyclopedia.titles(
      found.map(({ title }) => title),
      signal,
    );
    const known = found.flatMap(({ title, by }) => {
      const article = articles.get(title);
      return article ? [{ article, by, ...scoreOf({ ...article, foundBy: by }, company.name) }] : [];
    });
    // Redirects may lead several titles to one article; the sort is stable, so that the first of equals stays first.
    const candidates = [...new Map(known.map((one) => [one.title, one])).values()].sort(
      (a, b) => b.score - a.score,
    );
    const best = candidates[0];
    const chosen =
      best && best.score >= ACCEPTED_MIN
        ? {
            encyc_title: best.article.title,
            page_id: best.article.page_id,
            wikidata_id: best.article.wikidata_id,
            description: best.article.description,
            confidence: best.score,
            resolution_method: best.by,
            is_manual_override: false,
            note: null,
          }
        : NOTHING;
    const record: EntityRecord = {
      symbol,
      ...chosen,
      company_name: company.name,
      cik: company.cik,
      candidates: candidates.map(({ title, score, reason }) => ({ title, score, reason })),
      known_at: instantText(clock.nowMs()),
    };
    await store.save(record);
    return record;
  };

  return {
    /** What was found last; null when it was never looked for. `asOf` is RFC 3339. */
    find: (ticker: string, asOf: string | null, signal?: AbortSignal) =>
      store.find(canonical(ticker), asOf, signal),

    /** What was found, looked for where it never was, or not for a while without success. */
    async ensure(ticker: string, signal: AbortSignal): Promise<EntityRecord> {
      const held = await store.find(canonical(ticker), null, signal);
      const isGood =
        held &&
        (held.encyc_title !== null || clock.nowMs() - instantMs(held.known_at) < NONE_GOOD_MS);
      return isGood ? held : this.resolve(ticker, false, signal);
    },

    /** Looks for it anew. What was set by hand stays, unless `force`. */
    async resolve(ticker: string, force: boolean, signal: AbortSignal): Promise<EntityRecord> {
      const symbol = canonical(ticker);
      if (!force) {
        const held = await store.find(symbol, null, signal);
        if (held?.is_manual_override) return held;
      }
      return flights.run(symbol, signal, (shared) => look(ticker, shared));
    },

    /** Sets it by hand. Throws InvalidRequest where there is no such article, NotFound for an unknown ticker. */
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
          hint: "Give the title as it stands above the article.",
        });
      }
      const held = await store.find(symbol, null, signal);
      const record: EntityRecord = {
        symbol,
        encyc_title: article.title,
        page_id: article.page_id,
        wikidata_id: article.wikidata_id,
        description: article.description,
        confidence: 1,
        resolution_method: "manual",
        is_manual_override: true,
        note: given.note,
        company_name: company.name,
        cik: company.cik,
        candidates: held?.candidates ?? [],
        known_at: instantText(clock.nowMs()),
      };
      await store.save(record);
      return record;
    },
  };
}

export type Entities = ReturnType<typeof entities>;
