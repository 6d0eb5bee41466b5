// The day's gainers at a time of the session, which a slider chooses among the stored snapshots. Of the
// newest session without a snapshot, such as the last one of a service that started after its close: the list
// as the provider gives it now.

import { useSignal } from "@preact/signals";
import type { StockRow as Mover } from "../market/stock-row.ts";
import { underClock, useAnswer } from "./answer.ts";
import { newYorkDay } from "./as-of.ts";
import { type AskedField, AskedForm, useAsked } from "./asked-form.tsx";
import { number, percent, tickerCell, whole } from "./cells.tsx";
import { count, minute } from "./format.ts";
import { clockOf, withParameters } from "./links.ts";
import type { ListPage } from "./list.ts";
import { Answered, type ListColumn, Panel, Rows, Warnings } from "./panel-parts.tsx";
import { StateLine } from "./state-line.tsx";

interface Slot {
  readonly slot: string;
  readonly snapshot_at: string;
}

/** The snapshots of a session. */
interface Slots extends ListPage<Slot> {
  readonly date: string;
  /** Due times without a snapshot. */
  readonly missing?: readonly string[];
}

interface Snapshot extends ListPage<Mover> {
  readonly snapshot_at: string;
}

const COLUMNS: readonly ListColumn<Mover>[] = [
  { name: "rank", isFigure: true, isExtra: true, cell: ({ rank }) => whole(rank) },
  { name: "symbol", cell: ({ symbol }) => tickerCell(symbol) },
  { name: "name", isExtra: true, cell: ({ name }) => name },
  { name: "change", isFigure: true, cell: ({ change_percent }) => percent(change_percent) },
  { name: "price", isFigure: true, cell: ({ price }) => number(price) },
  {
    name: "currency",
    isExtra: true,
    title: "Of the price and the market value",
    cell: ({ currency }) => currency ?? "not named",
  },
  { name: "volume", isFigure: true, isExtra: true, cell: ({ volume }) => whole(volume) },
  { name: "market value", isFigure: true, isExtra: true, cell: ({ market_cap }) => whole(market_cap) },
];

function SnapshotPart({ at }: { at: string }) {
  const answer = useAnswer<Snapshot>(underClock("/stocks/gainers/snapshots", { as_of: null, at }));
  return (
    <Answered answer={answer.value}>
      {({ snapshot_at, data }) => (
        <>
          <p id="snapshot">As read {minute(snapshot_at)}.</p>
          <Rows label="Gainers" columns={COLUMNS} rows={data} />
        </>
      )}
    </Answered>
  );
}

/**
 * Says how many due times of a session passed without a snapshot; `warnings` say it in the words of the
 * service.
 */
function Gaps({ missing, warnings }: { missing: readonly string[]; warnings: readonly string[] }) {
  // A snapshot that can never be read is not "not read yet".
  const others = warnings.filter((each) => missing.length === 0 || !each.startsWith("not_read: "));
  return (
    <>
      {missing.length > 0 ? (
        <p id="gaps" class="quiet">
          {count(missing.length)} due times of this session have no snapshot, and none can be taken of them
          now.
        </p>
      ) : null}
      <Warnings warnings={others} />
    </>
  );
}

/** The snapshots of a day that an as-of moment leaves, oldest first. */
function slotsOf(data: readonly Slot[]): Slot[] {
  const moment = clockOf().as_of ?? "";
  const endMs = moment.includes("T") ? Date.parse(moment) : Number.POSITIVE_INFINITY;
  return data
    .filter(({ snapshot_at }) => Date.parse(snapshot_at) <= endMs)
    .toSorted((a, b) => (a.snapshot_at < b.snapshot_at ? -1 : 1));
}

