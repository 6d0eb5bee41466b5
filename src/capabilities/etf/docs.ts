// How the fund routes document themselves.
import { ETF_HOLDINGS_DEADLINE_S } from "../../limits.ts";
import { documented } from "../../platform/route-doc.ts";
import { ExposureAnswer, FundList, FundProfile, HoldingsAnswer, SectorsAnswer } from "./schema.ts";

const tag = "etf";

const PUBLIC =
  "Funds report their holdings to the SEC monthly (Form NPORT-P), but only the report of every third month is public, up to 60 days after its day: the newest holdings are one to five months old.";

export const PROFILE = documented({
  tag,
  summary: "An exchange-traded fund: issuer, costs, assets",
  description:
    "As the price provider has it, read again after six hours. 404 `not_an_etf` for a ticker of something else, `unknown_ticker` for one nobody knows.",
  answer: FundProfile,
  answerDescription: "The fund.",
  errors: [404, "not_an_etf", "no_data", 429, 502, 504],
  cached: true,
});

export const HOLDINGS = documented({
  tag,
  summary: "What an exchange-traded fund holds, as known on a day",
  description: `${PUBLIC} Of a trust with many funds the reports of the ticker's own series are read. The whole report is read and stored when it is first asked for. Funds that file none (trusts such as SPY, commodity trusts) are answered with the ten largest holdings of the price provider, source yahoo; with a past as_of they are 404 no_data. Weights and values are as reported, shorts negative, derivatives with their kind. The same rows: \`from etf_holdings_as_of(as_of)\` in the catalogue.`,
  answer: HoldingsAnswer,
  answerDescription: "The holdings, the heaviest first.",
  errors: [404, "not_an_etf", "no_data", 429, 502, 504, "not_configured"],
  tabular: true,
  deadlineS: ETF_HOLDINGS_DEADLINE_S,
});

export const SECTORS = documented({
  tag,
  summary: "Sectors of an exchange-traded fund",
  description: "As the price provider has them. Reports to the SEC do not tell sectors.",
  answer: SectorsAnswer,
  answerDescription: "The weights, the heaviest first.",
  errors: [404, "not_an_etf", "no_data", 429, 502, 504],
  cached: true,
});

export const LIST = documented({
  tag,
  summary: "Exchange-traded funds that are listed",
  description: "By the lists of the exchanges, which the universe's job reads each morning.",
  answer: FundList,
  answerDescription: "A page of the list.",
  errors: ["no_data"],
  tabular: true,
});

export const EXPOSURE = documented({
  tag,
  summary: "Exchange-traded funds that hold a share",
  description: `By the reports stored in this service: \`funds_stored\` says of how many funds, and GET /etf/{ticker}/holdings adds one. ${PUBLIC}`,
  answer: ExposureAnswer,
  answerDescription: "A page of the funds, the heaviest weight first.",
  errors: [400],
  tabular: true,
});
