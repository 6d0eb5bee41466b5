import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { exchangeCalendar } from "../../src/market/calendar.ts";
import { fakeClock } from "../../test/support/fake-clock.ts";
import { createMarket, NAMED_LISTINGS } from "../market.ts";
import { createFred, UNREGISTERED_KEY } from "./index.ts";

setDefaultTimeout(1_200_000);

const KEY = "0123456789abcdef0123456789abcdef";
const calendar = exchangeCalendar();

interface Row {
  readonly date: string;
  readonly value: string;
  readonly realtime_start: string;
  readonly realtime_end: string;
}
interface Body {
  readonly count: number;
  readonly observations: readonly Row[];
  readonly vintage_dates: readonly string[];
  readonly error_code: number;
  readonly error_message: string;
  readonly realtime_start: string;
}

/** The provider at a moment. */
function at(moment: string, seed = 1) {
  const clock = fakeClock(moment);
  const fred = createFred(createMarket({ clock, calendar, seed, years: 5, symbols: NAMED_LISTINGS }));
  const ask = (path: string, query: string, own = `file_type=json&api_key=${KEY}`) => {
    const request = {
      method: "GET",
      host: "api.stlouisfed.org",
      path: `/fred/${path}`,
      headers: {},
      body: "",
    };
    const reply = fred.answer({ ...request, query: new URLSearchParams(`${query}&${own}`) });
    if (!reply) throw new Error("no reply");
    return reply;
  };
  const json = (path: string, query: string) => JSON.parse(ask(path, query).body) as Body;
  return { fred, clock, ask, json };
}
const NOW = "2026-09-09T21:00:00Z";
const ALL = "realtime_start=1776-07-04&realtime_end=9999-12-31";

describe("limits and refusals", () => {
  test("a key is asked for, in two spaces", () => {
    const { ask } = at(NOW);
    const description = (own: string) => {
      const { status, body } = ask("series", "series_id=FICGDP", own);
      return [status, JSON.parse(body)];
    };
    const bad = (text: string) => [400, { error_code: 400, error_message: `Bad Request.  ${text}` }];
    expect(description("file_type=json")).toEqual(bad("Variable api_key is not set."));
    expect(description(`file_type=json&api_key=${UNREGISTERED_KEY}`)).toEqual(
      bad("The value for variable api_key is not registered."),
    );
    expect(description("file_type=json&api_key=SHORT")[0]).toBe(400);
  });

  test("a request without file_type is answered in XML, errors too", () => {
    const { ask } = at(NOW);
    const series = ask("series", "series_id=FICGDP", `api_key=${KEY}`);
    expect(series.headers["content-type"]).toBe("text/xml; charset=UTF-8");
    expect(series.body).toStartWith(
      '<?xml version="1.0" encoding="utf-8" ?>\n<seriess realtime_start="2026-09-09"',
    );
    expect(series.body).toContain('<series id="FICGDP"');
    expect(ask("series", "series_id=NO", `api_key=${KEY}`).body).toContain(
      '<error code="400" message="Bad Request.  The series does not exist."/>',
    );
  });

  test("what is left of the minute's 120 stands in a header", () => {
    const { ask, clock } = at(NOW);
    const left = () => Number(ask("sources", "").headers["x-rate-limit-remaining"]);
    expect([left(), left()]).toEqual([119, 118]);
    clock.advance(60_000);
    expect(left()).toBe(119);
    expect(ask("sources", "").headers["x-rate-limit-limit"]).toBe("120");
  });

  test("other hosts are not its own, and unknown paths are not found", () => {
    const { fred, ask } = at(NOW);
    const request = { method: "GET", host: "example.com", path: "/fred/series", headers: {}, body: "" };
    expect(fred.answer({ ...request, query: new URLSearchParams() })).toBeNull();
    expect(ask("nothing/here", "").status).toBe(404);
  });

  test("today is that of Chicago, and no later day is answered", () => {
    const { json } = at("2026-10-16T03:10:51Z");
    expect(json("series/search", "search_text=gross").realtime_start).toBe("2026-10-15");
    expect(json("series", "series_id=FICGDP&realtime_end=2026-10-16").error_message).toBe(
      "Bad Request.  Variable realtime_end can not be after today's date (2026-10-15) unless it's equal to the real-time max date 9999-12-31.",
    );
  });
});

