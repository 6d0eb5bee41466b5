// GET /v1/corporate-actions: splits, dividends and other events that change a price.
import { isDate } from "../../../market/date.ts";
import type { AlpacaClient, Decoded } from "../client.ts";
import { fieldsOf, itemsOf, numberOf, requiredText, shapeChanged } from "../wire.ts";

/**
 * An action as the feed lists it. `other` changes the price in ways providers treat differently (spin-off,
 * stock dividend).
 */
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
/**
 * Actions are listed by the day they are processed, for dividends the payment day, which follows the ex date
 * by at most this.
 */
// A dividend with ex date 1 March 2026 is found if it is paid by 5 April 2027.
export const PAID_WITHIN_DAYS = 400;

function exDate(row: Readonly<Record<string, unknown>>, path: string): string {
  const date = requiredText(row.ex_date, `${path}.ex_date`);
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
  symbol: requiredText(row.symbol, `${path}.symbol`),
  kind: "split",
  ex_date: exDate(row, path),
  rate: null,
  currency: "USD",
  numerator: above0(row.new_rate, `${path}.new_rate`),
  denominator: above0(row.old_rate, `${path}.old_rate`),
});
const dividend: Read = (row, path) => ({
  symbol: requiredText(row.symbol, `${path}.symbol`),
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
    symbol: requiredText(row[name], `${path}.${name}`),
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

interface ActionsPage<Action> {
  readonly actions: Action[];
  readonly next: string | null;
}

/** Reads one page with `read`, group by group; any other group is left out. */
function pageOf<Action>(
  body: unknown,
  read: (group: (typeof GROUPS)[number], row: unknown, path: string) => readonly Action[],
): ActionsPage<Action> {
  const fields = fieldsOf(body, "corporate_actions");
  const groups = fieldsOf(fields.corporate_actions ?? {}, "corporate_actions");
  const actions = GROUPS.flatMap((group) => {
    const [name] = group;
    return itemsOf(groups[name], name).flatMap((row, i) => read(group, row, `${name}[${i}]`));
  });
  const token = fields.next_page_token;
  return { actions, next: typeof token === "string" && token !== "" ? token : null };
}

/** Reads one page: the actions that change prices, and the token of the next page. */
export const readActionsPage = (body: unknown): ActionsPage<ListedAction> =>
  pageOf(body, ([, read], row, path) => [read(fieldsOf(row, path), path)]);

/** An action of the whole market's list: whose it is, and when. */
export type NamedAction = Pick<ListedAction, "symbol" | "kind" | "ex_date">;

const KINDS: Readonly<Record<string, ListedAction["kind"]>> = {
  forward_splits: "split",
  reverse_splits: "split",
  cash_dividends: "dividend",
};

/**
 * Reads one page of the whole market: of each action only its symbol and its ex date. A row without them is
 * left out, for it belongs to no symbol; the market has securities with a CUSIP alone.
 */
export const readMarketPage = (body: unknown): ActionsPage<NamedAction> =>
  pageOf(body, ([group], row, path) => {
    const { symbol, source_symbol, ex_date } = fieldsOf(row, path);
    const named = group === "spin_offs" ? source_symbol : symbol;
    if (typeof named !== "string" || typeof ex_date !== "string" || !isDate(ex_date)) return [];
    return [{ symbol: named, kind: KINDS[group] ?? "other", ex_date }];
  });

async function askPages<Action>(
  ask: AlpacaClient,
  query: Readonly<Record<string, string>>,
  read: (body: unknown) => ActionsPage<Action>,
  signal: AbortSignal | undefined,
): Promise<Action[]> {
  const paged = { ...query, types: TYPES, limit: String(PAGE_MAX), sort: "asc" };
  const actions: Action[] = [];
  const seen = new Set<string>();
  let token: string | null = null;
  do {
    const { content: page }: Decoded<ActionsPage<Action>> = await ask.get(
      "/v1/corporate-actions",
      token === null ? paged : { ...paged, page_token: token },
      (body) => {
        const found = read(body);
        if (found.next !== null && seen.has(found.next))
          throw shapeChanged("next_page_token", "another than before");
        return found;
      },
      signal,
    );
    actions.push(...page.actions);
    token = page.next;
    if (token !== null) seen.add(token);
  } while (token !== null);
  return actions;
}

/**
 * Fetches the actions of symbols by the day they are processed. For a dividend that is the payment day, weeks
 * after its ex date, so `end` must lie far enough ahead.
 */
export const askActions = (
  ask: AlpacaClient,
  symbols: readonly string[],
  start: string,
  end: string,
  signal?: AbortSignal,
): Promise<ListedAction[]> =>
  askPages(ask, { symbols: symbols.join(","), start, end }, readActionsPage, signal);

/** As `askActions`, of the whole market. */
export const askMarketActions = (
  ask: AlpacaClient,
  start: string,
  end: string,
  signal?: AbortSignal,
): Promise<NamedAction[]> => askPages(ask, { start, end }, readMarketPage, signal);
