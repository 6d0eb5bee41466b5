// Counts the changes between two versions: by dataset, kind and cause, and by symbol.
import { ifEmpty } from "../../market/absence.ts";
import { InvalidRequest } from "../../platform/errors.ts";
import type { ChangeCount } from "../../platform/lake/lake.ts";
import type { ChangeRequests, ChangesDeps } from "./requests.ts";
import type { SummaryAnswer, SummaryQuery } from "./schema.ts";

/** Sums the counts of one kind, the largest sum first, equal ones by name. */
function sumBy<K>(counts: readonly ChangeCount[], kindOf: (count: ChangeCount) => K): [K, number][] {
  const sums = new Map<string, [K, number]>();
  for (const count of counts) {
    const kind = kindOf(count);
    const name = JSON.stringify(kind);
    sums.set(name, [kind, (sums.get(name)?.[1] ?? 0) + count.changes]);
  }
  return [...sums].sort(([a, [, x]], [b, [, y]]) => y - x || (a < b ? -1 : 1)).map(([, sum]) => sum);
}

/** Answers GET /changes/summary. */
export function changeSummary({ lake }: Pick<ChangesDeps, "lake">, requests: ChangeRequests) {
  return async (query: SummaryQuery, signal: AbortSignal): Promise<SummaryAnswer> => {
    const { top = 20 } = query;
    const from_version = await requests.versionOf(query.from_version ?? "0");
    const to_version =
      query.to_version === undefined ? await lake.generation() : await requests.versionOf(query.to_version);
    if (from_version > to_version)
      throw new InvalidRequest(
        "bad_request",
        `from_version ${from_version} is greater than to_version ${to_version}.`,
      );
    const { rows, warnings } = requests.askedRows(query);
    const counts = await lake.ledgerCounts({ from: from_version, to: to_version, ...rows }, { signal });
    const kinds = new Map<string, SummaryAnswer["data"][number]>();
    for (const { dataset, op, cause, changes } of counts) {
      const name = `${dataset} ${op} ${cause}`;
      kinds.set(name, { dataset, op, cause, changes: (kinds.get(name)?.changes ?? 0) + changes });
    }
    const symbols = sumBy(
      counts.filter((count) => count.symbol !== null),
      (count) => count.symbol ?? "",
    );
    return {
      from_version,
      to_version,
      warnings: [
        ...warnings,
        ...ifEmpty(
          counts,
          "nothing_there",
          `No commit after ${from_version} up to ${to_version} changed such a row${requests.about(query.symbol)}.`,
        ),
      ],
      total: counts.reduce((sum, { changes }) => sum + changes, 0),
      data: [...kinds.values()],
      causes: sumBy(counts, ({ cause }) => cause).map(([cause, changes]) => ({ cause, changes })),
      symbols: symbols.slice(0, top).map(([name, changes]) => ({ symbol: name, changes })),
    };
  };
}