/** The provider's list of now: those of its rows that traded in the session, in its order. */
function CurrentPart({ session }: { session: string }) {
  const answer = useAnswer<readonly Mover[]>("/stocks/gainers?count=100");
  return (
    <Answered answer={answer.value}>
      {(all) => {
        const rows = all.filter(
          ({ price_time }) => typeof price_time === "string" && newYorkDay(price_time) === session,
        );
        const last =
          rows
            .flatMap(({ price_time }) => price_time ?? [])
            .toSorted()
            .at(-1) ?? null;
        if (rows.length === 0)
          return (
            <StateLine
              state="empty"
              text={`The provider lists no gainer of the session of ${session} now.`}
            />
          );
        return (
          <>
            <p id="current">
              This is the provider's list of now, read for this page and not stored. Its prices are of the
              session of {session}, the last one of {minute(last)}.
            </p>
            <Rows label="Gainers" columns={COLUMNS} rows={rows} />
          </>
        );
      }}
    </Answered>
  );
}

/** `isNewest`: whether the day is that of the newest session, which the provider's current list is about. */
function DayPart({
  slots,
  session,
  isNewest,
}: {
  slots: readonly Slot[];
  session: string;
  isNewest: boolean;
}) {
  const given = new URLSearchParams(location.search).get("at");
  const known = slots.findIndex(({ snapshot_at }) => snapshot_at === given);
  const chosen = useSignal(known < 0 ? slots.length - 1 : known);
  const slot = slots[chosen.value];
  if (slot === undefined)
    return (
      <>
        <StateLine state="empty" text={`No snapshot of ${session} was stored.`} />
        {isNewest ? <CurrentPart session={session} /> : null}
      </>
    );
  return (
    <>
      <p class="actions">
        <label>
          Time{" "}
          <input
            id="slot"
            type="range"
            min={0}
            max={slots.length - 1}
            disabled={slots.length === 1}
            value={chosen.value}
            aria-valuetext={minute(slot.snapshot_at)}
            onInput={({ currentTarget }) => {
              chosen.value = Number(currentTarget.value);
              const { snapshot_at = null } = slots[chosen.value] ?? {};
              history.replaceState(null, "", withParameters({ at: snapshot_at }));
            }}
          />
        </label>{" "}
        <span class="quiet">
          {chosen.value + 1} of {slots.length} snapshots
        </span>
      </p>
      <SnapshotPart at={slot.snapshot_at} />
    </>
  );
}

/**
 * The snapshots of one day. `newest` is the day of the newest session; null where the clock does not stand at
 * now.
 */
function Movers({ day, newest }: { day: string; newest: string | null }) {
  const fields: readonly AskedField[] = [{ name: "date", label: "Day", usual: newest ?? day, last: day }];
  const asked = useAsked(fields);
  const { date = day } = asked.value;
  const answer = useAnswer<Slots>(underClock(LIST, { as_of: null, date }));
  return (
    <>
      <AskedForm fields={fields} asked={asked} />
      <Answered answer={answer.value}>
        {({ data, warnings = [], missing = [] }) => (
          <>
            <DayPart key={date} slots={slotsOf(data)} session={date} isNewest={date === newest} />
            <Gaps missing={missing} warnings={warnings} />
          </>
        )}
      </Answered>
    </>
  );
}

const LIST = "/stocks/gainers/snapshots/list";

export function MoversPage({ day }: { day: string }) {
  const { as_of, data_version } = clockOf();
  const isOfNow = as_of === null && data_version === null;
  // Without a date the list is that of the newest session, whose day today need not be.
  const newest = useAnswer<Slots>(isOfNow ? LIST : null);
  return (
    <Panel id="movers" title="The largest gains of the day">
      <p class="quiet">
        The lists are read every five minutes of a session and cannot be read later: times without a snapshot
        stay gaps.
      </p>
      {isOfNow ? (
        <Answered answer={newest.value}>{({ date }) => <Movers day={day} newest={date} />}</Answered>
      ) : (
        <Movers day={day} newest={null} />
      )}
    </Panel>
  );
}
