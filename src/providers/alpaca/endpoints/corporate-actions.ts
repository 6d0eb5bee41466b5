// GET /v1/corporate-actions: splits, dividends and other events that change a price.
import { isDate } from "../../../market/date.ts";
import type { AlpacaClient, Decoded } from "../client.ts";
import { fieldsOf, itemsOf, numberOf, shapeChanged, textOf } from "../wire.ts";

/** An action as the feed lists it. `other` changes the price in ways providers treat differently (spin-off, stock dividend). */
export interface ListedAction {
  /** In the feed's spelling. */
  readonly symbol: string;
  readonly kind: "split" | "dividend" | "other";
  readonly ex_date: string;
  /** Cash per share as declared; null except for dividends. */
  readonly rate: number | null;
  readonly currency: string;
  /** New shares for `denominator` old ones; null except for splits. */
  readonly numerator: number | null;
  readonly denominator: number | null;
}

const TYPES = "forward_split,reverse_split,stock_dividend,spin_off,cash_dividend";
const PAGE_MAX = 1_000;

function exDate(row: Readonly<Record<string, unknown>>, path: string): string {
  const date = textOf(row.ex_date, `${path}.ex_date`);
  if (!isDate(date)) throw shapeChanged(`${path}.ex_date`, "a day");
  return date;
}

function above0(value: unknown, path: string): number {
  const number = numberOf(value, path);
  if (number === null || number <= 0) throw shapeChanged(path, "above 0");
  return number;
}

type Read = (row: Readonly<Record<string, unknown>>, path: string) => ListedAction;

const split: Read = (row, path) => ({
  symbol: textOf(row.symbol, `${path}.symbol`),
  kind: "split",
  ex_date: exDate(row, path),
  rate: null,
  currency: "USD",
  numerator: above0(row.new_rate, `${path}.new_rate`),
  denominator: above0(row.old_rate, `${path}.old_rate`),
});
const dividend: Read = (row, path) => ({
  symbol: textOf(row.symbol, `${path}.symbol`),
  kind: "dividend",
  ex_date: exDate(row, path),
  rate: above0(row.rate, `${path}.rate`),
  currency: typeof row.currency === "string" && row.currency !== "" ? row.currency : "USD",
  numerator: null,
  denominator: null,
});
const other =
  (name: "symbol" | "source_symbol"): Read =>
  (row, path) => ({
    symbol: textOf(row[name], `${path}.${name}`),
    kind: "other",
    ex_date: exDate(row, path),
    rate: null,
    currency: "USD",
    numerator: null,
    denominator: null,
  });

const GROUPS: readonly (readonly [group: string, read: Read])[] = [
  ["forward_splits", split],
  ["reverse_splits", split],
  ["cash_dividends", dividend],
  ["stock_dividends", other("symbol")],
  ["spin_offs", other("source_symbol")],
];

interface ActionsPage {
  readonly actions: ListedAction[];
  readonly next: string | null;
}

/** Reads one page: the actions that change prices, and the token of the next page. */
export function readActionsPage(body: unknown): ActionsPage {
  const fields = fieldsOf(body, "corporate_actions");
  const groups = fieldsOf(fields.corporate_actions ?? {}, "corporate_actions");
  const actions = GROUPS.flatMap(([group, read]) =>
    itemsOf(groups[group], group).map((row, i) => {
      const path = `${group}[${i}]`;
      return read(fieldsOf(row, path), path);
    }),
  );
  const token = fields.next_page_token;
  return { actions, next: typeof token === "string" && token !== "" ? token : null };
}

/**
 * Fetches the actions of symbols by the day they are processed. For a dividend that is the payment day, weeks after its
 * ex date, so `end` must lie far enough ahead.
 */
export async function askActions(
  ask: AlpacaClient,
  symbols: readonly string[],
  start: string,
  end: string,
  signal?: AbortSignal,
): Promise<ListedAction[]> {
  const query = {
    symbols: symbols.join(","),
    types: TYPES,
    start,
    end,
    limit: String(PAGE_MAX),
    sort: "asc",
  };
  const actions: ListedAction[] = [];
  const seen = new Set<string>();
  let token: string | null = null;
  do {
    const { content: page }: Decoded<ActionsPage> = await ask.get(
      "/v1/corporate-actions",
      token === null ? query : { ...query, page_token: token },
      (body) => {
        const read = readActionsPage(body);
        if (read.next !== null && seen.has(read.next))
          throw shapeChanged("next_page_token", "another than before");
        return read;
      },
      signal,
    );
    actions.push(...page.actions);
    token = page.next;
    if (token !== null) seen.add(token);
  } while (token !== null);
  return actions;
}
