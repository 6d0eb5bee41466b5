// Which article is about a company: by its number at the SEC, else by its ticker, else by search; or as it was set by hand.
import { canonical } from "../../market/ticker.ts";
import type { Clock } from "../../platform/clock.ts";
import { InvalidRequest } from "../../platform/errors.ts";
import { instantMs, instantText } from "../../platform/instant-text.ts";
import { singleFlight } from "../../platform/upstream/single-flight.ts";
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

  type Company = Awaited<ReturnType<CompanyBehind>>;

  const titlesBy = async (by: FoundBy, symbol: string, company: Company, signal: AbortSignal) => {
    if (by === "ticker") return encyclopedia.itemsByTicker(symbol, signal);
    if (by === "cik") return company.cik === null ? [] : encyclopedia.itemsByCik(company.cik, signal);
    if (company.name === null) return [];
    return (await encyclopedia.search(searchWords(company.name), HITS_MAX, signal)).hits;
  };

  /** Articles found one way, scored. */
  const candidatesBy = async (by: FoundBy, symbol: string, company: Company, signal: AbortSignal) => {
    const titles = (await titlesBy(by, symbol, company, signal)).map(({ title }) => title);
    const articles = await encyclopedia.titles(titles, signal);
    return titles.flatMap((title) => {
      const article = articles.get(title);
      return article ? [{ article, by, ...scoreOf({ ...article, foundBy: by }, company.name) }] : [];
    });
  };

  /** Every article met on the way to one that is good enough, the best first. */
  const search = async (symbol: string, company: Company, signal: AbortSignal) => {
    const met = new Map<string, Awaited<ReturnType<typeof candidatesBy>>[number]>();
    for (const by of ["cik", "ticker", "search"] as const) {
      // Redirects may lead several titles to one article, and several ways too: its best score counts.
      for (const one of await candidatesBy(by, symbol, company, signal))
        if (one.score > (met.get(one.title)?.score ?? -1)) met.set(one.title, one);
      if ([...met.values()].some(({ score }) => score >= ACCEPTED_MIN)) break;
    }
    return [...met.values()].sort((a, b) => b.score - a.score);
  };

  const handmade = async (symbol: string, signal: AbortSignal) => {
    const held = await store.find(symbol, null, signal);
    return held?.is_manual_override ? held : null;
  };

  /** Looks for the article and stores what came of it. An outage is passed on: a worse way would find a worse article. */
  const look = async (ticker: string, force: boolean, signal: AbortSignal): Promise<EntityRecord> => {
    const symbol = canonical(ticker);
    const company = await companyBehind(ticker, signal);
    const candidates = await search(symbol, company, signal);
    const best = candidates.find(({ score }) => score >= ACCEPTED_MIN);
    const chosen = best
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
    // Somebody may have set it by hand meanwhile.
    const made = force ? null : await handmade(symbol, signal);
    if (made) return made;
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
        held && (held.encyc_title !== null || clock.nowMs() - instantMs(held.known_at) < NONE_GOOD_MS);
      return isGood ? held : this.resolve(ticker, false, signal);
    },

    /** Looks for it anew. What was set by hand stays, unless `force`. */
    async resolve(ticker: string, force: boolean, signal: AbortSignal): Promise<EntityRecord> {
      const symbol = canonical(ticker);
      const made = force ? null : await handmade(symbol, signal);
      return made ?? flights.run(`${symbol} ${force}`, signal, (shared) => look(ticker, force, shared));
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
