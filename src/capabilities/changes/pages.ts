// Pages of the ledger: as JSON, and in row formats as a file that the lake's engine writes.
import { LEDGER_JSON_ROWS_MAX } from "../../limits.ts";
import { ifEmpty } from "../../market/absence.ts";
import { columnsOfSchema } from "../../market/row-table.ts";
import { Answer, type RowStream } from "../../platform/answer.ts";
import { InvalidRequest } from "../../platform/errors.ts";
import type { LedgerRequest } from "../../platform/lake/lake.ts";
import { streamOfFile } from "../../platform/lake/read/file-stream.ts";
import type { ChangeRequests, ChangesDeps } from "./requests.ts";
import { ChangeRow, type ChangesAnswer, type ChangesQuery } from "./schema.ts";

const NAME = "changes";

/** Answers GET /changes. */
export function changePages({ lake }: Pick<ChangesDeps, "lake">, requests: ChangeRequests) {
  /** The rows as a file. `nothing` says why there are none. */
  const changeRows = (
    request: LedgerRequest,
    { nothing, warnings }: { nothing: string; warnings: readonly string[] },
    signal: AbortSignal,
  ): RowStream => {
    let rows = 0;
    return {
      name: NAME,
      async open(format) {
        const file = await lake.ledgerOut(request, { format, objects: "VARCHAR" }, { signal });
        rows = file?.rows ?? 0;
        return streamOfFile(file ?? (await lake.copyRows(columnsOfSchema(ChangeRow), [], format)));
      },
      notes: async () => ({
        warnings: [...warnings, ...(rows === 0 ? ifEmpty([], "nothing_there", nothing) : [])],
      }),
    };
  };

  return async (query: ChangesQuery, signal: AbortSignal): Promise<Answer<ChangesAnswer>> => {
    const { since = 0, limit = 1_000, op, cause, compact = false } = query;
    await requests.demandVersion("since", since);
    const { rows, warnings } = requests.askedRows(query);
    const range = { from: since, ...rows };
    const { to, newest } = await lake.ledgerEnd({ ...range, rows: limit }, { signal });
    const request = { ...range, to, op, cause, lastUpTo: compact ? newest : undefined };
    const has_more = to < newest;
    const nothing = `No commit after ${since} up to ${to} changed such a row${requests.about(query.symbol)}.`;
    const body = async (): Promise<ChangesAnswer> => {
      if (limit > LEDGER_JSON_ROWS_MAX)
        throw new InvalidRequest("bad_request", `limit is at most ${LEDGER_JSON_ROWS_MAX} in JSON.`, {
          hint: "Ask for format=ndjson, csv or parquet.",
        });
      const data = await lake.ledger(request, { signal });
      return {
        count: data.length,
        limit,
        cursor: to,
        has_more,
        data_version: newest,
        store: lake.lineOf(newest),
        oldest_version: lake.oldestVersion(),
        warnings: [...warnings, ...ifEmpty(data, "nothing_there", nothing)],
        data,
      };
    };
    return new Answer(body, {
      stream: changeRows(request, { nothing, warnings }, signal),
      page: { total: null, next: has_more ? { since: to } : null },
    });
  };
}
