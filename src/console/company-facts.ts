// Shows what is known of a company beside its figures, and what the service has stored of it.
import { listTable } from "./elements.ts";
import { count, minute } from "./format.ts";

/** Of the company of today; of an earlier moment only its name and number are known. */
export interface Company {
  readonly name: string | null;
  readonly cik: string | null;
  readonly exchange?: string | null;
  readonly sector?: string | null;
  readonly industry?: string | null;
  readonly sic_description?: string | null;
  readonly currency?: string | null;
  readonly market_cap?: number | null;
  readonly market_cap_as_of?: string | null;
  readonly market_cap_currency?: string | null;
  readonly fiscal_year_end?: string | null;
  readonly former_names?: readonly { readonly name: string }[];
}

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

export interface Stored {
  readonly dataset: string;
  readonly rows: number;
  readonly first_date: string | null;
  readonly last_date: string | null;
  readonly last_updated: string | null;
}

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
