// News in the lake: stores what is new of a provider's articles, and reads them as known at an instant.
import { newsHeadlines } from "../../datasets/news-headlines.ts";
import { newYorkDate } from "../../market/calendar.ts";
import type { Headline } from "../../market/headline.ts";
import type { Services } from "../../market/services.ts";
import { literal } from "../../platform/lake/dataset.ts";
import { batchOf, type Params } from "../../platform/lake/lake.ts";
import { articleId, matchKey } from "./match.ts";
import { type NewsRow, revise } from "./revise.ts";
import type { ProviderName } from "./sources.ts";

/** The filter of a listing. */
export interface NewsFilter {
  /** Canonical symbols; null: any. */
  readonly symbols: readonly string[] | null;
  readonly providers: readonly string[] | null;
  /** Lower-case words that must all occur in headline or summary. */
  readonly words: readonly string[];
  /** Both inclusive; by publication time, or by ingest time when that is unknown. */
  readonly from: Temporal.Instant | null;
  readonly to: Temporal.Instant | null;
  readonly asOf: Temporal.Instant | null;
}

export interface NewsPage {
  readonly descending: boolean;
  readonly limit: number;
  readonly offset: number;
}

export type StoredArticle = Omit<NewsRow, "filed_on" | "placed_at" | "match_key">;

const COLUMNS =
  "id, provider, provider_article_id, other_providers, headline, summary, url, source, author, tickers, published_at, updated_at, image_url, language, revision, ingested_at, known_at";

const listSql = (values: readonly string[]) => `[${values.map(literal).join(", ")}]`;
const inSql = (values: readonly string[]) => `(${values.map(literal).join(", ")})`;
const at = (instant: Temporal.Instant) => `TIMESTAMPTZ ${literal(instant.toString())}`;
const dayOf = (instant: Temporal.Instant) => `DATE ${literal(newYorkDate(instant))}`;

/**
 * Conditions on an article's place in time, which never changes. Those on `filed_on` skip the files of other
 * months.
 */
function timeConditions({ from, to, asOf }: NewsFilter): string[] {
  return [
    ...(from ? [`placed_at >= ${at(from)}`, `filed_on >= ${dayOf(from)}`] : []),
    ...(to ? [`placed_at <= ${at(to)}`, `filed_on <= ${dayOf(to)}`] : []),
    ...(asOf ? [`known_at <= ${at(asOf)}`] : []),
  ];
}

/** Conditions on the contents of a version. */
function contentConditions({ symbols, providers, words }: NewsFilter): string[] {
  return [
    ...(symbols ? [`list_has_any(string_split(tickers, ','), ${listSql(symbols)})`] : []),
    ...(providers
      ? [
          `(provider IN ${inSql(providers)} OR list_has_any(string_split(other_providers, ','), ${listSql(providers)}))`,
        ]
      : []),
    ...words.map((_, i) => `contains(lower(concat_ws(' ', headline, summary)), $word${i})`),
  ];
}

/** The client's words as bound parameters, so they are never read as SQL. */
const wordParams = ({ words }: NewsFilter): Params =>
  Object.fromEntries(words.map((word, i) => [`word${i}`, word]));

const NEWEST =
  "QUALIFY row_number() OVER (PARTITION BY filed_on, id ORDER BY known_at DESC, revision DESC) = 1";

/**
 * SQL that finds the matching articles. Searching the newest version of every article would take seconds. Two
 * shortcuts avoid that: every article has exactly one first version, and an article whose newest version
 * matches has a version that matches.
 */
function foundSql(filter: NewsFilter): string {
  const where = (conditions: readonly string[]) =>
    conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  const [placed, content] = [timeConditions(filter), contentConditions(filter)];
  if (content.length === 0)
    return `SELECT filed_on, id, placed_at FROM news_headlines ${where([...placed, "revision = 1"])}`;
  return `SELECT filed_on, id, placed_at FROM (
      SELECT * FROM news_headlines
      SEMI JOIN (SELECT DISTINCT filed_on, id FROM news_headlines ${where([...placed, ...content])}) hit USING (filed_on, id)
      ${where(placed)} ${NEWEST})
    ${where(content)}`;
}

