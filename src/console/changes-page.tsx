// The ledger of changes: how many of which kind between two versions, and the changes themselves.

import { useSignal } from "@preact/signals";
import type {
  ChangeRow as Change,
  SummaryAnswer as Summary,
  SummaryAnswer,
} from "../capabilities/changes/schema.ts";
import { useAnswer } from "./answer.ts";
import { pathOf } from "./api.ts";
import { tickerCell, whole } from "./cells.tsx";
import { count, minute } from "./format.ts";
import { withParameters } from "./links.ts";
import { Answered, type ListColumn, ListTable, options, Panel, Rows, Warnings } from "./panel-parts.tsx";
import { StateLine } from "./state-line.tsx";

type Kind = SummaryAnswer["data"][number];

interface Asked {
  readonly from: string;
  readonly dataset: string;
  readonly symbol: string;
  readonly op: string;
}

const PAGE_ROWS = 500;
const OPS = ["", "insert", "revise", "reread", "withdraw"];
/** Columns that say when and how a row was stored, not what it states. */
const NOT_FACTS = new Set(["known_at", "recorded", "recorded_at", "fetched_at"]);

const text = (value: unknown): string =>
  value === null || value === undefined
    ? "null"
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);

/** The columns that differ, each with the values before and after. */
function differences({ before, after, key }: Change): string | null {
  if (before === null) return null;
  if (after === null) return "no longer holds";
  return Object.keys(after)
    .filter((name) => !(name in key || NOT_FACTS.has(name)) && text(before[name]) !== text(after[name]))
    .map((name) => `${name} ${text(before[name])} → ${text(after[name])}`)
    .join(", ");
}

const COLUMNS: readonly ListColumn<Change>[] = [
  { name: "version", isFigure: true, cell: ({ data_version }) => data_version },
  { name: "dataset", cell: ({ dataset }) => dataset },
  { name: "change", cell: ({ op }) => op },
  {
    name: "key",
    isProse: true,
    isExtra: true,
    cell: ({ key }) =>
      Object.entries(key)
        .map(([name, value]) => `${name} ${text(value)}`)
        .join(", "),
  },
  { name: "what differs", isProse: true, isExtra: true, cell: differences },
  { name: "cause", isExtra: true, cell: ({ cause }) => cause },
  { name: "symbol", isExtra: true, cell: ({ symbol }) => tickerCell(symbol) },
  {
    name: "known from",
    isProse: true,
    isExtra: true,
    cell: ({ known_at }) => (known_at === null ? null : minute(known_at)),
  },
  { name: "source", isExtra: true, cell: ({ source }) => source },
  {
    name: "stored",
    isProse: true,
    isExtra: true,
    cell: ({ recorded_at }) => (recorded_at === null ? null : minute(recorded_at)),
  },
];

const KINDS: readonly ListColumn<Kind>[] = [
  { name: "dataset", cell: ({ dataset }) => dataset },
  { name: "change", cell: ({ op }) => op },
  { name: "cause", isExtra: true, cell: ({ cause }) => cause },
  { name: "changes", isFigure: true, cell: ({ changes }) => whole(changes) },
];

const SYMBOLS: readonly ListColumn<Summary["symbols"][number]>[] = [
  { name: "symbol", cell: ({ symbol }) => tickerCell(symbol) },
  { name: "changes", isFigure: true, cell: ({ changes }) => whole(changes) },
];

function askedOf(search: string): Asked {
  const query = new URLSearchParams(search);
  const of = (name: string) => query.get(name) ?? "";
  return { from: of("from"), dataset: of("dataset"), symbol: of("symbol"), op: of("op") };
}

function SummaryPart({ asked }: { asked: Asked }) {
  const answer = useAnswer<Summary>(
    pathOf("/changes/summary", {
      from_version: asked.from,
      dataset: asked.dataset,
      symbol: asked.symbol,
    }),
  );
  return (
    <Answered answer={answer.value}>
      {({ from_version, to_version, total, data, symbols, warnings }) => (
        <>
          <p class="shown">
            {count(total)} changes after version {from_version}, up to {to_version}.
          </p>
          {data.length === 0 ? (
            <StateLine state="empty" text="Nothing changed." />
          ) : (
            <>
              <h3>By dataset and kind</h3>
              <Rows label="Changes by kind" columns={KINDS} rows={data} />
            </>
          )}
          {symbols.length === 0 ? null : (
            <>
              <h3>Most affected symbols</h3>
              <Rows label="Most affected symbols" columns={SYMBOLS} rows={symbols} />
            </>
          )}
          <Warnings warnings={warnings} />
        </>
      )}
    </Answered>
  );
}

function Filter({ asked, onChange }: { asked: Asked; onChange: (asked: Asked) => void }) {
  return (
    <form
      class="actions"
      onSubmit={(event) => {
        event.preventDefault();
        const { elements } = event.currentTarget;
        const of = (name: string) => (elements.namedItem(name) as HTMLInputElement).value.trim();
        onChange({ from: of("from"), dataset: of("dataset"), symbol: of("symbol"), op: of("op") });
      }}
    >
      <label>
        After version <input name="from" defaultValue={asked.from} placeholder="the oldest" />
      </label>
      <label>
        Dataset <input name="dataset" defaultValue={asked.dataset} placeholder="all" />
      </label>
      <label>
        Symbol <input name="symbol" defaultValue={asked.symbol} placeholder="all" />
      </label>
      <label>
        Change{" "}
        <select name="op" defaultValue={asked.op}>
          {options(
            OPS.map((each) => [each, each || "all"]),
            asked.op,
          )}
        </select>
      </label>
      <button type="submit">Show</button>
    </form>
  );
}

export function ChangesPage() {
  const asked = useSignal(askedOf(location.search));
  const { from, dataset, symbol, op } = asked.value;
  // A name counts in the summary alone: the list goes on from a number.
  const since = /^\d+$/.test(from) ? from : "";
  return (
    <>
      <Panel id="summary" title="What changed" isTall>
        <p>
          insert adds a row, revise is a later value, reread is the same row read again, withdraw takes a row
          out. The cause says whether the world changed or this service did.
        </p>
        <Filter
          asked={asked.value}
          onChange={(next) => {
            asked.value = next;
            history.replaceState(
              null,
              "",
              withParameters({
                from: next.from || null,
                dataset: next.dataset || null,
                symbol: next.symbol || null,
                op: next.op || null,
              }),
            );
          }}
        />
        <SummaryPart asked={asked.value} />
      </Panel>
      <Panel id="changes" title="Changes">
        {from !== "" && since === "" ? (
          <p class="quiet">The list begins with the oldest change: it takes a version by its number.</p>
        ) : null}
        <ListTable
          label="Changes"
          path={pathOf("/changes", { since, dataset, symbol, op, limit: PAGE_ROWS })}
          columns={COLUMNS}
          empty="No such change."
        />
      </Panel>
    </>
  );
}
