// Runs a query through the service's one door for SQL.
import type { QueryAnswer } from "../capabilities/sql/schema.ts";
import { ask, download, pathOf } from "./api.ts";
import { clockOf } from "./links.ts";

export type Answer = QueryAnswer;

export interface Ran {
  readonly answer: Answer;
  /** The version of the store that was read; null where the service names none. */
  readonly version: string | null;
  /** The moment that the service answered as of, where it was asked for one. */
  readonly asOf: string | null;
  readonly milliseconds: number;
}

const PATH = "/sql/admin/query";

/** Returns the body of a request: the query under the clock of the page. */
const bodyOf = (query: string, limit: number) => ({
  query,
  limit,
  ...Object.fromEntries(Object.entries(clockOf()).filter(([, value]) => value !== null)),
});

export async function runSql(query: string, limit: number, signal: AbortSignal): Promise<Ran> {
  const began = performance.now();
  const response = await ask(PATH, { body: bodyOf(query, limit), signal });
  const answer = (await response.json()) as Answer;
  return {
    answer,
    version: response.headers.get("x-data-version"),
    asOf: response.headers.get("x-as-of") ?? clockOf().as_of,
    milliseconds: performance.now() - began,
  };
}

export type FileFormat = "csv" | "parquet";

/** The address of the answer as a file, for another program. */
export const fileAddress = (query: string, limit: number, format: FileFormat): string =>
  `/api/v1${pathOf(PATH, { ...bodyOf(query, limit), format })}`;

const TYPES: Readonly<Record<FileFormat, string>> = {
  csv: "text/csv",
  parquet: "application/vnd.apache.parquet",
};

/** Saves the same file. */
export const saveFile = (query: string, limit: number, format: FileFormat): Promise<void> =>
  download(PATH, `query.${format}`, { body: bodyOf(query, limit), accept: TYPES[format] });
