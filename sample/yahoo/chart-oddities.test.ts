import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { exchangeCalendar } from "../../src/market/calendar.ts";
import { adjusted, at, column, midnight, NEW_YORK } from "../../test/support/sample-yahoo.ts";
import { secondsAt } from "../sessions.ts";

setDefaultTimeout(1_200_000);

const calendar = exchangeCalendar();

describe("refusals, in upstream's words", () => {
  const { ask, clock } = at("2026-11-20T15:00:00Z");
  const now = Math.floor(clock.nowMs() / 1000);
  const day = 86_400;
  const says = (symbol: string, query: string) => {
    const { status, body } = ask(symbol, query);
    return [status, body.error?.code, body.error?.description];
  };
  const past = (interval: string, from: number, to: number) =>
    says("ZORP", `interval=${interval}&period1=${from}&period2=${to}`);

  test("look-back walls are exclusive and refuse the whole window", () => {
    for (const [interval, days] of [
      ["5m", 60],
      ["2m", 60],
      ["90m", 60],
      ["60m", 730],
      ["1h", 730],
    ] as const) {
      const [from, inside] = [now - days * day, now - days * day + 1];
      expect(past(interval, from, now)).toEqual([
        422,
        "Unprocessable Entity",
        `${interval} data not available for startTime=${from} and endTime=${now}. The requested range must be within the last ${days} days.`,
      ]);
      expect(past(interval, inside, now)[0]).toBe(200);
    }
    const from = now - 30 * day;
    expect(past("1m", from, from + 2 * day)[2]).toBe(
      `1m data not available for startTime=${from} and endTime=${from + 2 * day}. The requested range must be within the last 30 days.`,
    );
    expect(past("1m", now - 8 * day - 1, now)[2]).toBe(
      `1m data not available for startTime=${now - 8 * day - 1} and endTime=${now}. Only 8 days worth of 1m granularity data are allowed to be fetched per request.`,
    );
    expect(past("1m", now - 8 * day, now)[0]).toBe(200);
    expect(says("ZORP", "interval=1m&range=1mo")[0]).toBe(422);
  });

  test("before the first trade, reversed, equal, malformed", () => {
    const [from, to] = [midnight("2010-01-04"), midnight("2010-02-01")];
    expect(past("1d", from, to)).toEqual([
      400,
      "Bad Request",
      `Data doesn't exist for startDate = ${from}, endDate = ${to}`,
    ]);
    expect(past("1d", now, now)[0]).toBe(400);
    expect(past("1d", now, now - day)[2]).toContain("start date cannot be after end date");
    expect(says("ZORP", "interval=7m&range=1d")[0]).toBe(400);
    expect(says("ZORP", "interval=1d&range=banana")[0]).toBe(400);
    expect(says("ZORP", "interval=1d&period1=banana")[0]).toBe(400);
    expect(past("1d", from, now)[0]).toBe(200);
  });

  test("unknown and dead symbols are 404 and name three that exist; a stub is 200 without prices", () => {
    for (const symbol of ["NOPE", "GLUMP", "OLDZQ", "QUIB.B", "%E0%A4%A", "__proto__"]) {
      const [status, code, description] = says(symbol, "range=5d&interval=1d");
      expect([status, code]).toEqual([404, "Not Found"]);
      expect(description).toBe(
        "No data found, symbol may be delisted (sample market: try ZORP, QUIB-B or SMPLF)",
      );
    }
    const { body } = ask("HUSQ", "range=5d&interval=1d");
    expect(body.result[0].meta).toMatchObject({
      exchangeName: "YHD",
      instrumentType: "MUTUALFUND",
      currency: null,
      firstTradeDate: null,
    });
    expect(body.result[0].indicators).toEqual({ quote: [{}], adjclose: [{}] });
    expect(body.result[0].timestamp).toBeUndefined();
  });

  test("a weekend is an empty answer, not an error", () => {
    const { status, body } = ask(
      "ZORP",
      `interval=1m&period1=${midnight("2026-11-14")}&period2=${midnight("2026-11-15")}`,
    );
    expect(status).toBe(200);
    expect(body.result[0].indicators).toEqual({ quote: [{}] });
    expect(body.result[0].timestamp).toBeUndefined();
  });
});

