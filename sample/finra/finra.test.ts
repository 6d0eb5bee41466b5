// FINRA's file server of the sample market: what is published when, and that it fits the prices.
import { expect, setDefaultTimeout, test } from "bun:test";
import { exchangeCalendar } from "../../src/market/calendar.ts";
import { fakeClock } from "../../test/support/fake-clock.ts";
import { sharesCounted } from "../actions.ts";
import type { Listing } from "../listing.ts";
import { createMarket, NAMED_LISTINGS } from "../market.ts";
import { dayOf } from "../sessions.ts";
import { createFinra, isCorrected, MISTAKES } from "./index.ts";
import { settlements } from "./settlement.ts";

setDefaultTimeout(1_200_000);

function visit(moment: string, symbols = NAMED_LISTINGS) {
  const clock = fakeClock(moment);
  const market = createMarket({ clock, calendar: exchangeCalendar(), seed: 1, years: 5, symbols });
  const finra = createFinra(market);
  const ask = (path: string) => {
    const request = {
      method: "GET",
      host: "cdn.finra.org",
      path,
      query: new URLSearchParams(),
      headers: {},
      body: "",
    };
    const reply = finra.answer(request);
    if (!reply) throw new Error("no reply");
    return reply;
  };
  const daily = (date: string, facility = "CNMS") =>
    ask(`/equity/regsho/daily/${facility}shvol${date.replaceAll("-", "")}.txt`);
  const rows = (date: string, facility = "CNMS") =>
    new Map(
      daily(date, facility)
        .body.split("\r\n")
        .slice(1, -2)
        .map((line) => [line.split("|")[1] ?? "", line.split("|")]),
    );
  return { clock, market, finra, ask, daily, rows };
}

test("a file comes out at 18:00 in New York; before, on holidays and before 2018 there is none", () => {
  const { clock, daily, ask } = visit("2026-09-09T21:59:59Z");
  expect(daily("2026-09-09")).toMatchObject({
    status: 403,
    body: expect.stringContaining("<Code>AccessDenied</Code>"),
  });
  clock.advance(1_000);
  expect(daily("2026-09-09").status).toBe(200);
  for (const date of ["2026-09-07", "2026-09-06", "2026-09-10", "2018-07-31", "2020-12-31"])
    expect(daily(date).status).toBe(403);
  expect(ask("/equity/regsho/daily/CNMSshvol20260909.txt.gz").status).toBe(403);
});

test("the trailer counts the lines, sorted by bytes, every symbol once", () => {
  const { daily } = visit("2026-09-09T23:00:00Z");
  const lines = daily("2026-09-08").body.trimEnd().split("\r\n");
  expect(lines[0]).toBe("Date|Symbol|ShortVolume|ShortExemptVolume|TotalVolume|Market");
  expect(lines.at(-1)).toBe(String(lines.length - 2));
  const symbols = lines.slice(1, -1).map((line) => line.split("|")[1] ?? "");
  expect(symbols).toEqual([...new Set(symbols)].sort());
});

test("each security under the tape's spelling of the day while it lives", () => {
  const { rows } = visit("2026-09-09T23:00:00Z");
  const on = (date: string) => [...rows(date).keys()];
  expect(on("2026-09-08")).toContainValues([
    "QUIB/B",
    "ZORPpA",
    "ZORPPA",
    "PIPZ/WS",
    "SMPLF",
    "NEWZQ",
    "ZVZZT",
    "NTEST.A",
  ]);
  for (const gone of ["OLDZQ", "GLUMP", "HUSQ", "^SMPL", "MURQ", "ZIT-USD"])
    expect(on("2026-09-08")).not.toContain(gone);
  expect(on("2025-05-02")).toContain("OLDZQ");
  expect(on("2025-05-05")).not.toContain("OLDZQ");
  expect(on("2026-02-27")).toContain("GLUMP");
  expect(on("2023-10-17")).not.toContain("PIPZ");
  expect(on("2026-06-05")).toContain("TRELBw");
  expect(on("2025-11-05")).toContain("KRONKr");
  // Halted all day: no trade, no line.
  expect(on("2026-08-12")).not.toContain("HALTZ");
});

test("a part of the day's volume, short no more than all of it, in fractions since 2024", () => {
  const { rows, market } = visit("2026-09-09T23:00:00Z");
  for (const date of ["2023-06-15", "2026-09-08"])
    for (const listing of market
      .listings()
      .filter(({ hours, exchange }) => hours === "us" && exchange !== "PNK")) {
      const row = rows(date).get(listing.symbol);
      const bar = market.history(listing);
      const volume = bar.bars[bar.sessions.findIndex((s) => s.date === date)]?.volume ?? 0;
      if (!row) continue;
      expect(Number(row[4])).toBeLessThan(volume);
      expect(Number(row[2])).toBeLessThanOrEqual(Number(row[4]));
      expect(row[4]?.includes(".")).toBe(date > "2024");
    }
});

test("some files are corrected two sessions later", () => {
  const date = "2026-08-04";
  const days = Array.from({ length: 23 }, (_, i) => `2026-08-${String(i + 3).padStart(2, "0")}`);
  const corrected = days.find((d) => isCorrected(d)) ?? date;
  const before = visit(`${corrected}T23:00:00Z`);
  const after = visit("2026-09-09T23:00:00Z");
  const [first, second] = [before.rows(corrected), after.rows(corrected)];
  expect([first.has(MISTAKES.missing), second.has(MISTAKES.missing)]).toEqual([false, true]);
  expect([first.has(MISTAKES.tooMany), second.has(MISTAKES.tooMany)]).toEqual([true, false]);
  expect(Number(second.get(MISTAKES.figure)?.[2]) - Number(first.get(MISTAKES.figure)?.[2])).toBeCloseTo(
    MISTAKES.sharesShort,
    3,
  );
  expect(before.daily(corrected).headers["last-modified"]).not.toBe(
    after.daily(corrected).headers["last-modified"],
  );
});

