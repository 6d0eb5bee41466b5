// An economic series: what it says now, what it said as of a day, and what was said first.
import { useAnswer } from "./answer.ts";
import { pathOf } from "./api.ts";
import { lastWholeDay } from "./as-of.ts";
import { type AskedField, AskedForm, useAsked } from "./asked-form.tsx";
import { count } from "./format.ts";
import { clockOf } from "./links.ts";
import { Answered, type ListColumn, Panel, Rows } from "./panel-parts.tsx";
import { StateLine } from "./state-line.tsx";

interface Observation {
  readonly date: string;
  /** A dot where the series has no value. */
  readonly value: string;
  readonly realtime_start: string;
}

interface Observations {
  readonly observations: readonly Observation[];
}

interface Row {
  readonly date: string;
  readonly value: string | null;
  readonly first: string | null;
  readonly published: string | null;
}

/** The number of the provider's list of first releases. */
const FIRST_RELEASES = 4;

const statedValue = (observation: Observation | undefined): string | null =>
  observation === undefined || observation.value === "." ? null : observation.value;

const COLUMNS: readonly ListColumn<Row>[] = [
  { name: "period", cell: ({ date }) => date },
  { name: "value", isFigure: true, cell: ({ value }) => value },
  { name: "first value", isFigure: true, cell: ({ first }) => first },
  {
    name: "first published",
    isExtra: true,
    title: "The day on which the first value was published",
    cell: ({ published }) => published,
  },
];

/** Newest period first. First values are joined by period; a later one than the page's moment has none. */
function rowsOf(shown: Observations, first: Observations, day: string | null): Row[] {
  const firsts = new Map(
    first.observations
      .filter(({ realtime_start }) => day === null || realtime_start <= day)
      .map((each) => [each.date, each]),
  );
  return shown.observations
    .map((each) => {
      const before = firsts.get(each.date);
      return {
        date: each.date,
        value: statedValue(each),
        first: statedValue(before),
        published: before?.realtime_start ?? null,
      };
    })
    .toReversed();
}

function Series({ series_id, from }: { series_id: string; from: string }) {
  const day = lastWholeDay(clockOf().as_of);
  const asked = { series_id, observation_start: from };
  const shown = useAnswer<Observations>(
    pathOf("/econdata/proxy/series/observations", { ...asked, realtime_start: day, realtime_end: day }),
  );
  const first = useAnswer<Observations>(
    pathOf("/econdata/proxy/series/observations", {
      ...asked,
      output_type: FIRST_RELEASES,
      realtime_start: "1776-07-04",
      realtime_end: day ?? "9999-12-31",
    }),
  );
  return (
    <Answered answer={shown.value}>
      {(body) => (
        <Answered answer={first.value}>
          {(releases) => {
            const rows = rowsOf(body, releases, day);
            if (rows.length === 0)
              return <StateLine state="empty" text="The series has no value in this span." />;
            return (
              <>
                <Rows label={`Values of ${series_id}`} columns={COLUMNS} rows={rows} />
                <p class="quiet shown">{count(rows.length)} rows</p>
              </>
            );
          }}
        </Answered>
      )}
    </Answered>
  );
}

function Unasked() {
  document.body.dataset.ready = "true";
  return <StateLine state="empty" text="Type the name of a series, such as GDPC1." />;
}

export function EconomyPage({ day }: { day: string }) {
  const fields: readonly AskedField[] = [
    { name: "series_id", label: "Series", usual: "", pattern: "[A-Za-z0-9]{1,40}", placeholder: "GDPC1" },
    { name: "observation_start", label: "From", usual: `${Number(day.slice(0, 4)) - 5}-01-01`, last: day },
  ];
  const asked = useAsked(fields);
  const { series_id = "", observation_start = "" } = asked.value;
  return (
    <Panel id="economy" title="Values of a series">
      <AskedForm fields={fields} asked={asked} />
      {series_id === "" ? <Unasked /> : <Series series_id={series_id} from={observation_start} />}
    </Panel>
  );
}