describe("odd days", () => {
  test("a halted day is a row of nulls, each year", () => {
    const { daily } = at("2026-11-20T15:00:00Z");
    const result = daily("HALTZ", "2026-08-10", "2026-08-15");
    const i = (result.timestamp ?? []).indexOf(secondsAt("2026-08-12", "09:30", NEW_YORK));
    expect(["open", "high", "low", "close", "volume"].map((name) => column(result, name)[i])).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
    expect(adjusted(result)[i]).toBeNull();
    expect(column(result, "close").filter((close) => close === null).length).toBe(1);
  });

  test("the thin one has days at volume 0 with the close before, and days without a row", () => {
    const { daily } = at("2026-11-20T15:00:00Z");
    const result = daily("MURQ", "2025-01-01", "2026-01-01");
    const sessions = calendar.sessionsBetween("2025-01-01", "2025-12-31").length;
    expect(result.timestamp?.length ?? 0).toBeWithin(sessions * 0.8, sessions - 5);
    const quiet = column(result, "volume").flatMap((volume, i) => (volume === 0 && i > 0 ? [i] : []));
    expect(quiet.length).toBeWithin(15, 70);
    for (const i of quiet) expect(column(result, "open")[i]).toBe(column(result, "close")[i - 1] ?? null);
  });

  test("period2 is exclusive, and 1d range is the newest session", () => {
    const { daily, chart } = at("2026-11-20T22:00:00Z");
    expect(daily("ZORP", "2026-11-12", "2026-11-13").timestamp).toEqual([
      secondsAt("2026-11-12", "09:30", NEW_YORK),
    ]);
    expect(chart("ZORP", "range=1d&interval=1d").timestamp?.length).toBe(1);
    expect(chart("ZORP", "range=5d&interval=1d").timestamp?.length).toBe(5);
    expect(chart("ZORP", "range=max&interval=1d").timestamp?.[0]).toBe(
      secondsAt("2021-01-04", "09:30", NEW_YORK),
    );
  });

  test("weeks start on Monday by range and on period1's weekday by period; the live day stands apart", () => {
    const { chart } = at("2026-11-18T18:00:00Z");
    const weeks = chart("ZORP", "range=1mo&interval=1wk");
    expect(weeks.timestamp?.at(-2)).toBe(midnight("2026-11-16"));
    expect(weeks.timestamp?.at(-1)).toBe(weeks.meta.regularMarketTime);
    const anchored = chart(
      "ZORP",
      `interval=1wk&period1=${midnight("2026-10-01")}&period2=${midnight("2026-10-31")}`,
    );
    expect(anchored.timestamp?.slice(0, 2)).toEqual([midnight("2026-10-01"), midnight("2026-10-08")]);
    const months = chart(
      "ZORP",
      `interval=1mo&period1=${midnight("2026-09-01")}&period2=${midnight("2026-11-01")}`,
    );
    expect(months.timestamp).toEqual([midnight("2026-09-01"), midnight("2026-10-01")]);
  });

  test("currencies on London days, crypto on every UTC day, null currency of a warrant", () => {
    const { daily } = at("2026-11-20T15:00:00Z");
    const fx = daily("ZEDUSD=X", "2026-11-09", "2026-11-16");
    expect(fx.timestamp?.map((t) => t % 86_400)).toEqual([0, 0, 0, 0, 0]);
    expect(fx.meta.exchangeTimezoneName).toBe("Europe/London");
    expect(daily("ZIT-USD", "2026-11-09", "2026-11-16").timestamp?.length).toBe(7);
    expect(daily("PIPZ-WT", "2026-11-09", "2026-11-16").meta.currency).toBeNull();
  });

  test("a corrected value or a null in place of a bar, on the day alone", () => {
    const plain = at("2026-11-20T15:00:00Z").daily("ZORP", "2026-11-09", "2026-11-14");
    const changed = at("2026-11-20T15:00:00Z", (symbol, date) =>
      symbol !== "ZORP"
        ? undefined
        : date === "2026-11-10"
          ? null
          : date === "2026-11-12"
            ? { close: 111.11 }
            : undefined,
    ).daily("ZORP", "2026-11-09", "2026-11-14");
    const closes = column(plain, "close");
    expect(column(changed, "close")).toEqual([closes[0] ?? 0, null, closes[2] ?? 0, 111.11, closes[4] ?? 0]);
    expect(column(changed, "volume")[3]).toBe(column(plain, "volume")[3] ?? 0);
  });
});
