// An economic series: what it says now, what it said in earlier vintages, as a graph and in figures, and what
// was published first.
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { type Query, underClock, useAnswers } from "./answer.ts";
import { lastWholeDay } from "./as-of.ts";
import { type AskedField, AskedForm, useAsked } from "./asked-form.tsx";
import { isSample } from "./connection.ts";
import type { DataCell } from "./data-table.tsx";
import { count, grouped } from "./format.ts";
import { clockOf, withParameter } from "./links.ts";
import { Answered, type ListColumn, options, Panel, Rows } from "./panel-parts.tsx";
import { SeriesGraph } from "./series-graph.tsx";
import { StateLine } from "./state-line.tsx";
import {
  aligned,
  namedVintages,
  type Observation,
  statedValue,
  usualVintages,
  VINTAGES_MAX,
} from "./vintages.ts";

interface Observations {
  readonly observations: readonly Observation[];
}

interface About {
  readonly seriess: readonly {
    readonly title: string;
    readonly units: string;
    readonly frequency: string;
    readonly frequency_short: string;
    readonly seasonal_adjustment: string;
  }[];
}

interface Vintages {
  /** Newest first. */
  readonly vintage_dates: readonly string[];
}

interface Row {
  readonly date: string;
  readonly value: string | null;
  readonly first: string | null;
  readonly published: string | null;
  readonly before: readonly (string | null)[];
}

interface Asked {
  readonly series_id: string;
  readonly observation_start: string;
}

/** The number of the provider's list of first releases. */
const FIRST_RELEASES = 4;
const FIRST_DAY = "1776-07-04";
const LAST_DAY = "9999-12-31";
/** A path of the provider's series, which is asked for a version like all others. */
const seriesPath = (path: string, query: Query): string =>
  underClock(`/econdata/proxy/series${path}`, { as_of: null, ...query });

/** A value as it was published, digits grouped, sorted as a number. */
const stated = (text: string | null): DataCell =>
  text === null ? null : { text: grouped(text), by: Number(text) };

const columnsFor = (chosen: readonly string[]): readonly ListColumn<Row>[] => [
  { name: "period", cell: ({ date }) => date },
  { name: "value", isFigure: true, cell: ({ value }) => stated(value) },
  { name: "first value", isFigure: true, cell: ({ first }) => stated(first) },
  {
    name: "first published",
    isExtra: true,
    title: "The day on which the first value was published",
    cell: ({ published }) => published,
  },
  ...chosen.map(
    (vintage, i): ListColumn<Row> => ({
      name: `vintage ${vintage}`,
      isFigure: true,
      isExtra: true,
      cell: ({ before }) => stated(before[i] ?? null),
    }),
  ),
];

const byDate = (observations: readonly Observation[]) =>
  new Map(observations.map((each) => [each.date, each]));

/** Newest period first. First values are joined by period; a later one than the page's moment has none. */
function vintageRows(
  shown: readonly Observation[],
  first: readonly Observation[],
  before: readonly (readonly Observation[])[],
  day: string | null,
): Row[] {
  const firsts = byDate(first.filter(({ realtime_start }) => day === null || realtime_start <= day));
  const vintages = before.map(byDate);
  return shown
    .map((each) => ({
      date: each.date,
      value: statedValue(each),
      first: statedValue(firsts.get(each.date)),
      published: firsts.get(each.date)?.realtime_start ?? null,
      before: vintages.map((vintage) => statedValue(vintage.get(each.date))),
    }))
    .toReversed();
}

/** Returns the path of the series' observations in a vintage, or as of the page's moment. */
const observationsPath = (asked: Asked, day: string | null): string =>
  seriesPath("/observations", { ...asked, realtime_start: day, realtime_end: day });

/** Which earlier vintages are shown: each can be taken away, and another one added. */
function Choice({
  vintages,
  chosen,
  onChoose,
}: {
  vintages: readonly string[];
  chosen: readonly string[];
  onChoose: (next: readonly string[]) => void;
}) {
  const others = vintages.slice(1).filter((each) => !chosen.includes(each));
  return (
    <p class="actions">
      {chosen.length < VINTAGES_MAX && others.length > 0 ? (
        <label>
          Compare with the vintage of{" "}
          <select
            id="vintage"
            value=""
            onChange={({ currentTarget }) => onChoose([...chosen, currentTarget.value])}
          >
            <option value="">a day …</option>
            {options(others.map((each) => [each, each]))}
          </select>
        </label>
      ) : null}
      {chosen.map((each) => (
        <button key={each} type="button" onClick={() => onChoose(chosen.filter((other) => other !== each))}>
          Remove {each}
        </button>
      ))}
    </p>
  );
}

