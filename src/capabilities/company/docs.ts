// How the company routes document themselves.
import { MULTI_REQUEST_DEADLINE_S } from "../../limits.ts";
import { documented } from "../../platform/route-doc.ts";
import { BulkCompanyResponse, CompanyInfo } from "./schema.ts";

const tag = "company";

const LOOKUP =
  "Looked up in the cache (24 hours), then in the registry of what is stored, then at the SEC and the price provider. " +
  'Every figure is as reported or null; placeholders such as "N/A" count as no value and are asked for again. ' +
  "When one source cannot be asked, the other's fields and what is stored are served, and `warnings` says so.";

export const COMPANY = documented({
  tag,
  summary: "Company behind a ticker",
  description: `${LOOKUP} 404 only when the sources said that there is no such ticker, never because one failed.`,
  answer: CompanyInfo,
  answerDescription: "The company or fund.",
  errors: [404, 429, 502, 504],
  cached: true,
});

export const BULK = documented({
  tag,
  summary: "Companies behind up to 100 tickers",
  description: `One result per ticker, in the order of the request; a failed ticker does not fail the others. Cold tickers take about a quarter of a second each. ${LOOKUP}`,
  answer: BulkCompanyResponse,
  answerDescription: "A result per ticker, successful or not.",
  errors: [400, 504],
  deadlineS: MULTI_REQUEST_DEADLINE_S,
});
