// The ownership routes: each handler only hands the request to its use case.
import { Elysia } from "elysia";
import { ACTIVE, HOLDERS } from "./docs.ts";
import type { HolderAnswers } from "./holder-events.ts";
import { ActiveQuery, HoldersQuery, TickerPath } from "./schema.ts";

/** The routes below /ownership; the static one wins over {ticker}. */
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
