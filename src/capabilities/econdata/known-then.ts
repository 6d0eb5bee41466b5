// The fields of a provider's rows under a past moment. FRED keeps vintages of observations, titles, units and
// relations, but overwrites the fields below. Pure.
import { isFields } from "../../platform/upstream/json-place.ts";

/** Fields that FRED overwrites whenever it likes: nothing says since when they have their values. */
const OVERWRITTEN = ["popularity", "group_popularity", "series_count", "notes"] as const;
/** Fields that change with an update of the series, whose moment is the first of them. */
const UPDATED = ["last_updated", "observation_start", "observation_end"] as const;
/** Orders of lists that tell the values of such fields. */
export const ORDERS_OF_TODAY: ReadonlySet<string> = new Set([...OVERWRITTEN, ...UPDATED, "created"]);

/** FRED's instant, such as `2023-03-30 07:54:21-05`, in epoch milliseconds; NaN for anything else. */
const stampMs = (text: unknown): number =>
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d\d$/.test(String(text))
    ? Date.parse(`${String(text).replace(" ", "T")}:00`)
    : Number.NaN;

/** Null for what a row has and the moment may not have known. */
// Made up: last updated on 30 March with data to January: as of 1 April all three are as given, as of 1 March
// they are null.
function hidden(row: Readonly<Record<string, unknown>>, atMs: number): Record<string, null> {
  const late = stampMs(row.last_updated) <= atMs ? [] : UPDATED;
  const made = row.created === undefined || stampMs(row.created) <= atMs ? [] : ["created"];
  const names = [...OVERWRITTEN, ...late, ...made].filter((name) => (row[name] ?? null) !== null);
  return Object.fromEntries(names.map((name) => [name, null]));
}

/** The answer as a moment knew it, and which fields of its rows are null for that. */
export function knownThen(body: Readonly<Record<string, unknown>>, atMs: number) {
  const fields = new Set<string>();
  const rowThen = (row: unknown) => {
    if (!isFields(row)) return row;
    const without = hidden(row, atMs);
    for (const name of Object.keys(without)) fields.add(name);
    return { ...row, ...without };
  };
  const lists = Object.entries(body).flatMap(([name, list]) =>
    Array.isArray(list) && name !== "observations" ? [[name, list.map(rowThen)] as const] : [],
  );
  return { body: { ...body, ...Object.fromEntries(lists) }, fields: [...fields].sort() };
}
