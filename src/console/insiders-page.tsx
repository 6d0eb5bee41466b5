// Trades of a company's insiders, newest filing first.

import { useSignal } from "@preact/signals";
import type { Transaction as Trade } from "../capabilities/insider/schema.ts";
import { underClock } from "./answer.ts";
import { asFiled, filedCell, percent, whole } from "./cells.tsx";
import { withParameters } from "./links.ts";
import { type ListColumn, ListTable, options, Panel } from "./panel-parts.tsx";

const PAGE_ROWS = 500;
const WINDOWS = [
  [90, "90 days"],
  [365, "1 year"],
  [800, "800 days"],
  [1_825, "5 years"],
  [3_650, "10 years"],
] as const;
const WINDOW = 800;

const columnsFor = (ticker: string): readonly ListColumn<Trade>[] => [
  { name: "known from", isProse: true, isExtra: true, cell: (row) => filedCell(row, ticker) },
  { name: "owner", isProse: true, cell: ({ owner_name }) => owner_name },
  {
    name: "trade",
    cell: ({ transaction_type, transaction_code }) => `${transaction_type} (${transaction_code ?? "–"})`,
  },
  { name: "on", isExtra: true, cell: ({ transaction_date }) => transaction_date },
  { name: "shares", isFigure: true, isExtra: true, cell: ({ shares }) => asFiled(shares) },
  {
    name: "price",
    isFigure: true,
    isExtra: true,
    title: "Per share, as filed",
    cell: ({ price_per_share }) => asFiled(price_per_share),
  },
  {
    name: "value",
    isFigure: true,
    isExtra: true,
    title: "Shares × price",
    cell: ({ transaction_value }) => whole(transaction_value),
  },
  {
    name: "owned after",
    isFigure: true,
    isExtra: true,
    title: "Shares held after the trade, as filed",
    cell: ({ shares_owned_after }) => asFiled(shares_owned_after),
  },
  {
    name: "role",
    isProse: true,
    isExtra: true,
    cell: ({ officer_title, owner_relationship }) => officer_title ?? owner_relationship,
  },
  {
    name: "of holding",
    isFigure: true,
    isExtra: true,
    title: "A purchase relative to the shares held before it",
    cell: ({ purchase_pct_of_holding }) => percent(purchase_pct_of_holding),
  },
  {
    name: "10b5-1",
    isExtra: true,
    title: "Whether the filing says that the trade followed a plan",
    cell: ({ is_10b5_1 }) => (is_10b5_1 === null ? null : is_10b5_1 ? "plan" : "no plan"),
  },
  { name: "security", isProse: true, isExtra: true, cell: ({ security_title }) => security_title },
];

interface Asked {
  readonly days: number;
  readonly isBuyOnly: boolean;
}

function askedOf(search: string): Asked {
  const query = new URLSearchParams(search);
  const days = WINDOWS.find(([each]) => each === Number(query.get("window_days")))?.[0] ?? WINDOW;
  return { days, isBuyOnly: query.get("buy_only") === "true" };
}

const NO_PURCHASE =
  "No purchase of an insider was public in this span; other trades are listed without the tick.";

export function InsidersPage({ ticker, moment }: { ticker: string; moment: string }) {
  const asked = useSignal(askedOf(location.search));
  const show = (next: Asked) => {
    asked.value = next;
    history.replaceState(
      null,
      "",
      withParameters({
        window_days: next.days === WINDOW ? null : String(next.days),
        buy_only: next.isBuyOnly ? "true" : null,
      }),
    );
  };
  const { days, isBuyOnly } = asked.value;
  const path = underClock(`/insider/form4/${encodeURIComponent(ticker)}`, {
    as_of: moment,
    window_days: days,
    buy_only: isBuyOnly,
    limit: PAGE_ROWS,
  });
  return (
    <Panel id="insiders" title="Trades of insiders">
      <p class="quiet">Prices and values are as filed; the forms name no currency.</p>
      <p class="actions">
        <label>
          Traded within{" "}
          <select
            id="window"
            value={String(days)}
            onChange={({ currentTarget }) => show({ days: Number(currentTarget.value), isBuyOnly })}
          >
            {options(WINDOWS)}
          </select>
        </label>
        <label>
          <input
            id="buys"
            type="checkbox"
            checked={isBuyOnly}
            onChange={({ currentTarget }) => show({ days, isBuyOnly: currentTarget.checked })}
          />{" "}
          Only purchases on the market
        </label>
      </p>
      <ListTable
        label="Trades of insiders"
        path={path}
        columns={columnsFor(ticker)}
        empty={isBuyOnly ? NO_PURCHASE : "No trade of an insider was public in this span."}
      />
    </Panel>
  );
}
