// Pages of the ledger: as JSON, and in row formats as a file that the lake's engine writes.
import { CHANGES_STREAM_PAGE_ROWS, LEDGER_JSON_ROWS_MAX } from "../../limits.ts";
import { ifEmpty } from "../../market/absence.ts";
import { columnsOfSchema } from "../../market/row-table.ts";
import { Answer, type RowStream } from "../../platform/answer.ts";
import { InvalidRequest } from "../../platform/errors.ts";
import type { CopyFormat, LedgerRequest } from "../../platform/lake/lake.ts";
import { streamOfPieces } from "../../platform/lake/read/piece-stream.ts";
import type { ChangeRequests, ChangesDeps } from "./requests.ts";
import { ChangeRow, type ChangesAnswer, type ChangesQuery } from "./schema.ts";

const NAME = "changes";
/** Rows of the first piece, which a client waits for. */
// A page of 1,000,000 rows begins after a third of a second; written whole it began after six.
const FIRST_PIECE_ROWS = 20_000;

/** The rows in pieces of whole commits. `nothing` says why there are none. */
function changeRows(
  lake: ChangesDeps["lake"],
  request: LedgerRequest,
  { nothing, warnings }: { nothing: string; warnings: readonly string[] },
  signal: AbortSignal,
): RowStream {
  const { to, lastUpTo } = request;
  let { from } = request;
  let isEmpty = false;
  /** Writes the next whole commits that have rows. */
  const write = async (format: CopyFormat, rows: number, rowsOnly: boolean) => {
    while (from < to) {
      // The last change of each key is looked for over all commits, so once.
      const { to: end } =
        lastUpTo === undefined ? await lake.ledgerEnd({ ...request, from, to, rows }, { signal }) : { to };
      const piece = { ...request, from, to: end };
      from = end;
      const file = await lake.ledgerOut(piece, { format, objects: "VARCHAR", rowsOnly }, { signal });
      if (file && file.rows > 0) return file;
      await file?.discard();
    }
    return undefined;
  };
  const first = async (format: CopyFormat) => {
    const file = await write(format, FIRST_PIECE_ROWS, false);
    isEmpty = file === undefined;
    return file ?? lake.copyRows(columnsOfSchema(ChangeRow), [], format);
  };
  return {
    name: NAME,
    open: (format) =>
      streamOfPieces(format, {
        count: Number.POSITIVE_INFINITY,
        write: (at) => (at === 0 ? first(format) : write(format, CHANGES_STREAM_PAGE_ROWS, true)),
      }),
    notes: async () => ({
      warnings: [...warnings, ...(isEmpty ? ifEmpty([], "nothing_there", nothing) : [])],
    }),
  };
}

/** Answers GET /changes. */
export function changePages({ lake }: Pick<ChangesDeps, "lake">, requests: ChangeRequests) {
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
      stream: changeRows(lake, request, { nothing, warnings }, signal),
      page: { total: null, next: has_more ? { since: to } : null },
    });
  };
}
