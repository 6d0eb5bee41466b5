// Asks the service for a call, and makes the result of its answer.
import { newYorkDate } from "../../market/calendar.ts";
import type { Moment } from "./moment.ts";
import { type Arguments, type Plan, planOf } from "./plan.ts";
import {
  FOREIGN_TEXT,
  fitted,
  type Refusal,
  type Result,
  type Rows,
  refused,
  rowsOf,
  TOKENS_DEFAULT,
} from "./result.ts";
import { linesAsked, type Statements, statementRows } from "./statement-rows.ts";

/** Asks a path of the service, below its root, with the rights of the caller. */
export type Ask = (path: string) => Promise<Response>;

interface Problem {
  readonly code?: string;
  readonly detail?: string | readonly { readonly loc: readonly string[]; readonly msg: string }[];
  readonly hint?: string;
  readonly absence?: string;
}

/** Codes that say what an answer lacks; the reason of others is the code itself. */
const REASONS: Readonly<Record<string, string>> = { route_not_found: "nothing_there" };
const OUTAGES = new Set([502, 504]);

function refusalOf(status: number, { code = "error", detail, hint, absence }: Problem): Refusal {
  const isField = Array.isArray(detail);
  const text = isField
    ? detail.map(({ loc, msg }) => `${loc.slice(1).join(".")}: ${msg}`).join("; ")
    : String(detail);
  const reason = isField
    ? "bad_request"
    : OUTAGES.has(status)
      ? "outage"
      : (absence ?? REASONS[code] ?? code);
  return { reason, detail: text, ...(hint === undefined ? {} : { hint }) };
}

/** The reason of an answer without rows: the one that its warnings begin with. */
function emptyReason(warnings: readonly string[]): Refusal {
  const known = ["outage", "not_read", "nothing_there"];
  const found = warnings.flatMap((text) => known.filter((reason) => text.startsWith(`${reason}:`)));
  const reason = known.find((each) => found.includes(each)) ?? "nothing_there";
  return { reason, detail: warnings.join(" ") || "Nothing known then matches." };
}

const FILES = "The kind documents lists the files of a filing: give one as file.";
const TEXT_PART_CHARS = 6_000;

function partOf(text: string, part: number): Rows {
  const parts = Math.max(1, Math.ceil(text.length / TEXT_PART_CHARS));
  const from = (part - 1) * TEXT_PART_CHARS;
  return {
    columns: ["part", "parts", "text"],
    rows: [[part, parts, text.slice(from, from + TEXT_PART_CHARS)]],
  };
}

/** The result of a query with every column, also one that is null in all rows. */
function sqlRows(body: {
  columns: readonly { name: string }[];
  data: readonly Record<string, unknown>[];
}): Rows {
  const columns = body.columns.map(({ name }) => name);
  return { columns, rows: body.data.map((row) => columns.map((name) => row[name] ?? null)) };
}

interface Named {
  readonly name: string;
  readonly call?: string;
  readonly description: string;
}

/** The tables and macros that a query can name. */
const catalogueRows = (body: { datasets: readonly Named[]; macros: readonly Named[] }): Rows => ({
  columns: ["name", "description"],
  rows: [...body.datasets, ...body.macros].map(({ name, call, description }) => [call ?? name, description]),
});

interface Found {
  readonly rows: Rows;
  readonly warnings: readonly string[];
}

/** The rows of the asked lines, with a warning for each that no statement has. */
function statementsFound(body: Statements, lines: string, warnings: readonly string[]): Found {
  const rows = statementRows(body, lines);
  const has = new Set(rows.rows.map(([line]) => line));
  const asked = lines.trim() === "" ? [] : linesAsked(lines);
  const unknown = asked.filter((line) => !has.has(line));
  return { rows, warnings: [...unknown.map((line) => `No statement here has a line ${line}.`), ...warnings] };
}

async function foundIn(response: Response, plan: Plan, args: Arguments): Promise<Found> {
  const inHeader: readonly string[] = JSON.parse(response.headers.get("x-warnings") ?? "[]");
  const errors: Readonly<Record<string, string>> = JSON.parse(response.headers.get("x-errors") ?? "{}");
  const ofErrors = Object.entries(errors).map(([ticker, text]) => `${ticker}: ${text}`);
  const warnings = [...inHeader, ...ofErrors];
  if (plan.shape === "text") return { rows: partOf(await response.text(), Number(args.part ?? 1)), warnings };
  const body = (await response.json()) as { warnings?: readonly string[]; data?: never };
  const own = Array.isArray(body) ? [] : (body.warnings ?? []);
  if (plan.shape === "statements")
    return statementsFound(body as never, String(args.lines ?? ""), [...own, ...warnings]);
  if (plan.shape === "sql") return { rows: sqlRows(body as never), warnings: [...own, ...warnings] };
  if (plan.shape === "catalogue") return { rows: catalogueRows(body as never), warnings };
  const records = plan.shape === "one" ? [body] : body;
  return { rows: rowsOf(records as never, plan.columns), warnings: [...own, ...warnings] };
}

/** The address of a request as of a moment. */
function addressOf({ path, query }: Plan, asOf: string | null): string {
  const given = Object.entries({ ...query, ...(asOf === null ? {} : { as_of: asOf }) });
  const fields = given.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return `/api/v1/${path}?${new URLSearchParams(fields as [string, string][])}`;
}

/** Answers a call of a tool as of its moment. Throws BadCall where the arguments lack something. */
export async function answerCall(
  tool: string,
  args: Arguments,
  { ask, momentOf }: { readonly ask: Ask; momentOf(): Moment },
): Promise<Result> {
  const plan = planOf(tool, args, newYorkDate(momentOf().at));
  if (momentOf().isNow && plan.knownFromFetch) await (await ask(addressOf(plan, null))).arrayBuffer();
  const { at, isNow } = momentOf();
  const as_of = at.toString({ smallestUnit: "millisecond" });
  if (plan.nowOnly && !isNow)
    return refused(
      { as_of, data_version: null },
      {
        reason: "not_as_of",
        detail: "It is about now alone: it has no past.",
        hint: 'Ask with as_of "now".',
      },
    );
  const response = await ask(addressOf(plan, plan.nowOnly || plan.shape === "catalogue" ? null : as_of));
  const version = response.headers.get("x-data-version");
  const around = { as_of, data_version: version === null ? null : Number(version) };
  if (!response.ok) {
    const refusal = refusalOf(response.status, (await response.json()) as Problem);
    const isUnnamed = plan.shape === "text" && args.file === undefined;
    return refused(around, isUnnamed ? { ...refusal, hint: FILES } : refusal);
  }
  const { rows, warnings } = await foundIn(response, plan, args);
  if (rows.rows.length === 0) return refused(around, emptyReason(warnings));
  const total = Number(response.headers.get("x-total-count") ?? rows.rows.length);
  return fitted(rows, {
    ...around,
    warnings,
    maxTokens: Number(args.max_tokens ?? TOKENS_DEFAULT),
    more: Math.max(0, total - rows.rows.length),
    ...(plan.foreignText ? { notice: FOREIGN_TEXT } : {}),
  });
}
