// The attention capability: how much a company is looked up and written about around a day.
import type { AnyElysia } from "elysia";
import { asOfInstant } from "../../market/known-at.ts";
import type { Services } from "../../market/services.ts";
import { NotRead } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { adminAnswers } from "./admin.ts";
import { entities as companyEntities } from "./entities.ts";
import { entityStore } from "./entity-store.ts";
import { attentionEvents } from "./event.ts";
import { attentionJobs } from "./jobs.ts";
import { newsCollector } from "./news-collect.ts";
import { newsCoverage as collectedNews } from "./news-coverage.ts";
import { newsStore } from "./news-store.ts";
import { attentionRoutes } from "./routes.ts";
import { entityAnswer } from "./shown-entity.ts";
import type { CompanyBehind, Encyclopedia, NewsArchive, ResolveCompany } from "./sources.ts";
import { newsVersions } from "./version-state.ts";
import { articleViews } from "./views.ts";
import { viewsStore } from "./views-store.ts";

export interface AttentionDeps extends Pick<Services, "lake" | "sqlite" | "clock" | "cacheDeps" | "runNow"> {
  readonly encyclopedia: Encyclopedia;
  readonly archive: NewsArchive;
  readonly companyBehind: CompanyBehind;
  readonly resolve: ResolveCompany;
  readonly log: Pick<Log, "warn">;
  /** Guards the admin routes. */
  readonly admin: AnyElysia;
}

/** Builds the capability: its routes and its jobs. */
export function attention(deps: AttentionDeps) {
  const { encyclopedia, archive, companyBehind, resolve, lake, sqlite, clock, log, cacheDeps, runNow } = deps;
  const articleUrl = (title: string) => encyclopedia.articleUrl(title);
  const mappings = entityStore(lake);
  const entities = companyEntities({ encyclopedia, companyBehind, resolve, store: mappings, clock });
  const storedViews = viewsStore({ lake, sqlite, project: encyclopedia.project });
  const views = articleViews({ encyclopedia, store: storedViews, clock, cacheDeps });
  const storedNews = newsStore({ lake });
  const newsCoverage = collectedNews({ sqlite });
  const news = newsCollector({ archive, store: storedNews, coverage: newsCoverage, clock });
  const event = attentionEvents({
    entities,
    views,
    viewsStore: storedViews,
    news: storedNews,
    newsCoverage,
    newsVersions: newsVersions({ lake, sqlite, clock }),
    archiveFrom: archive.archiveFrom,
    clock,
    cacheDeps,
    articleUrl,
  });
  const answers = {
    event,
    async entity(ticker: string, asOf: string | undefined, signal: AbortSignal) {
      const { record, warnings } = await entities.find(ticker, asOfInstant(asOf), signal);
      if (record) return entityAnswer(ticker.trim(), record, articleUrl, warnings);
      throw new NotRead(
        `No article has been searched for ${ticker.trim()}${asOf === undefined ? " yet" : " by then"}.`,
        { ticker: ticker.trim() },
      );
    },
    ...adminAnswers({ entities, views, news, clock, runNow, articleUrl }),
  };
  return {
    routes: attentionRoutes(answers, deps.admin),
    jobs: attentionJobs({ entities: mappings, views, news, newsCoverage, clock, log }),
  };
}
