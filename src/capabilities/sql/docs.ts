// OpenAPI description of SQL queries.
import { SQL_ANSWER_BYTES_MAX, SQL_MEMORY_MB_MAX, SQL_SECONDS_MAX } from "../../limits.ts";
import { documented } from "../../platform/route-doc.ts";
import { QueryAnswer } from "./schema.ts";

export const QUERY = documented({
  tag: "database",
  summary: "Run one SQL query on the lake",
  description: `Runs a single SELECT in a process of its own, which can read the files of the lake and nothing else and is ended after ${SQL_SECONDS_MAX} s, with more than ${SQL_MEMORY_MB_MAX} MB or with an answer of more than ${SQL_ANSWER_BYTES_MAX / 1e6} MB. Tables and macros are those of docs/catalogue.md. as_of freezes all of them: every table has only the rows that the world knew then, prices and amounts on the basis of then, so that no query can see later data. Times at which this installation worked (fetched_at, indexed_at, parsed_at) stay as they are.`,
  answer: QueryAnswer,
  tabular: true,
  answerDescription: "The result.",
  errors: ["query_refused", "query_limit", 401, 403, 503],
});
