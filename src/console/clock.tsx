// The clock of all pages: the day whose knowledge they show, and the version of the store. What is typed
// counts when it is complete.
import { useEffect, useState } from "preact/hooks";
import { clockWords, DAY } from "./clock-words.ts";
import { clockOf, withParameters } from "./links.ts";
import { serviceDay } from "./service-day.ts";

const go = (day: string | null, version: string | null) => {
  location.href = withParameters({ as_of: day, data_version: version });
};

/** The text of a field of a form; null when it is empty. */
const fieldText = (form: HTMLFormElement, name: string): string | null =>
  (form.elements.namedItem(name) as HTMLInputElement).value.trim() || null;

/** The service's day; null until it is known. */
function useToday(): string | null {
  const [today, setToday] = useState<string | null>(null);
  useEffect(() => void serviceDay.then(setToday), []);
  return today;
}

export function Clock() {
  const today = useToday();
  const { as_of, data_version } = clockOf();
  const given = as_of ?? "";
  // A day ahead means now, as in the service.
  const shown = today !== null && given > today ? "" : given;
  return (
    <form
      id="clock"
      onSubmit={(event) => {
        event.preventDefault();
        go(fieldText(event.currentTarget, "as_of"), fieldText(event.currentTarget, "data_version"));
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
          pattern="[0-9]{1,15}|[a-z][a-z0-9._\-]{0,63}"
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

/** Says on every page that the clock does not stand at now; nothing where it does. */
export function ClockLine() {
  const today = useToday();
  const words = clockWords(clockOf(), today ?? "9999-12-31", OF_NOW.test(location.pathname));
  if (words === "") return null;
  return (
    <p id="clock-line" class="mode" role="note">
      {words} <a href={withParameters({ as_of: null, data_version: null })}>Back to now</a>
    </p>
  );
}
