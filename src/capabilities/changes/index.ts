// The ledger of changes: what each commit of the store added, revised, read again or withdrew.
import { Elysia, type Static } from "elysia";
import { ifEmpty } from "../../market/absence.ts";
import type { Services } from "../../market/services.ts";
import { canonical } from "../../market/ticker.ts";
import { Answer } from "../../platform/answer.ts";
import { InvalidRequest, NotFound } from "../../platform/errors.ts";
import type { Dataset } from "../../platform/lake/dataset.ts";
import type { Change, ChangeCount } from "../../platform/lake/lake.ts";
import { CHANGES, SUMMARY } from "./docs.ts";
import {
  type ChangeRow,
  type ChangesAnswer,
  ChangesQuery,
  type SummaryAnswer,
  SummaryQuery,
} from "./schema.ts";

export interface ChangesDeps extends Pick<Services, "lake"> {
  readonly datasets: readonly Dataset[];
}

/** The change as a row: the last of a commit carries its generation as cursor, the others the one before. */
const rowOf = (
  { generation, ...change }: Change,
  at: number,
  { length }: readonly Change[],
  next: number | undefined,
): ChangeRow => ({
  cursor: at === length - 1 || next !== generation ? generation : generation - 1,
  data_version: generation,
  ...change,
});

const about = (symbol: string | undefined) => (symbol === undefined ? "" : ` of ${symbol}`);

const sumBy = <K extends string>(
  counts: readonly ChangeCount[],
  nameOf: (count: ChangeCount) => K | null,
) => {
  const sums = new Map<K, number>();
  for (const count of counts) {
    const name = nameOf(count);
    if (name !== null) sums.set(name, (sums.get(name) ?? 0) + count.changes);
  }
  return sums;
};

/** Builds the routes below /changes. */
export function changes({ lake, datasets }: ChangesDeps) {
  const named = (name: string | undefined): readonly Dataset[] => {
    if (name === undefined) return datasets;
    const found = datasets.find((dataset) => dataset.name === name);
    if (found) return [found];
    throw new NotFound("not_found", `There is no dataset ${JSON.stringify(name)}.`, {
      hint: "GET /database/info lists the datasets.",
    });
  };
  const demandVersion = async (field: string, version: number): Promise<number> => {
    const newest = await lake.generation();
    if (version <= newest) return newest;
    throw new InvalidRequest(
      "bad_request",
      `${field} ${version} is beyond the newest data version, ${newest}.`,
      {
        hint: "A cursor or version counts for the store that gave it; begin again with since=0.",
      },
    );
  };
  const symbolOf = (symbol: string | undefined) =>
    symbol === undefined ? undefined : canonical(symbol.trim());

  const list = async (
    query: Static<typeof ChangesQuery>,
    signal: AbortSignal,
  ): Promise<Answer<ChangesAnswer>> => {
    const { since = 0, limit = 1_000 } = query;
    const data_version = await demandVersion("since", since);
    const request = {
      after: since,
      rows: limit,
      datasets: named(query.dataset),
      symbol: symbolOf(query.symbol),
    };
    const page = await lake.ledger(request, { signal });
    const all = page.changes.map((change, at, rows) => rowOf(change, at, rows, rows[at + 1]?.generation));
    const data = query.op === undefined ? all : all.filter(({ op }) => op === query.op);
    const has_more = page.to < page.newest;
    const body: ChangesAnswer = {
      count: data.length,
      limit,
      cursor: page.to,
      has_more,
      data_version: Math.max(data_version, page.newest),
      oldest_version: lake.oldestVersion(),
      warnings: ifEmpty(
        data,
        "nothing_there",
        `No commit after ${since} up to ${page.to} changed such a row${about(query.symbol)}.`,
      ),
      data,
    };
    return new Answer(() => body, { page: { total: null, next: has_more ? { since: page.to } : null } });
  };

  const summary = async (query: Static<typeof SummaryQuery>, signal: AbortSignal): Promise<SummaryAnswer> => {
    const { from_version = 0, top = 20 } = query;
    const newest = await demandVersion("from_version", from_version);
    const to_version = query.to_version ?? newest;
    await demandVersion("to_version", to_version);
    if (from_version > to_version)
      throw new InvalidRequest(
        "bad_request",
        `from_version ${from_version} is greater than to_version ${to_version}.`,
      );
    const range = { from: from_version, to: to_version, datasets: named(query.dataset) };
    const counts = await lake.ledgerCounts({ ...range, symbol: symbolOf(query.symbol) }, { signal });
    const kinds = sumBy(counts, ({ dataset, op }) => `${dataset} ${op}`);
    const bySymbol = [...sumBy(counts, ({ symbol }) => symbol)].sort(
      ([a, x], [b, y]) => y - x || (a < b ? -1 : 1),
    );
    return {
      from_version,
      to_version,
      warnings: ifEmpty(
        counts,
        "nothing_there",
        `No commit after ${from_version} up to ${to_version} changed such a row${about(query.symbol)}.`,
      ),
      total: counts.reduce((sum, { changes: n }) => sum + n, 0),
      data: [...kinds].map(([kind, n]) => {
        const [dataset = "", op = ""] = kind.split(" ");
        return { dataset, op, changes: n };
      }),
      symbols: bySymbol.slice(0, top).map(([symbol, n]) => ({ symbol, changes: n })),
    };
  };

  const routes = new Elysia({ name: "changes", prefix: "/changes" })
    .get("", ({ query, request }) => list(query, request.signal), { query: ChangesQuery, detail: CHANGES })
    .get("/summary", ({ query, request }) => summary(query, request.signal), {
      query: SummaryQuery,
      detail: SUMMARY,
    });
  return { routes };
}
