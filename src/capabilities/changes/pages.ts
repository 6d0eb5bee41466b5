// Pages of the ledger, as JSON and as rows.
import { CHANGES_STREAM_PAGE_ROWS, LEDGER_JSON_BYTES, LEDGER_JSON_ROWS_MAX } from "../../limits.ts";
import { ifEmpty } from "../../market/absence.ts";
import { columnsOfSchema } from "../../market/row-table.ts";
import { Answer } from "../../platform/answer.ts";
import { InvalidRequest } from "../../platform/errors.ts";
import type { Change, LedgerRequest } from "../../platform/lake/lake.ts";
import { streamOfPieces } from "../../platform/lake/read/piece-stream.ts";
import type { Table } from "../../platform/table.ts";
import type { ChangeRequests, ChangesDeps } from "./requests.ts";
import { ChangeRow, type ChangesAnswer, type ChangesQuery } from "./schema.ts";

/** Rows of the first piece, which a client waits for. */
// A page of 1,000,000 rows begins after a third of a second; written whole it began after six.
const FIRST_PIECE_ROWS = 20_000;

/** The rows in pieces of whole commits. `nothing` says why there are none. */
function changeTable(
  lake: ChangesDeps["lake"],
  request: LedgerRequest,
  { nothing, warnings }: { nothing: string; warnings: readonly string[] },
  signal: AbortSignal,
): Table {
  const { to, lastUpTo } = request;
  let isEmpty = false;
  /** Gives the next whole commits, as long as there are some. */
  const commits = () => {
    let { from } = request;
    return async (rows: number): Promise<LedgerRequest | undefined> => {
      if (from >= to) return undefined;
      // The last change of each key is looked for over all commits, so once.
      const { to: end } =
        lastUpTo === undefined ? await lake.ledgerEnd({ ...request, from, to, rows }, { signal }) : { to };
      const piece = { ...request, from, to: end };
      from = end;
      return piece;
    };
  };
  return {
    name: "changes",
    isCanonical: true,
    columns: columnsOfSchema(ChangeRow),
    async *batches() {
      isEmpty = true;
      const next = commits();
      for (let piece = await next(FIRST_PIECE_ROWS); piece; piece = await next(CHANGES_STREAM_PAGE_ROWS))
        for (const batch of await lake.ledgerBatches(piece, { signal })) {
          isEmpty = false;
          yield batch;
        }
    },
    async lines(format) {
      const next = commits();
      const lines = await streamOfPieces({
        async write(at) {
          const rows = at === 0 ? FIRST_PIECE_ROWS : CHANGES_STREAM_PAGE_ROWS;
          for (let piece = await next(rows); piece; piece = await next(rows)) {
            const form = { format, objects: "VARCHAR", rowsOnly: at > 0 } as const;
            const file = await lake.ledgerOut(piece, form, { signal });
            if (file && file.rows > 0) return file;
            await file?.discard();
          }
          return undefined;
        },
      });
      isEmpty = lines === null;
      return lines;
    },
    get notes() {
      return { warnings: [...warnings, ...(isEmpty ? ifEmpty([], "nothing_there", nothing) : [])] };
    },
  };
}

/** The place after the last row of a page that ends before its range does. */
// Commit 7 has 1,000 changes: a first page of 10 from 6 on ends at 6 with after_row 10, the next one at 20.
function placeAfter(data: readonly Change[], { since, after_row }: { since: number; after_row: number }) {
  const last = data.at(-1);
  if (last === undefined) return { cursor: since, after_row };
  if (last.cursor === last.data_version) return { cursor: last.cursor, after_row: 0 };
  const own = data.filter(({ data_version }) => data_version === last.data_version).length;
  // All rows before it in the same commit were sent by the pages before.
  if (own === data.length) return { cursor: since, after_row: after_row + own };
  return { cursor: last.cursor, after_row: own };
}

/** Answers GET /changes. */
export function changePages({ lake }: Pick<ChangesDeps, "lake">, requests: ChangeRequests) {
  return async (query: ChangesQuery, signal: AbortSignal): Promise<Answer<ChangesAnswer>> => {
    const { since = 0, after_row = 0, limit = 1_000, op, cause, compact = false, format = "json" } = query;
    if (after_row > 0 && (compact || format !== "json"))
      throw new InvalidRequest("bad_request", "after_row counts in JSON without compact.", {
        hint: "Row formats, and pages with compact=true, end with a whole commit.",
      });
    await requests.demandVersion("since", since);
    const { rows, warnings } = requests.askedRows(query);
    const range = { from: since, ...rows };
    const { to, newest } = await lake.ledgerEnd({ ...range, rows: after_row + limit }, { signal });
    const request = { ...range, to, op, cause, lastUpTo: compact ? newest : undefined };
    const has_more = to < newest;
    const nothing = `No commit after ${since} up to ${to} changed such a row${requests.about(query.symbol)}.`;
    const body = async (): Promise<ChangesAnswer> => {
      if (limit > LEDGER_JSON_ROWS_MAX)
        throw new InvalidRequest("bad_request", `limit is at most ${LEDGER_JSON_ROWS_MAX} in JSON.`, {
          hint: "Ask for format=ndjson, csv or parquet.",
        });
      // A later commit may take rows out of a compact page, so that none can be counted there.
      const part = compact ? undefined : { after: after_row, rows: limit, bytes: LEDGER_JSON_BYTES };
      const { changes: data, isCut } = await lake.ledgerPart({ ...request, part }, { signal });
      const end = isCut ? placeAfter(data, { since, after_row }) : { cursor: to, after_row: 0 };
      return {
        count: data.length,
        limit,
        cursor: end.cursor,
        after_row: end.after_row,
        has_more: isCut || has_more,
        data_version: newest,
        store: lake.lineOf(newest),
        oldest_version: lake.oldestVersion(),
        warnings: [...warnings, ...ifEmpty(data, "nothing_there", nothing)],
        data,
      };
    };
    return new Answer(body, {
      table: async () => changeTable(lake, request, { nothing, warnings }, signal),
      page: { total: null, next: has_more ? { since: to } : null },
    });
  };
}
