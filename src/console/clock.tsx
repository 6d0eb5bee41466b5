// The clock of all pages: the day whose knowledge they show. A typed date is taken when it is complete.
import { useEffect, useState } from "preact/hooks";
import { withParameter } from "./links.ts";
import { serviceDay } from "./service-day.ts";

const go = (day: string | null) => {
  location.href = withParameter("as_of", day);
};

export function Clock() {
  const [today, setToday] = useState<string | null>(null);
  useEffect(() => void serviceDay.then(setToday), []);
  const given = new URLSearchParams(location.search).get("as_of") ?? "";
  // A day ahead means now, as in the service.
  const shown = today !== null && given > today ? "" : given;
  return (
    <form
      id="clock"
      onSubmit={(event) => {
        event.preventDefault();
        go((event.currentTarget.elements.namedItem("as_of") as HTMLInputElement).value || null);
      }}
    >
      <label>
        As of{" "}
        <input
          id="as-of"
          name="as_of"
          type="date"
          min="1990-01-01"
          max={today ?? undefined}
          defaultValue={shown}
          key={shown}
        />
      </label>
      <button type="submit">Go</button>
      <button type="button" id="now" onClick={() => go(null)}>
        Now
      </button>
    </form>
  );
}
