// The ownership routes: each handler passes the request to its use case.
import { Elysia } from "elysia";
import { TickerPath } from "../../market/answer-fields.ts";
import { ACTIVE, HOLDERS } from "./docs.ts";
import type { HolderAnswers } from "./holder-events.ts";
import { ActiveQuery, HoldersQuery } from "./schema.ts";

/** The routes below /ownership. The static route wins over {ticker}. */
export function ownershipRoutes(answers: HolderAnswers) {
  return new Elysia({ name: "ownership", prefix: "/ownership" })
    .get("/13dg/active", ({ query, request }) => answers.active(query, request.signal), {
      query: ActiveQuery,
      detail: ACTIVE,
    })
    .get(
      "/13dg/:ticker",
      ({ params, query, request }) => answers.ofTicker(params.ticker, query, request.signal),
      {
        params: TickerPath,
        query: HoldersQuery,
        detail: HOLDERS,
      },
    );
}
