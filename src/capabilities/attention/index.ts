// Attention: how much a company is looked up and written about around a day. Its face: what it needs, and what it gives.
import type { AnyElysia } from "elysia";
import type { CacheDeps } from "../../platform/cache/cache.ts";
import type { Clock } from "../../platform/clock.ts";
import { NotFound } from "../../platform/errors.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import type { Store } from "../../platform/sqlite/sqlite.ts";
import { adminAnswers } from "./admin.ts";
import { entities as companyEntities } from "./entities.ts";
import { entityStore } from "./entity-store.ts";
import { attentionEvents } from "./event.ts";
import { attentionJobs } from "./jobs.ts";
import { momentOf } from "./moments.ts";
import { newsCollector } from "./news-collect.ts";
import { newsStore } from "./news-store.ts";
import { attentionRoutes } from "./routes.ts";
import { entityAnswer } from "./shown-entity.ts";
import type { AttentionLog, CompanyBehind, Encyclopedia, NewsArchive } from "./sources.ts";
import { articleViews } from "./views.ts";
import { viewsStore } from "./views-store.ts";

export interface AttentionNeeds {
  readonly encyclopedia: Encyclopedia;
  readonly archive: NewsArchive;
  readonly companyBehind: CompanyBehind;
  readonly lake: Lake;
  readonly sqlite: Store;
  readonly clock: Clock;
  readonly log: AttentionLog;
  readonly cacheDeps: CacheDeps;
  /** Admin routes are mounted below it. */
  readonly admin: AnyElysia;
  runNow: Jobs["runNow"];
}

/** Composes the capability: its routes and its jobs. */
export function attention(needs: AttentionNeeds) {
  const { encyclopedia, archive, companyBehind, lake, sqlite, clock, log, cacheDeps, runNow } = needs;
  const articleUrl = (title: string) => encyclopedia.articleUrl(title);
  const mappings = entityStore(lake);
  const entities = companyEntities({ encyclopedia, companyBehind, store: mappings, clock });
  const stored = viewsStore({ lake, sqlite, project: encyclopedia.project });
  const views = articleViews({ encyclopedia, store: stored, clock, cacheDeps });
  const archived = newsStore({ lake, sqlite });
  const news = newsCollector({ archive, store: archived, clock });
  const { archiveFrom } = archive;
  const event = attentionEvents({
    ...{ entities, views, viewsStore: stored, news: archived },
    ...{ archiveFrom, clock, cacheDeps, articleUrl },
  });
  const answers = {
    event,
    async entity(ticker: string, asOf: string | undefined, signal: AbortSignal) {
      const record = await entities.find(ticker, momentOf(asOf), signal);
      if (record) return entityAnswer(ticker.trim(), record, articleUrl);
      throw new NotFound(
        "no_data",
        `No article was looked for under ${ticker.trim()}${asOf === undefined ? "" : " by then"}.`,
        { ticker: ticker.trim() },
      );
    },
    ...adminAnswers({ entities, views, news, clock, runNow, articleUrl }),
  };
  return {
    routes: attentionRoutes(answers, needs.admin),
    jobs: attentionJobs({ entities: mappings, views, news, newsStore: archived, clock, log }),
  };
}
