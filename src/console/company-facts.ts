// Shows what is known of a company beside its figures, and what the service has stored of it.

import type { CompanyInfo } from "../capabilities/company/schema.ts";
import type { Coverage } from "../capabilities/database/schema.ts";
import { listTable } from "./elements.ts";
import { count, minute } from "./format.ts";

/** A company of its own route, or the parts of it beside statements. */
export type Company = Partial<Omit<CompanyInfo, "former_names">> & {
  readonly former_names?: readonly { readonly name: string }[];
};

/** One line of what is known; what is not known is left out. */
export function companyFacts(company: Company): string {
  const { cik, exchange, sector, industry, sic_description, currency, fiscal_year_end } = company;
  const trade = [sector, industry].filter(Boolean).join(", ") || sic_description;
  const former = (company.former_names ?? []).map(({ name }) => name).join(", ");
  return [
    exchange,
    trade,
    cik && `CIK ${cik}`,
    fiscal_year_end && `fiscal year to ${fiscal_year_end}`,
    worth(company),
    currency && `prices in ${currency}`,
    former && `formerly ${former}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

function worth({ market_cap, market_cap_currency, market_cap_as_of }: Company): string {
  if (typeof market_cap !== "number") return "";
  const at = market_cap_as_of ? ` on ${minute(market_cap_as_of)}` : "";
  return `market value ${count(market_cap)} ${market_cap_currency ?? "(currency not stated)"}${at}`;
}

export type Stored = Coverage["data"][number];

/** The datasets with rows of a symbol. */
export const storedTable = (data: readonly Stored[]): HTMLElement[] => [
  listTable(
    ["dataset", ">rows", "from", "to", "newest row known"],
    data
      .filter(({ rows }) => rows > 0)
      .map(({ dataset, rows, first_date, last_date, last_updated }) => [
        dataset,
        count(rows),
        first_date ?? "",
        last_date ?? "",
        minute(last_updated),
      ]),
    "Nothing is stored of it yet.",
  ),
];
