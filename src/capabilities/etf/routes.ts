// The fund routes: each handler passes the request to its use case.
import { Elysia } from "elysia";
import type { EtfAnswers } from "./answers.ts";
import { EXPOSURE, HOLDINGS, LIST, PROFILE, SECTORS } from "./docs.ts";
import {
  ExposureQuery,
  HoldingsQuery,
  ListQuery,
  ProfileQuery,
  SectorsQuery,
  SymbolPath,
  TickerPath,
} from "./schema.ts";

/** The routes below /etf. */
export function etfRoutes(answers: EtfAnswers) {
  return new Elysia({ name: "etf", prefix: "/etf" })
    .get("/list", ({ query, request }) => answers.list(query, request.signal), {
      query: ListQuery,
      detail: LIST,
    })
    .get(
      "/exposure/:symbol",
      ({ params, query, request }) => answers.exposure(params.symbol, query, request.signal),
      { params: SymbolPath, query: ExposureQuery, detail: EXPOSURE },
    )
    .get(
      "/:ticker",
      ({ params, query, request }) =>
        answers.profile(params.ticker, query.force_refresh ?? false, request.signal),
      { params: TickerPath, query: ProfileQuery, detail: PROFILE },
    )
    .get(
      "/:ticker/holdings",
      ({ params, query, request }) => answers.holdings(params.ticker, query, request.signal),
      { params: TickerPath, query: HoldingsQuery, detail: HOLDINGS },
    )
    .get(
      "/:ticker/sectors",
      ({ params, query, request }) =>
        answers.sectors(params.ticker, query.force_refresh ?? false, request.signal),
      { params: TickerPath, query: SectorsQuery, detail: SECTORS },
    );
}
