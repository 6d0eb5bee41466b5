// The clock of all pages: the day whose knowledge they show, and the version of the store. What is typed counts when it is complete.
import { useEffect, useState } from "preact/hooks";
import { minute } from "./format.ts";
import { clockOf, withParameters } from "./links.ts";
import { serviceDay } from "./service-day.ts";

const go = (day: string | null, version: string | null) => {
  location.href = withParameters({ as_of: day, data_version: version });
};

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The text of a field of a form; null when it is empty. */
const textOf = (form: HTMLFormElement, name: string): string | null =>
  (form.elements.namedItem(name) as HTMLInputElement).value.trim() || null;

export function Clock() {
  const [today, setToday] = useState<string | null>(null);
  useEffect(() => void serviceDay.then(setToday), []);
  const { as_of, data_version } = clockOf();
  const given = as_of ?? "";
  // A day ahead means now, as in the service.
  const shown = today !== null && given > today ? "" : given;
  return (
    <form
      id="clock"
      onSubmit={(event) => {
        event.preventDefault();
        go(textOf(event.currentTarget, "as_of"), textOf(event.currentTarget, "data_version"));
      }}
    >
      <label for="as-of">
        As of{" "}
        {given === "" || DAY.test(given) ? (
          <input
            id="as-of"
            name="as_of"
            type="date"
            min="1990-01-01"
            max={today ?? undefined}
            defaultValue={shown}
            key={shown}
          />
        ) : (
          // A date field cannot show an instant.
          <input id="as-of" name="as_of" defaultValue={given} />
        )}
      </label>
      <label>
        Version{" "}
        <input
          id="data-version"
          name="data_version"
          class="version"
          placeholder="newest"
          autocomplete="off"
          spellcheck={false}
          pattern="[0-9]{1,15}|[a-z][a-z0-9._\\-]{0,63}"
          title="A number, or a name that was given to a version"
          defaultValue={data_version ?? ""}
        />
      </label>
      <button type="submit">Go</button>
      <button type="button" id="now" onClick={() => go(null, null)}>
        Now
      </button>
    </form>
  );
}

/** The pages about the service and its store, which show them as they are now. */
const OF_NOW = /^\/(data\/.*)?$/;

/** Where the clock stands, in words: a day counts to its end in New York. */
function clockWords({ as_of, data_version }: ReturnType<typeof clockOf>): string {
  const isInstant = as_of !== null && !DAY.test(as_of) && !Number.isNaN(Date.parse(as_of));
  const moment =
    as_of === null ? [] : [isInstant ? `known on ${minute(as_of)}` : `known at the end of ${as_of}`];
  const version = data_version === null ? [] : [`stored in version ${data_version}`];
  return [...moment, ...version].join(" and ");
}

/** Says on every page that the clock does not stand at now; nothing where it does. */
export function ClockLine() {
  const clock = clockOf();
  const words = clockWords(clock);
  if (words === "") return null;
  return (
    <p id="clock-line" class="mode" role="note">
      {OF_NOW.test(location.pathname)
        ? `This page shows the service as it is now. Pages of companies and of the market show what was ${words}.`
        : `Everything is shown as it was ${words}.`}{" "}
      <a href={withParameters({ as_of: null, data_version: null })}>Back to now</a>
    </p>
  );
}
