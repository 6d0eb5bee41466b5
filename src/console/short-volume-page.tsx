// A company's short volume by day and its short interest.

import { useSignal } from "@preact/signals";
import type {
  InterestAnswer,
  VolumeRow as ShortDay,
  SummaryAnswer as Summary,
} from "../capabilities/shortvolume/schema.ts";
import { underClock, useAnswer } from "./answer.ts";
import { number, percent, whole } from "./cells.tsx";
import { cellText, type DataCell } from "./data-table.tsx";
import { minute } from "./format.ts";
import { withParameters } from "./links.ts";
import { Answered, type ListColumn, ListTable, options, Panel } from "./panel-parts.tsx";
import { stateOfFailure } from "./states.ts";

type Interest = InterestAnswer["data"][number];

const ROWS_MAX = 10_000;
const SPANS = [
  [30, "30 days"],
  [365, "1 year"],
  [1_825, "5 years"],
] as const;
const SPAN = 365;

/** A cell within a sentence. */
const said = (cell: DataCell): string => cellText(cell) || "unknown";

const ratioPercent = (ratio: number | null) => percent(ratio === null ? null : 100 * ratio);

const DAYS: readonly ListColumn<ShortDay>[] = [
  { name: "date", cell: ({ date }) => date },
  {
    name: "short ratio",
    isFigure: true,
    title: "Short volume of the off-exchange volume; not short interest",
    cell: ({ short_volume_ratio }) => ratioPercent(short_volume_ratio),
  },
  { name: "short volume", isFigure: true, cell: ({ short_volume }) => whole(short_volume) },
  {
    name: "total volume",
    isFigure: true,
    isExtra: true,
    title: "Off-exchange volume in regular hours, not the market's",
    cell: ({ total_volume }) => whole(total_volume),
  },
  {
    name: "exempt",
    isFigure: true,
    isExtra: true,
    cell: ({ short_exempt_volume }) => whole(short_exempt_volume),
  },
  { name: "facilities", isExtra: true, cell: ({ market }) => market },
];

const INTEREST: readonly ListColumn<Interest>[] = [
  { name: "settled", cell: ({ settlement_date }) => settlement_date },
  { name: "short interest", isFigure: true, cell: ({ short_interest }) => whole(short_interest) },
  { name: "change", isFigure: true, cell: ({ change_percent }) => percent(change_percent) },
  {
    name: "days to cover",
    isFigure: true,
    isExtra: true,
    cell: ({ days_to_cover }) => number(days_to_cover, 2),
  },
  {
    name: "average volume",
    isFigure: true,
    isExtra: true,
    cell: ({ avg_daily_volume }) => whole(avg_daily_volume),
  },
  { name: "revised", isExtra: true, cell: ({ revised }) => (revised ? "revised" : "first") },
  { name: "known from", isExtra: true, cell: ({ known_at }) => minute(known_at) },
];

const spanOf = (search: string): number => {
  const given = Number(new URLSearchParams(search).get("days"));
  return SPANS.find(([each]) => each === given)?.[0] ?? SPAN;
};

const ABSENT: ReadonlySet<string> = new Set(["empty", "not-read"]);

function SummaryLine({ at }: { at: string }) {
  const answer = useAnswer<Summary>(underClock(`/shortvolume/summary/${at}`));
  // The list below says that nothing is stored.
  if (answer.value.at === "failed" && ABSENT.has(stateOfFailure(answer.value.error))) return null;
  return (
    <Answered answer={answer.value}>
      {({ as_of, short_volume_ratio, avg_ratio_20d, zscore_20d, days }) => (
        <p id="short-summary">
          On {as_of} {said(ratioPercent(short_volume_ratio))} of the off-exchange volume was short; the mean
          of 20 sessions is {said(ratioPercent(avg_ratio_20d))}, the z-score {said(number(zscore_20d, 2))}.{" "}
          <span class="quiet">({days} sessions stored.)</span>
        </p>
      )}
    </Answered>
  );
}

export function ShortVolumePage({ ticker }: { ticker: string }) {
  const days = useSignal(spanOf(location.search));
  const at = encodeURIComponent(ticker);
  return (
    <>
      <Panel id="short-volume" title="Short volume by day" isTall>
        <SummaryLine at={at} />
        <p class="actions">
          <label>
            Span{" "}
            <select
              id="days"
              value={String(days.value)}
              onChange={({ currentTarget }) => {
                days.value = Number(currentTarget.value);
                history.replaceState(null, "", withParameters({ days: currentTarget.value }));
              }}
            >
              {options(SPANS)}
            </select>
          </label>
        </p>
        <ListTable
          label="Short volume by day"
          path={underClock(`/shortvolume/${at}`, { days: days.value, limit: ROWS_MAX })}
          columns={DAYS}
          empty="No file with a line of this symbol is stored in this span."
        />
      </Panel>
      <Panel id="short-interest" title="Short interest">
        <ListTable
          label="Short interest"
          path={underClock(`/shortvolume/short-interest/${at}`, { limit: 500 })}
          columns={INTEREST}
          empty="No short interest of this symbol is stored."
        />
      </Panel>
    </>
  );
}