export function newsStore({ lake, clock }: Pick<Services, "lake" | "clock">) {
  let last: Promise<unknown> = Promise.resolve();

  const versionsOf = (provider: string, articles: readonly Headline[]) => {
    const ids = articles.map(({ id }) => articleId(provider, id));
    const keys = articles.flatMap(({ url, headline }) => matchKey(url, headline) ?? []);
    const isKnown = `id IN ${inSql(ids)}${keys.length === 0 ? "" : ` OR match_key IN ${inSql(keys)}`}`;
    return lake.query<NewsRow>(
      `SELECT n.* FROM news_headlines n
       WHERE n.id IN (SELECT id FROM news_headlines WHERE ${isKnown}) ORDER BY n.known_at, n.revision`,
    );
  };

  const saveNow = async (provider: ProviderName, articles: readonly Headline[]) => {
    if (articles.length === 0) return { inserted: 0, updated: 0 };
    const stored = await versionsOf(provider, articles);
    const now = clock.now().round({ smallestUnit: "millisecond", roundingMode: "floor" });
    const { rows, inserted, updated } = revise(provider, articles, stored, now);
    if (rows.length > 0) await lake.append([batchOf(newsHeadlines, rows)]);
    return { inserted, updated };
  };

  return {
    /**
     * Stores what is new. Saves run one after the other, so that two providers with the same article see each
     * other's row.
     */
    save(provider: ProviderName, articles: readonly Headline[]) {
      const saved = last.then(() => saveNow(provider, articles));
      last = saved.catch(() => {});
      return saved;
    },

    /** A page of articles and the total number of matches. */
    async list(filter: NewsFilter, page: NewsPage, signal: AbortSignal) {
      const found = foundSql(filter);
      const [counted] = await lake.query<{ total: number }>(
        `SELECT count(*) AS total FROM (${found})`,
        wordParams(filter),
        { signal },
      );
      const order = `ORDER BY placed_at ${page.descending ? "DESC" : "ASC"}, id`;
      const chosen = await lake.query<{ id: string; filed_on: string }>(
        `SELECT id, filed_on FROM (${found}) ${order} LIMIT ${page.limit} OFFSET ${page.offset}`,
        wordParams(filter),
        { signal },
      );
      if (chosen.length === 0) return { total: counted?.total ?? 0, rows: [] };
      const days = chosen.map(({ filed_on }) => filed_on).sort();
      const asOf = filter.asOf ? literal(filter.asOf.toString()) : "NULL";
      const rows = await lake.query<StoredArticle>(
        `SELECT ${COLUMNS} FROM news_as_of(${asOf})
         WHERE filed_on BETWEEN DATE ${literal(days[0] ?? "")} AND DATE ${literal(days.at(-1) ?? "")}
           AND id IN ${inSql(chosen.map(({ id }) => id))} ${order}`,
        {},
        { signal },
      );
      return { total: counted?.total ?? 0, rows };
    },

    /**
     * The number of articles of each provider since `since`, including those that other providers have too.
     */
    async countsSince(since: Temporal.Instant): Promise<ReadonlyMap<string, number>> {
      const rows = await lake.query<{ name: string; n: number }>(
        `SELECT name, count(*) AS n FROM (
           SELECT unnest(string_split(concat_ws(',', provider, other_providers), ',')) AS name
           FROM news_as_of(NULL) WHERE placed_at >= ${at(since)} AND filed_on >= ${dayOf(since)})
         GROUP BY name`,
      );
      return new Map(rows.map(({ name, n }) => [name, n]));
    },
  };
}

export type NewsStore = ReturnType<typeof newsStore>;