function Compared({
  asked,
  about,
  shown,
  first,
  chosen,
  newest,
  day,
}: {
  asked: Asked;
  about: About;
  shown: readonly Observation[];
  first: readonly Observation[];
  chosen: readonly string[];
  newest: string | undefined;
  day: string | null;
}) {
  const answers = useAnswers<readonly Observations[]>(chosen.map((each) => observationsPath(asked, each)));
  const [info] = about.seriess;
  const before = answers.value.at === "ready" ? answers.value.body : null;
  const data = useMemo(
    () =>
      before &&
      aligned([shown, ...before.map(({ observations }) => observations)], info?.frequency_short ?? ""),
    [shown, before],
  );
  return (
    <Answered answer={answers.value}>
      {(bodies) => {
        const rows = vintageRows(
          shown,
          first,
          bodies.map(({ observations }) => observations),
          day,
        );
        const name = newest === undefined ? "newest" : `newest (${newest})`;
        // The answer to the vintages chosen before may still be there.
        if (data === null || bodies.length !== chosen.length) return <StateLine state="loading" />;
        return (
          <>
            <SeriesGraph
              data={data}
              units={info?.units ?? "units unknown"}
              names={[name, ...chosen.map((each) => `vintage of ${each}`)]}
            />
            <Rows label={`Values of ${asked.series_id}`} columns={columnsFor(chosen)} rows={rows} />
            <p class="quiet shown">{count(rows.length)} rows</p>
          </>
        );
      }}
    </Answered>
  );
}

/** Shows the provider's description of the series. */
function AboutSeries({ about: { seriess } }: { about: About }) {
  const [info] = seriess;
  if (info === undefined) return null;
  const { title, units, frequency, seasonal_adjustment } = info;
  return (
    <p id="about">
      <strong>{title}</strong>{" "}
      <span class="quiet">
        {units}, {frequency.toLowerCase()}, {seasonal_adjustment.toLowerCase()}
      </span>
    </p>
  );
}

/** The requests that every view of a series needs; `day` is the moment of the page, null for now. */
const pathsOf = (asked: Asked, day: string | null): readonly string[] => {
  const { series_id } = asked;
  const all = { realtime_start: FIRST_DAY, realtime_end: day ?? LAST_DAY };
  return [
    observationsPath(asked, day),
    seriesPath("/observations", { ...asked, ...all, output_type: FIRST_RELEASES }),
    seriesPath("", { series_id, realtime_start: day, realtime_end: day }),
    seriesPath("/vintagedates", { series_id, ...all, sort_order: "desc" }),
  ];
};

/**
 * The series with the earlier vintages that the address names, or the usual one. `last` is the last day that
 * may be shown.
 */
function Series({ asked, last }: { asked: Asked; last: string }) {
  const day = lastWholeDay(clockOf().as_of);
  const named = useSignal(new URLSearchParams(location.search).get("vintages"));
  const answers = useAnswers<readonly [Observations, Observations, About, Vintages]>(pathsOf(asked, day));
  const choose = (next: readonly string[]) => {
    named.value = next.toSorted().reverse().join(",");
    history.replaceState(null, "", withParameter("vintages", named.value));
  };
  return (
    <Answered answer={answers.value}>
      {([{ observations }, first, about, { vintage_dates }]) => {
        if (observations.length === 0)
          return <StateLine state="empty" text="The series has no value in this span." />;
        const vintages = vintage_dates.filter((each) => each <= (day ?? last));
        const chosen =
          named.value === null ? usualVintages(vintages) : namedVintages(named.value, day ?? last);
        return (
          <>
            <AboutSeries about={about} />
            <Choice vintages={vintages} chosen={chosen} onChoose={choose} />
            <Compared
              asked={asked}
              about={about}
              shown={observations}
              first={first.observations}
              chosen={chosen}
              newest={vintages[0]}
              day={day}
            />
          </>
        );
      }}
    </Answered>
  );
}

/** A series that there is, to begin with. */
const example = (): string => (isSample.value ? "FICGDP" : "GDPC1");

function Unasked() {
  document.body.dataset.ready = "true";
  const id = example();
  return (
    <p class="state empty">
      Type the name of a series, such as <a href={withParameter("series_id", id)}>{id}</a>.
    </p>
  );
}

export function EconomyPage({ day }: { day: string }) {
  const fields: readonly AskedField[] = [
    { name: "series_id", label: "Series", usual: "", pattern: "[A-Za-z0-9]{1,40}", placeholder: example() },
    { name: "observation_start", label: "From", usual: `${Number(day.slice(0, 4)) - 5}-01-01`, last: day },
  ];
  const asked = useAsked(fields);
  const { series_id = "", observation_start = "" } = asked.value;
  return (
    <Panel id="economy" title="Values of a series">
      <AskedForm fields={fields} asked={asked} />
      {series_id === "" ? (
        <Unasked />
      ) : (
        <Series key={series_id} asked={{ series_id, observation_start }} last={day} />
      )}
    </Panel>
  );
}
