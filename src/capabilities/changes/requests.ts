// What the routes of the ledger share: reading datasets, symbols and versions out of a request.

import { generationOf as versionIn } from "../../market/data-version.ts";
import type { Services } from "../../market/services.ts";
import { canonical } from "../../market/ticker.ts";
import { InvalidRequest, NotFound } from "../../platform/errors.ts";
import { symbolColumn } from "../../platform/lake/change-rows.ts";
import type { Dataset } from "../../platform/lake/dataset.ts";

export interface ChangesDeps extends Pick<Services, "lake"> {
  readonly datasets: readonly Dataset[];
  /** The generation that a name stands for; null when there is no such name. */
  generationOf(name: string): number | null;
}

export function changeRequests({ lake, datasets, generationOf }: ChangesDeps) {
  /** The newest version. Throws InvalidRequest where `version` lies beyond it. */
  const demandVersion = async (field: string, version: number): Promise<number> => {
    const newest = await lake.generation();
    if (version <= newest) return newest;
    throw new InvalidRequest(
      "bad_request",
      `${field} ${version} is beyond the newest data version, ${newest}.`,
      { hint: "A cursor or version counts for the store that gave it; begin again with since=0." },
    );
  };
  return {
    demandVersion,
    /**
     * The datasets of a request. Throws NotFound, and InvalidRequest for a symbol of a dataset whose rows name none: an empty answer
     * would say that nothing changed.
     */
    named({ dataset: name, symbol }: { dataset?: string; symbol?: string }): readonly Dataset[] {
      if (name === undefined) return datasets;
      const found = datasets.find((dataset) => dataset.name === name);
      if (found && symbol !== undefined && symbolColumn(found) === null)
        throw new InvalidRequest("bad_request", `The rows of ${name} name no symbol.`, {
          hint: "Leave out symbol; key, before and after say what a row is about.",
        });
      if (found) return [found];
      throw new NotFound("not_found", `There is no dataset ${JSON.stringify(name)}.`, {
        hint: "GET /database/info lists the datasets.",
      });
    },
    /** The warning that names which datasets an answer about a symbol leaves out. None where it leaves out none. */
    leftOut({ dataset, symbol }: { dataset?: string; symbol?: string }): string[] {
      if (dataset !== undefined || symbol === undefined) return [];
      const names = datasets.filter((each) => symbolColumn(each) === null).map(({ name }) => name);
      if (names.length === 0) return [];
      return [
        `Changes of these datasets are left out, because their rows name no symbol: ${names.join(", ")}. Ask for one of them with dataset, without symbol.`,
      ];
    },
    symbolOf: (symbol: string | undefined) => (symbol === undefined ? undefined : canonical(symbol.trim())),
    /** The version of a number or a name. Throws NotFound. The ledger begins with 0, whatever version is the oldest to read. */
    versionOf: async (given: string): Promise<number> =>
      versionIn(given, { oldest: 0, newest: await lake.generation(), generationOf }),
    /** The words about the symbol of a request. */
    about: (symbol: string | undefined) => (symbol === undefined ? "" : ` of ${symbol}`),
  };
}

export type ChangeRequests = ReturnType<typeof changeRequests>;
