// Recorded lines and files of FINRA through the provider: everything is read, and the manifest's facts hold.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fromFinra, toFinra } from "../../src/market/spelling.ts";
import { fileText, isGzip, readShortInterest, readShortVolume } from "../../src/providers/finra/index.ts";
import { type FakeReply, fakeFinra, NO_FILE } from "../support/fake-finra.ts";

setDefaultTimeout(1_200_000);

const FOLDER = join(process.env.CONFORMANCE_DIR ?? join(import.meta.dir, "../../../shared/real"), "finra");
const names = existsSync(FOLDER) ? readdirSync(FOLDER).sort() : [];
const bytesOf = (name: string) => new Uint8Array(readFileSync(join(FOLDER, name)));
const textIn = (name: string) => fileText(bytesOf(name), name);
/** Finds files by their header line, whatever their names are. */
const headed = (pattern: RegExp) =>
  names.filter((name) => pattern.test(textIn(name).split(/\r?\n/)[0] ?? ""));
const volumes = headed(/^date\|symbol\|/i);
const interests = headed(/symbolCode\|/);
const COMPACT = /(\d{4})(\d{2})(\d{2})/;

if (names.length === 0) test.skip("skipped: no recordings", () => {});

describe("daily short volume", () => {
  test.each(volumes)("%s: every line is read as it is", (name) => {
    const rows = textIn(name).trimEnd().split(/\r?\n/);
    const header = (rows[0] ?? "").replaceAll(/\s/g, "").toLowerCase().split("|");
    const body = rows.slice(1).filter((row) => row.includes("|"));
    const { lines, test_lines, trailer } = readShortVolume(textIn(name), name);
    expect(lines.length + test_lines).toBe(body.length);
    if (trailer !== null) expect(trailer).toBe(body.length);
    const column = (row: string, wanted: string) =>
      row.split("|")[header.findIndex((h) => h.startsWith(wanted))] ?? "";
    let at = 0;
    for (const row of body) {
      const spelled = column(row, "symbol");
      const line = lines[at];
      if (line?.symbol !== (fromFinra(spelled) ?? spelled)) continue;
      at++;
      expect(line.date.replaceAll("-", "")).toBe(column(row, "date"));
      expect(line.short_volume).toBe(Number(column(row, "shortvolume")));
      expect(line.total_volume).toBe(Number(column(row, "totalvolume")));
      if (header.some((h) => h.startsWith("shortexempt")))
        expect(line.short_exempt_volume).toBe(Number(column(row, "shortexempt")));
      else expect(line.short_exempt_volume).toBeNull();
      // The code stands in the line, not in the name of the file.
      expect(line.market).toBe(column(row, "market"));
      expect(line.short_volume).toBeLessThanOrEqual(line.total_volume);
      expect(toFinra(line.symbol) ?? line.symbol).toBe(spelled);
    }
    expect(at).toBe(lines.length);
  });

  test("no two spellings of a recorded day become one symbol", () => {
    for (const name of volumes) {
      const { lines } = readShortVolume(textIn(name), name);
      const keys = lines.map((line) => `${line.date} ${line.symbol} ${line.market}`);
      const spelled = textIn(name)
        .split(/\r?\n/)
        .filter((row) => /^\d{8}\|/.test(row));
      if (new Set(spelled).size === spelled.length) expect(new Set(keys).size).toBe(keys.length);
    }
  });

  test.each(volumes.filter((name) => readShortVolume(textIn(name), name).trailer !== null))(
    "%s, a whole file, comes through the provider, and cut short it does not",
    async (name) => {
      const { lines } = readShortVolume(textIn(name), name);
      const date = lines[0]?.date;
      if (date === undefined) return;
      const bytes = bytesOf(name);
      const ask = (reply: FakeReply) =>
        fakeFinra(() => reply).provider.shortVolume("CNMS", date, { plainOnly: true });
      expect((await ask({ body: bytes }))?.lines).toEqual(lines);
      if (!isGzip(bytes))
        await expect(ask({ body: bytes.slice(0, bytes.length >> 1) })).rejects.toThrow("cannot be used");
    },
  );

  const all = volumes.flatMap((name) =>
    readShortVolume(textIn(name), name).lines.map((line) => ({ ...line, name })),
  );
  const lineOf = (name: string, date: string, symbol: string) =>
    all.find((line) => line.name.includes(name) && line.date === date && line.symbol === symbol);
  const facts: readonly (readonly [string, string, number])[] = [
    ["2026-09-04", "AAPL", 0.525012],
    ["2026-09-04", "BRK.B", 0.214927],
    ["2026-06-26", "NVDA", 0.360977],
  ];
  for (const [date, symbol, ratio] of facts) {
    const line = lineOf("cnms", date, symbol);
    if (line)
      test(`${symbol} on ${date} has the ratio ${ratio}`, () => {
        expect(line.short_volume / line.total_volume).toBeCloseTo(ratio, 6);
      });
  }

  const parts = ["FNSQ", "FNYX", "FNQC"].map((name) => lineOf(name, "2021-01-28", "XRT"));
  for (const line of parts)
    if (line)
      test(`XRT on 2021-01-28 in the file of ${line.market}`, () => {
        const wanted: Record<string, number[]> = {
          Q: [5546950, 200563, 7971423],
          N: [165498, 166, 466977],
          B: [500, 0, 14111],
        };
        expect([line.short_volume, line.short_exempt_volume, line.total_volume]).toEqual(
          (wanted[line.market] ?? []) as (number | null)[],
        );
      });
  if (all.some((line) => line.date < "2021-07-17"))
    test("volumes of 2021 and before are whole shares", () => {
      for (const line of all.filter(({ date }) => date < "2021-07-17"))
        expect([line.short_volume, line.total_volume].every(Number.isInteger)).toBe(true);
    });
  for (const [pattern, code, first] of [
    [/derived-FNRA-D-2014/, "D", "2014-05-13"],
    [/derived-FNRA-2014/, "Q", "2014-02-24"],
  ] as const) {
    const lines = all.filter(({ name }) => pattern.test(name));
    if (lines.length > 0)
      test(`${lines[0]?.name}: the code is ${code}, whatever the name says, from ${first} on`, () => {
        expect(new Set(lines.map(({ market }) => market))).toEqual(new Set([code]));
        expect(lines[0]?.date).toBe(first);
      });
  }
});