describe("vintages", () => {
  const query = `series_id=FICGDP&observation_start=2025-04-01&observation_end=2025-04-01&${ALL}`;

  test("follow each other without a gap, the last one open", () => {
    const { observations } = at(NOW).json("series/observations", query);
    expect(observations.length).toBe(4);
    expect(observations.map((o) => o.realtime_start)).toEqual([
      ...["2025-07-30", "2025-08-29", "2025-09-29", "2026-08-04"],
    ]);
    expect(observations.map((o) => o.realtime_end)).toEqual([
      ...["2025-08-28", "2025-09-28", "2026-08-03", "9999-12-31"],
    ]);
    expect(new Set(observations.map((o) => o.value)).size).toBe(4);
  });

  test("what a vintage says of a day stays: time only adds vintages", () => {
    const later = at(NOW);
    for (const day of ["2025-07-30", "2025-08-15", "2025-10-31", "2026-06-30"]) {
      const then = at(`${day}T23:00:00Z`).json("series/observations", "series_id=FICGDP");
      const now = later.json(
        "series/observations",
        `series_id=FICGDP&realtime_start=${day}&realtime_end=${day}`,
      );
      expect(now.observations).toEqual(then.observations);
    }
  });

  test("every day with a change is a vintage date, and columns show them side by side", () => {
    const { json } = at(NOW);
    const { vintage_dates, count } = json("series/vintagedates", "series_id=FICGDP");
    expect(vintage_dates.length).toBe(count);
    expect(vintage_dates).toContain("2026-08-04");
    const columns = json(
      "series/observations",
      "series_id=FICGDP&output_type=2&realtime_start=2026-08-01&observation_start=2025-04-01&observation_end=2025-04-01",
    );
    expect(Object.keys(columns.observations[0] ?? {})).toContain("FICGDP_20260804");
  });

  test("the same seed says the same, another something else", () => {
    const value = (seed: number) =>
      at(NOW, seed).json("series/observations", "series_id=FICCPI&sort_order=desc&limit=1").observations[0]
        ?.value;
    expect(value(1)).toBe(value(1) ?? "");
    expect(value(1)).not.toBe(value(2));
  });
});

describe("observations", () => {
  test("a business-day series has no week-ends, dots on holidays, and yesterday's value", () => {
    const { observations } = at(NOW).json(
      "series/observations",
      "series_id=FICRATE10&observation_start=2025-12-22&observation_end=2025-12-29",
    );
    expect(observations.map(({ date, value }) => [date, value === "."])).toEqual([
      ["2025-12-22", false],
      ["2025-12-23", false],
      ["2025-12-24", false],
      ["2025-12-25", true],
      ["2025-12-26", false],
      ["2025-12-29", false],
    ]);
    const last = at(NOW).json("series/observations", "series_id=FICRATE10&sort_order=desc&limit=1");
    expect(last.observations[0]?.date).toBe("2026-09-08");
  });

  test("pages hold together", () => {
    const { json } = at(NOW);
    const whole = json("series/observations", "series_id=FICUNRATE");
    const part = json("series/observations", "series_id=FICUNRATE&limit=10&offset=20");
    expect(part.observations).toEqual(whole.observations.slice(20, 30));
    expect(part.count).toBe(whole.observations.length);
    const back = json("series/observations", "series_id=FICUNRATE&sort_order=desc");
    expect(back.observations).toEqual(whole.observations.toReversed());
    expect(json("series/observations", "series_id=FICUNRATE&limit=100001").error_code).toBe(400);
  });

  test("changes and yearly figures follow from the levels", () => {
    const { json } = at(NOW);
    const levels = json("series/observations", "series_id=FICPAYEMS").observations;
    const changes = json("series/observations", "series_id=FICPAYEMS&units=chg").observations;
    expect(changes[0]?.value).toBe(".");
    expect(Number(changes[5]?.value)).toBe(Number(levels[5]?.value) - Number(levels[4]?.value));
    const yearly = json(
      "series/observations",
      "series_id=FICPAYEMS&frequency=a&aggregation_method=eop",
    ).observations;
    const december = levels.find(({ date }) => date === "2020-12-01");
    expect(Number(yearly.find(({ date }) => date === "2020-01-01")?.value)).toBe(Number(december?.value));
  });
});
