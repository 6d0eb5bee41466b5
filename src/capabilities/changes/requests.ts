// Reads datasets, symbols and versions out of a request, for all routes of the ledger.

import { refuseOtherLine, generationOf as versionIn } from "../../market/data-version.ts";
import type { ListedHolder, ListedHolders } from "../../market/issuer.ts";
import type { Services } from "../../market/services.ts";
import { canonical } from "../../market/ticker.ts";
import { InvalidRequest, NotFound } from "../../platform/errors.ts";
import type { Dataset } from "../../platform/lake/dataset.ts";
import type { LedgerRange } from "../../platform/lake/lake.ts";
import { companyColumn, type SymbolHolder, symbolColumn } from "../../platform/lake/versions/change-rows.ts";

export interface ChangesDeps extends Pick<Services, "lake"> {
  readonly datasets: readonly Dataset[];
  /** The generation that a name stands for; null when there is no such name. */
  generationOf(name: string): number | null;
  /** The companies of the rows that name a CIK. */
  readonly listedHolders: ListedHolders;
}

/** Which rows a request is about. */
export interface AskedRows {
  readonly rows: Pick<LedgerRange, "datasets" | "symbol" | "companies">;
  /** Warnings about them for the answer. */
  readonly warnings: readonly string[];
}

/** The holders as filters of rows: a company that was reorganised has its earlier CIKs too. */
const filtersOf = (holders: readonly ListedHolder[]): SymbolHolder[] =>
  holders.flatMap(({ cik, predecessor_ciks, gone_at }) =>
    [cik, ...predecessor_ciks].map((each) => ({ cik: each, until: gone_at })),
  );

const shown = ({ cik, name, gone_at }: ListedHolder) =>
  `${name ?? "the filer"} (CIK ${cik})${gone_at === null ? ", which has it" : ` for rows known before ${gone_at}, when the SEC's list lacked it`}`;

/** The warning where the holder of a symbol is not simply the company that has it. */
function holderWarning(ticker: string, holders: readonly ListedHolder[]): string[] {
  if (holders.every(({ gone_at }) => gone_at === null)) return [];
  return [
    `holder_changed: rows that name a CIK and not ${ticker} are those of ${holders.map(shown).join("; of ")}.`,
  ];
}

/** The warning that names the datasets that an answer about a symbol leaves out. */
const leftOutWarning = (left: readonly Dataset[], because: string): string[] =>
  left.length === 0
    ? []
    : [
        `Changes of these datasets are left out, because ${because}: ${left.map(({ name }) => name).join(", ")}. Ask for one of them with dataset, without symbol.`,
      ];

export function changeRequests({ lake, datasets, generationOf, listedHolders }: ChangesDeps) {
  /**
   * Throws InvalidRequest where a cursor lies beyond the newest version, and NotFound `other_lineage` where
   * it is of a line of history that this store does not have.
   */
  const demandVersion = async (field: string, version: number): Promise<void> => {
    const newest = await lake.generation();
    refuseOtherLine(`The cursor ${version}`, version, { newest, lineOf: lake.lineOf });
    if (version <= newest) return;
    throw new InvalidRequest(
      "bad_request",
      `${field} ${version} is beyond the newest data version, ${newest}.`,
      { hint: "A cursor or version counts for the store that gave it; begin again with since=0." },
    );
  };
  return {
    demandVersion,
    /**
     * The rows that a request is about. Throws NotFound for an unknown dataset, and for the symbol of no
     * known company where the dataset names companies; InvalidRequest for a symbol where it names neither: an
     * empty answer would say that nothing changed.
     */
    askedRows({ dataset: name, symbol: given }: { dataset?: string; symbol?: string }): AskedRows {
      const found = datasets.find((dataset) => dataset.name === name);
      if (name !== undefined && !found)
        throw new NotFound("not_found", `There is no dataset ${JSON.stringify(name)}.`, {
          hint: "GET /database/info lists the datasets.",
        });
      const asked = found ? [found] : datasets;
      if (given === undefined) return { rows: { datasets: asked }, warnings: [] };
      const ticker = given.trim();
      const symbol = canonical(ticker);
      const holders = listedHolders(symbol);
      if (found) refuseSymbol(found, ticker, holders);
      const named = asked.filter((each) => symbolColumn(each) === null);
      const [byCompany, byNeither] = [
        named.filter((each) => companyColumn(each) !== null),
        named.filter((each) => companyColumn(each) === null),
      ];
      return {
        rows: { datasets: asked, symbol, companies: filtersOf(holders) },
        warnings: [
          ...(asked.some((each) => companyColumn(each) !== null) ? holderWarning(ticker, holders) : []),
          ...leftOutWarning(
            byNeither,
            "their rows name neither one symbol as this service writes it nor one company",
          ),
          ...leftOutWarning(
            holders.length === 0 ? byCompany : [],
            `their rows name a company by its CIK, and no list of the SEC that was read has a company with the symbol ${ticker}`,
          ),
        ],
      };
    },
    /**
     * The version of a number or a name. Throws NotFound. The ledger begins with 0, whatever version is the
     * oldest to read.
     */
    versionOf: async (given: string): Promise<number> =>
      versionIn(given, { oldest: 0, newest: await lake.generation(), generationOf, lineOf: lake.lineOf }),
    /** The words about the symbol of a request. */
    about: (symbol: string | undefined) => (symbol === undefined ? "" : ` of ${symbol}`),
  };
}

/** Refuses the symbol of a request for a dataset that it says nothing about. */
function refuseSymbol(dataset: Dataset, ticker: string, holders: readonly ListedHolder[]): void {
  if (symbolColumn(dataset) !== null) return;
  const hint = "Leave out symbol; key, before and after say what a row is about.";
  if (companyColumn(dataset) === null)
    throw new InvalidRequest("bad_request", `The rows of ${dataset.name} name no symbol.`, { hint });
  if (holders.length === 0)
    throw new NotFound(
      "unknown_ticker",
      `The rows of ${dataset.name} name a company by its CIK, and no list of the SEC that was read has a company with the symbol ${ticker}.`,
      { hint, ticker },
    );
}

export type ChangeRequests = ReturnType<typeof changeRequests>;
