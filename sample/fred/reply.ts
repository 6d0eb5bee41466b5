// How FRED words its answers: envelopes, paging, refusals with two spaces, and XML for requests that do not
// name JSON.
import type { Reply } from "../wire.ts";

/** A refusal, as thrown by whatever reads a request. */
export class Refusal extends Error {
  constructor(
    readonly description: string,
    readonly status = 400,
  ) {
    super(description);
  }
}

export const refuse = (description: string): never => {
  throw new Refusal(`Bad Request.  ${description}`);
};

const escaped = (text: unknown) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/** Attributes of an object; lists in it become children. */
function element(name: string, value: Readonly<Record<string, unknown>>): string {
  const attributes: string[] = [];
  const children: string[] = [];
  for (const [key, each] of Object.entries(value)) {
    if (Array.isArray(each))
      for (const item of each)
        children.push(
          typeof item === "object"
            ? element(key.replace(/(ies)$/, "y").replace(/s$/, ""), item)
            : `<${key.replace(/s$/, "")}>${escaped(item)}</${key.replace(/s$/, "")}>`,
        );
    else attributes.push(` ${key}="${escaped(each)}"`);
  }
  const open = `<${name}${attributes.join("")}`;
  return children.length === 0 ? `${open}/>` : `${open}>\n${children.join("\n")}\n</${name}>`;
}

/** `left`: requests left of the minute's 120. */
export function replyOf(
  status: number,
  body: Readonly<Record<string, unknown>>,
  json: boolean,
  left: number,
): Reply {
  const headers = {
    "content-type": json ? "application/json; charset=UTF-8" : "text/xml; charset=UTF-8",
    "cache-control": "max-age=0, no-cache",
    "x-rate-limit-limit": "120",
    "x-rate-limit-remaining": String(left),
  };
  if (json) return { status, headers, body: JSON.stringify(body).replaceAll("/", "\\/") };
  const { error_code, error_message } = body;
  const root = Object.keys(body).find((key) => Array.isArray(body[key])) ?? "answer";
  const xml =
    error_code === undefined
      ? element(root, body)
      : `<error code="${escaped(error_code)}" message="${escaped(error_message)}"/>`;
  return { status, headers, body: `<?xml version="1.0" encoding="utf-8" ?>\n${xml}\n` };
}

/** A whole number of the query within bounds. */
export function wholeOf(query: URLSearchParams, name: string, preset: number, max: number, min = 0): number {
  const text = query.get(name);
  if (text === null) return preset;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max)
    refuse(`The value for variable ${name} is not an integer between ${min} and ${max}.`);
  return value;
}

export interface Listing {
  readonly orderBy: string;
  readonly limitMax: number;
  readonly descending?: boolean;
}

/** The page of a list, with what FRED says of it. */
export function page<T>(
  query: URLSearchParams,
  rows: readonly T[],
  { orderBy, limitMax, descending }: Listing,
) {
  const limit = wholeOf(query, "limit", limitMax, limitMax, 1);
  const offset = wholeOf(query, "offset", 0, 1_000_000_000);
  const sort = query.get("sort_order") ?? (descending ? "desc" : "asc");
  if (sort !== "asc" && sort !== "desc")
    refuse("Variable sort_order is not one of the values: 'asc', 'desc'.");
  const ordered = (sort === "desc") === (descending ?? false) ? rows : rows.toReversed();
  return {
    facts: {
      order_by: query.get("order_by") ?? orderBy,
      sort_order: sort,
      count: rows.length,
      offset,
      limit,
    },
    rows: ordered.slice(offset, offset + limit),
  };
}
