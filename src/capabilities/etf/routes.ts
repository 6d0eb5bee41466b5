// The fund routes and their documentation: each handler passes the request to its use case.
import { Elysia } from "elysia";
import { ETF_HOLDINGS_DEADLINE_S } from "../../limits.ts";
import { documented } from "../../platform/route-doc.ts";
import type { EtfAnswers } from "./answers.ts";
import {
  ExposureAnswer,
  ExposureQuery,
  FundList,
  FundProfile,
  HoldingsAnswer,
  HoldingsQuery,
  ListQuery,
  ProfileQuery,
  SectorsAnswer,
  SectorsQuery,
  SymbolPath,
  TickerPath,
} from "./schema.ts";

const tag = "etf";

const PUBLIC =
  "Funds report their holdings to the SEC monthly (Form NPORT-P), but only every third report becomes public, up to 60 days after its date. The newest holdings are therefore one to five months old.";

const PROFILE = documented({
  tag,
  summary: "An exchange-traded fund: issuer, costs, assets",
  description:
    "From the price provider, refreshed after six hours. 404 `not_an_etf` for a ticker of another kind of security, `unknown_ticker` for an unknown ticker.",
  answer: FundProfile,
  answerDescription: "The fund.",
  errors: [404, "not_an_etf", "no_data", 429, 502, 504],
  cached: true,
});

const HOLDINGS = documented({
  tag,
  summary: "Holdings of an exchange-traded fund, as known at a moment",
  description: `${PUBLIC} A trust files for many funds: only reports of the ticker's own series are used. A report is fetched and stored whole on first request. For funds that file no report (trusts such as SPY, commodity trusts) the answer has the price provider's ten largest holdings, source yahoo; with a past as_of it is 404 no_data. Weights and values are as reported: short positions are negative, derivatives carry their kind. The same rows in SQL: \`from etf_holdings_as_of(as_of)\` in the catalogue.`,
  answer: HoldingsAnswer,
  answerDescription: "The holdings, the heaviest first.",
  errors: [404, "not_an_etf", "no_data", 429, 502, 504, "not_configured"],
  tabular: true,
  deadlineS: ETF_HOLDINGS_DEADLINE_S,
});

const SECTORS = documented({
  tag,
  summary: "Sectors of an exchange-traded fund",
  description: "From the price provider. Reports to the SEC do not contain sectors.",
  answer: SectorsAnswer,
  rows: "data",
  answerDescription: "The weights, the heaviest first.",
  errors: [404, "not_an_etf", "no_data", 429, 502, 504],
  cached: true,
});

const LIST = documented({
  tag,
  summary: "Listed exchange-traded funds",
  description: "From the exchanges' lists, which the universe job reads each morning.",
  answer: FundList,
  answerDescription: "A page of the list.",
  errors: ["no_data"],
  tabular: true,
});

const EXPOSURE = documented({
  tag,
  summary: "Exchange-traded funds that hold a share",
  description: `From the reports stored in this service: \`funds_stored\` is the number of funds with a stored report, and GET /etf/{ticker}/holdings adds one. ${PUBLIC}`,
  answer: ExposureAnswer,
  answerDescription: "A page of the funds, the heaviest weight first.",
  errors: [400],
  tabular: true,
});

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
