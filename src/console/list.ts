// A list answer read page by page.
import { useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { asked } from "./answer.ts";
import { returns } from "./connection.ts";

export interface ListPage<T> {
  readonly count: number;
  readonly total?: number | null;
  readonly has_more?: boolean;
  /** Of the ledger: the `since` of the next page, and how many rows after it this page has. */
  readonly cursor?: number;
  readonly after_row?: number;
  readonly warnings?: readonly string[];
  readonly data: readonly T[];
}

/** The address of the page behind the rows that are there. */
function nextPage(path: string, { rows, cursor, afterRow }: ShownList<unknown>): string {
  if (rows.length === 0) return path;
  const [route = "", query = ""] = path.split("?");
  const parameters = new URLSearchParams(query);
  if (cursor === null) parameters.set("offset", String(rows.length));
  else parameters.set("since", String(cursor));
  if (afterRow > 0) parameters.set("after_row", String(afterRow));
  return `${route}?${parameters}`;
}

export interface ShownList<T> {
  readonly at: "loading" | "ready" | "failed";
  readonly rows: readonly T[];
  /** How many pages these rows came in. */
  readonly pages: number;
  readonly total: number | null;
  readonly hasMore: boolean;
  readonly cursor: number | null;
  readonly afterRow: number;
  readonly warnings: readonly string[];
  readonly error: unknown;
}

const EMPTY = {
  at: "loading",
  rows: [],
  pages: 0,
  total: null,
  hasMore: false,
  cursor: null,
  afterRow: 0,
  warnings: [],
  error: null,
} as const;

const added = <T>(before: ShownList<T>, page: ListPage<T>): ShownList<T> => ({
  at: "ready",
  rows: [...before.rows, ...page.data],
  pages: before.pages + 1,
  total: page.total ?? null,
  hasMore: page.has_more ?? false,
  cursor: page.cursor ?? null,
  afterRow: page.after_row ?? 0,
  warnings: [...new Set([...before.warnings, ...(page.warnings ?? [])])],
  error: null,
});

/**
 * The rows of a path, from its first page on, and what reads the next one. Rows that are there stay when that
 * fails.
 */
export function useList<T>(path: string | null) {
  const list = useSignal<ShownList<T>>(EMPTY);
  const round = returns.value;
  const read = async (before: ShownList<T>) => {
    list.value = { ...before, at: "loading", error: null };
    const mine = list.value;
    try {
      const page = await asked<ListPage<T>>(nextPage(String(path), before));
      if (list.value === mine) list.value = added(before, page);
    } catch (error) {
      if (list.value === mine) list.value = { ...before, at: "failed", error };
    }
  };
  useLayoutEffect(() => {
    if (path !== null) void read(EMPTY);
  }, [path, round]);
  return { list, more: () => void read(list.value) };
}