describe("short interest", () => {
  test.each(interests)("%s: every line is read as it is", (name) => {
    const rows = textIn(name)
      .trimEnd()
      .split(/\r?\n/)
      .map((row) => row.split("|"));
    const header = rows[0] ?? [];
    const lines = readShortInterest(textIn(name), name);
    expect(lines).toHaveLength(rows.length - 1);
    for (const [i, line] of lines.entries()) {
      const field = (wanted: string) => rows[i + 1]?.[header.indexOf(wanted)] ?? "";
      const figure = (wanted: string) => (field(wanted) === "" ? null : Number(field(wanted)));
      expect(line.finra_symbol).toBe(field("symbolCode"));
      expect(line.settlement_date).toBe(field("settlementDate"));
      expect(line.short_interest).toBe(Number(field("currentShortPositionQuantity")));
      expect(line.previous_short_interest).toBe(figure("previousShortPositionQuantity"));
      expect(line.change).toBe(figure("changePreviousNumber"));
      expect(line.change_percent).toBe(figure("changePercent"));
      expect(line.avg_daily_volume).toBe(figure("averageDailyVolumeQuantity"));
      if (field("daysToCoverQuantity") === "999.99") expect(line.days_to_cover).toBeNull();
      else if (line.avg_daily_volume !== 0) expect(line.days_to_cover).toBe(figure("daysToCoverQuantity"));
      if (line.previous_short_interest !== null && line.change !== null)
        expect(line.short_interest - line.previous_short_interest).toBe(line.change);
    }
  });

  test.each(interests)("%s comes through the provider under its settlement date", async (name) => {
    const lines = readShortInterest(textIn(name), name);
    const date = lines[0]?.settlement_date ?? "";
    const { provider } = fakeFinra((asked) =>
      asked === `shrt${date.replaceAll("-", "")}.csv` ? { body: bytesOf(name) } : NO_FILE,
    );
    expect((await provider.shortInterest(date))?.lines).toEqual(lines);
    const [, year, month, day] = COMPACT.exec(name) ?? [];
    if (year) expect(date).toBe(`${year}-${month}-${day}`);
  });

  const july = interests
    .flatMap((name) => readShortInterest(textIn(name), name))
    .filter(({ settlement_date }) => settlement_date === "2021-07-15");
  const of = (symbol: string) => july.find(({ finra_symbol }) => finra_symbol === symbol);
  if (of("AAPL"))
    test("AAPL on 2021-07-15", () => {
      expect(of("AAPL")).toMatchObject({
        short_interest: 96355309,
        previous_short_interest: 90213531,
        change: 6141778,
        change_percent: 6.81,
        days_to_cover: 1,
      });
    });
  if (of("AAALF"))
    test("AAALF on 2021-07-15 had no volume: its 999.99 days are no number of days", () => {
      expect(of("AAALF")).toMatchObject({ avg_daily_volume: 0, days_to_cover: null });
    });
});
