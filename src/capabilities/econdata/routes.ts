// The economic-data routes; each handler passes the request to its use case.
import { Elysia } from "elysia";
import { ECONDATA_USAGE_DAYS } from "../../limits.ts";
import type { Answer } from "../../platform/answer.ts";
import { proxyDoc, USAGE } from "./docs.ts";
import type { Caller } from "./proxy.ts";
import { type ProxyAnswer, ProxyQuery, type UsageAnswer, UsageQuery } from "./schema.ts";

export interface EconAnswers {
  proxy(path: string, query: ProxyQuery, caller: Caller): Promise<Answer<ProxyAnswer>>;
  usage(days: number, ofProxy: boolean): UsageAnswer;
}

/**
 * The rest of the path. Elysia gives none when the rest is an asterisk, because it mistakes that for the
 * pattern.
 */
const pathOf = (params: Readonly<Partial<Record<"*", string>>>): string => params["*"] ?? "";

/** The routes below /econdata. `callerOf` identifies the client of a request. */
export function econRoutes(
  answers: EconAnswers,
  endpoints: readonly string[],
  callerOf: (request: Request) => Caller,
) {
  return new Elysia({ name: "econdata", prefix: "/econdata" })
    .get(
      "/stats/usage",
      ({ query }) => answers.usage(query.days ?? ECONDATA_USAGE_DAYS, query.use_proxy_stats ?? true),
      { query: UsageQuery, detail: USAGE },
    )
    .get(
      "/proxy/*",
      ({ params, query, request }) => answers.proxy(pathOf(params), query, callerOf(request)),
      {
        query: ProxyQuery,
        detail: proxyDoc(endpoints),
      },
    );
}
