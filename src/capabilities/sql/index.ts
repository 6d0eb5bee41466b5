// SQL queries of the admin over HTTP.
import { type AnyElysia, Elysia, type Static } from "elysia";
import {
  SERVER_BUSY_RETRY_S,
  SQL_ANSWER_BYTES_MAX,
  SQL_AT_ONCE_MAX,
  SQL_MEMORY_MB_MAX,
  SQL_SECONDS_MAX,
} from "../../limits.ts";
import { ifEmpty } from "../../market/absence.ts";
import { asOfInstant } from "../../market/known-at.ts";
import { Answer } from "../../platform/answer.ts";
import { fits, tableOfRows } from "../../platform/cells.ts";
import { Busy } from "../../platform/errors.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import { currentReading } from "../../platform/reading.ts";
import { documented } from "../../platform/route-doc.ts";
import type { Table, TableColumnType } from "../../platform/table.ts";
import type { QueryResult } from "./exchange.ts";
import type { RunQuery } from "./run-query.ts";
import { defaultRows, QueryAnswer, QueryRequest } from "./schema.ts";

const QUERY = documented({
  tag: "database",
  summary: "Run one SQL query on the lake",
  description: `Runs a single SELECT in a process of its own, which can read the files of the lake and nothing else and is ended after ${SQL_SECONDS_MAX} s, with more than ${SQL_MEMORY_MB_MAX} MB or with an answer of more than ${SQL_ANSWER_BYTES_MAX / 1e6} MB. Tables and macros are those of docs/catalogue.md. as_of freezes all of them: every table has only the rows that the world knew then, prices and amounts on the basis of then, so that no query can see later data. Times at which this installation worked (fetched_at, indexed_at, parsed_at) stay as they are.`,
  answer: QueryAnswer,
  tabular: true,
  answerDescription: "The result.",
  errors: ["query_refused", "query_limit", 401, 403, 503],
});

export { queryRunner, type RunQuery } from "./run-query.ts";

export interface SqlDeps {
  readonly runQuery: RunQuery;
  readonly lake: Pick<Lake, "damagedFor">;
  /** Guards the routes. */
  readonly admin: AnyElysia;
}

const COLUMN_TYPES: Readonly<Record<string, TableColumnType>> = {
  BOOLEAN: "BOOLEAN",
  DATE: "DATE",
  "TIMESTAMP WITH TIME ZONE": "TIMESTAMPTZ",
  FLOAT: "DOUBLE",
  DOUBLE: "DOUBLE",
};
const WHOLE = /^U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?$/;

const columnType = (type: string): TableColumnType => {
  if (WHOLE.test(type)) return "BIGINT";
  return COLUMN_TYPES[type] ?? (type.startsWith("DECIMAL") ? "DOUBLE" : "VARCHAR");
};

/** The type of a column of a table. A column with numbers or days that are too long is one of texts. */
function fileType(type: string, values: readonly unknown[]): TableColumnType {
  const found = columnType(type);
  return values.every((value) => fits(found, value)) ? found : "VARCHAR";
}

function* resultRows({ columns, rows }: QueryResult): Generator<unknown[]> {
  for (let row = 0; row < rows; row++) yield columns.map((column) => column[row] ?? null);
}

function tableOf(result: QueryResult): Table {
  const types = result.types.map((type, i) => fileType(type, result.columns[i] ?? []));
  const asText = (value: unknown) =>
    value === null || typeof value === "string" ? value : JSON.stringify(value);
  const columns = result.names.map((name, i) => ({ name, type: types[i] ?? "VARCHAR" }));
  return tableOfRows("query", columns, function* () {
    for (const row of resultRows(result))
      yield row.map((value, i) => (types[i] === "VARCHAR" ? asText(value) : value));
  });
}

function bodyOf(result: QueryResult): QueryAnswer {
  const data = [...resultRows(result)].map((row) =>
    Object.fromEntries(result.names.map((name, i) => [name, row[i]])),
  );
  return {
    count: result.rows,
    truncated: result.cut,
    columns: result.names.map((name, i) => ({ name, type: result.types[i] ?? "" })),
    data,
    warnings: [
      ...(result.cut
        ? [
            `The result has more than these ${result.rows} rows; raise limit, or ask for a part with LIMIT and OFFSET.`,
          ]
        : []),
      ...ifEmpty(
        data,
        "nothing_there",
        "No stored row fits the query. What was never read is not in the store: GET /database/coverage shows what is.",
      ),
    ],
  };
}

/** Builds the routes below /sql. */
export function sql({ runQuery, lake, admin }: SqlDeps) {
  let running = 0;
  const answer = async (asked: Static<typeof QueryRequest>, signal: AbortSignal) => {
    if (running >= SQL_AT_ONCE_MAX)
      throw new Busy("server_busy", `${SQL_AT_ONCE_MAX} queries are running already, the most at once.`, {
        retryAfterS: SERVER_BUSY_RETRY_S,
      });
    running += 1;
    try {
      const { query, as_of, limit = defaultRows } = asked;
      const reading = currentReading();
      const { version = null, now = null } = reading?.replay ?? {};
      const without = await lake.damagedFor(query);
      const result = await runQuery(
        { sql: query, asOf: asOfInstant(as_of), version, now, rowsMax: limit, without },
        signal,
      );
      reading?.saw(result.version, result.version);
      const body = bodyOf(result);
      return new Answer(() => body, { table: { ...tableOf(result), notes: { warnings: body.warnings } } });
    } finally {
      running -= 1;
    }
  };
  const routes = new Elysia({ name: "sql", prefix: "/sql" })
    .use(admin)
    .get("/admin/query", ({ query, request }) => answer(query, request.signal), {
      query: QueryRequest,
      detail: QUERY,
    })
    .post("/admin/query", ({ body, request }) => answer(body, request.signal), {
      body: QueryRequest,
      detail: QUERY,
    });
  return { routes };
}