test("the facilities' files add up to the whole, the over-the-counter one stands apart", () => {
  const { rows, daily } = visit("2026-09-09T23:00:00Z");
  const parts = ["FNSQ", "FNQC", "FNYX"].map((facility) =>
    Number(rows("2026-09-08", facility).get("ZORP")?.[4]),
  );
  expect(parts.reduce((a, b) => a + b)).toBeCloseTo(Number(rows("2026-09-08").get("ZORP")?.[4]), 4);
  expect(daily("2026-09-08", "FNRA").body).toEndWith("Market\r\n0\r\n");
  const traded = ["2026-09-01", "2026-09-02", "2026-09-03"].some((date) => rows(date, "FORF").has("MURQ"));
  expect(traded).toBe(true);
});

test("short interest comes out eight sessions after its settlement date", () => {
  const path = (date: string) => `/equity/otcmarket/biweekly/shrt${date.replaceAll("-", "")}.csv`;
  expect(visit("2026-08-26T19:59:59Z").ask(path("2026-08-14")).status).toBe(403);
  const { ask } = visit("2026-08-26T20:00:00Z");
  const lines = ask(path("2026-08-14")).body.trimEnd().split("\n");
  const fields = (symbol: string, file = lines) =>
    file.map((line) => line.split("|")).find((f) => f[1] === symbol) ?? [];
  const before = ask(path("2026-07-31")).body.split("\n");
  expect(fields("QUIBB")[6]).toBe(fields("QUIBB", before)[5] ?? "");
  expect(fields("PIPZWS")[9]).toBe("999.99");
  expect(fields("HOOZ")[10]).toBe("R");
  expect(ask(path("2026-08-17")).status).toBe(403);
});

test("short interest moves slowly but for splits, which the file marks, and days to cover follow from the volume", () => {
  const { ask, market } = visit("2026-11-24T03:00:00Z");
  const dates = settlements(market.table(market.listings()[0] as Listing).sessions)
    .filter(({ publishedAt }) => publishedAt !== null && publishedAt <= market.now())
    .map(({ session }) => session.date)
    .slice(-48);
  const rows = dates.map((date) => {
    const text = ask(`/equity/otcmarket/biweekly/shrt${date.replaceAll("-", "")}.csv`).body;
    return new Map(text.split("\n").map((line) => [line.split("|")[1] ?? "", line.split("|")]));
  });
  let splits = 0;
  const moves: number[] = [];
  for (const listing of market.listings()) {
    if (listing.type !== "EQUITY" || listing.exchange === "PNK" || listing.symbol === "PIPZ-WT") continue;
    for (const [i, now] of rows.entries()) {
      const row = now.get(listing.symbol);
      const before = rows[i - 1]?.get(listing.symbol);
      if (!row || !before) continue;
      const ratio = Number(row[5]) / Number(before[5]);
      const isSplit = row[7] === "S";
      if (isSplit) splits += 1;
      else moves.push(Math.abs(Math.log(ratio)));
      if (isSplit && listing.split)
        expect(ratio / (listing.split.numerator / listing.split.denominator)).toBeWithin(0.65, 1.5);
      // No more than an eighth of a company is short, and that is some days' volume.
      const held = sharesCounted(listing, dayOf(dates[i] ?? ""));
      expect(Number(row[5]) / held).toBeWithin(0.003, 0.12);
      expect(Number(row[9])).toBeCloseTo(Math.max(1, Number(row[5]) / Number(row[8])), 1);
    }
  }
  expect(splits).toBeGreaterThan(3);
  expect(Math.max(...moves)).toBeLessThan(Math.log(1.5));
  expect(moves.toSorted((a, b) => a - b)[Math.floor(moves.length / 2)]).toBeLessThan(0.1);
});

test("the part sold short is a habit of each security that changes little from day to day", () => {
  const { rows, market } = visit("2026-09-09T23:00:00Z");
  const days = market
    .table(market.listings()[0] as Listing)
    .sessions.filter(({ date }) => date >= "2026-06-01" && date <= "2026-09-08");
  const parts = days.map(({ date }) => {
    const of = rows(date);
    return (symbol: string) => Number(of.get(symbol)?.[2]) / Number(of.get(symbol)?.[4]);
  });
  for (const symbol of ["ZORP", "KRONK", "SMPLF", "VEXOQ"]) {
    // A file that is corrected later may miss a security.
    const series = parts.map((part) => part(symbol)).filter((part) => !Number.isNaN(part));
    expect(series.length).toBeGreaterThan(60);
    const mean = series.reduce((a, b) => a + b) / series.length;
    expect(mean).toBeWithin(0.25, 0.67);
    for (const each of series) expect(Math.abs(each - mean)).toBeLessThan(0.2);
  }
});

test("the whole market is one file, made without a history of each", () => {
  const { daily } = visit("2026-09-09T23:00:00Z", 11_000);
  expect(Number(daily("2026-09-08").body.trimEnd().split("\r\n").at(-1))).toBeGreaterThan(10_900);
});
