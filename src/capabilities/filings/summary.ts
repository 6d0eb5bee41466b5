// A filing as search results show it. Pure.
import type { Static } from "@sinclair/typebox";
import { fileUrl, indexPageUrl } from "../../providers/edgar/index.ts";
import { shownInstant } from "./known-at.ts";
import type { FilingSummary } from "./schema.ts";
import type { FoundFiling } from "./store.ts";

/** Item numbers of a stored row: "2.02,9.01". */
export const itemList = (items: string | null): string[] => (items ?? "").split(",").filter(Boolean);

/** `ticker`: as the client sent it, else the filer's main one. */
export function summaryOf(filing: FoundFiling, ticker: string | null): Static<typeof FilingSummary> {
  const { accession_number, cik, primary_document } = filing;
  const ref = { accession_number, cik };
  return {
    accession_number,
    cik,
    ticker,
    company_name: filing.company_name,
    form_type: filing.form_type,
    filing_date: filing.filing_date,
    report_date: filing.report_date,
    accepted_at: shownInstant(filing.accepted_at),
    items: itemList(filing.items),
    parsed_status: filing.parsed_status,
    primary_document,
    primary_document_url: primary_document === null ? null : fileUrl(ref, primary_document),
    filing_url: indexPageUrl(ref),
    size: filing.size,
    is_xbrl: filing.is_xbrl,
  };
}
