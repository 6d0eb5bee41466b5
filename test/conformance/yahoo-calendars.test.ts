// Yahoo's recorded calendars through the provider: a company's next report, and a day's reports.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exchangeCalendar } from "../../src/market/calendar.ts";
import { readEarningsEvents, Wire, yahoo } from "../../src/providers/yahoo/index.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { fakeUpstream } from "../support/fake-yahoo.ts";

setDefaultTimeout(1_200_000);

const folder = join(process.env.CONFORMANCE_DIR ?? join(import.meta.dir, "../../../shared/real"), "yahoo");
const clock = fakeClock("2026-01-05T15:00:00Z");

const listed = (part: string) =>
  existsSync(join(folder, part))
    ? readdirSync(join(folder, part), { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".json") && !file.endsWith(".meta.json"))
        .sort()
        .map((file) => join(part, file))
    : [];
const bodyOf = (file: string) => JSON.parse(readFileSync(join(folder, file), "utf8"));

type Fields = Readonly<Record<string, unknown>>;
const events = listed("quoteSummary").flatMap((file) => {
  const module = bodyOf(file).quoteSummary?.result?.[0]?.calendarEvents as
    | (Fields & { earnings?: Fields & { earningsDate?: unknown[] } })
    | undefined;
  return module ? [{ file, module }] : [];
});
const pages = listed("visualization").flatMap((file) => {
  const result = bodyOf(file).finance?.result?.[0];
  return result?.documents?.[0]?.entityIdType === "EARNINGS" ? [{ file, result }] : [];
});

if (events.length + pages.length === 0) test.skip("skipped: no recordings", () => {});

/** A field plain or as `{raw, fmt}`. */
const rawOf = (value: unknown): number | null => {
  const raw = typeof value === "object" && value !== null ? (value as { raw?: unknown }).raw : value;
  return typeof raw === "number" ? raw : null;
};

async function through(file: string) {
  const upstream = fakeUpstream(clock, ({ hostname, pathname }) => {
    if (hostname === "fc.yahoo.com")
      return { status: 404, headers: [["set-cookie", "A3=x; Domain=.yahoo.com"]] };
    if (pathname === "/v1/test/getcrumb") return { body: "abcDEF12345" };
    return { body: readFileSync(join(folder, file), "utf8") };
  });
  const path = mkdtempSync(join(tmpdir(), "asof-yahoo-"));
  try {
    const log = { info() {}, warn() {} };
    const needs = { upstream, clock, calendar: exchangeCalendar(), log };
    return await yahoo({ ...needs, credentialsPath: join(path, "session.json") }).calendarEvents("ZQX");
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}

describe.if(events.length > 0)("calendarEvents", () => {
  for (const { file, module } of events)
    test(file, async () => {
      const found = await through(file);
      const earnings = module.earnings ?? {};
      const stamps = (earnings.earningsDate ?? []).flatMap((item) => rawOf(item) ?? []).sort((a, b) => a - b);
      // A midnight of UTC is a day without a time, all else a moment of a New York day.
      const days = [
        ...new Set(
          stamps.map((s) =>
            new Intl.DateTimeFormat("en-CA", { timeZone: s % 86_400 ? "America/New_York" : "UTC" }).format(
              s * 1000,
            ),
          ),
        ),
      ];
      expect(found?.report_date ?? null).toBe(days[0] ?? null);
      expect(found?.report_date_end ?? null).toBe(days.length > 1 ? (days.at(-1) ?? null) : null);
      expect(found?.eps_estimate ?? null).toBe(rawOf(earnings.earningsAverage));
      expect(found?.revenue_estimate ?? null).toBe(rawOf(earnings.revenueAverage));
      // A window is never a confirmed day, whatever the flag says, and has no time of day.
      if (days.length > 1) expect([found?.is_confirmed, found?.report_time]).toEqual([false, "unknown"]);
      else if (days.length === 1 && typeof earnings.isEarningsDateEstimate === "boolean")
        expect(found?.is_confirmed).toBe(!earnings.isEarningsDateEstimate);
      const exDate = rawOf(module.exDividendDate);
      expect(found?.ex_dividend_date ?? null).toBe(
        exDate === null ? null : new Date(exDate * 1000).toISOString().slice(0, 10),
      );
    });
});

describe.if(pages.length > 0)("a day's reports", () => {
  for (const { file, result } of pages)
    test(file, () => {
      const criteria = JSON.parse(result.rawCriteria ?? "{}") as {
        query?: { operands?: { operator: string; operands: string[] }[] };
      };
      const from = criteria.query?.operands?.find(({ operator }) => /^gte$/i.test(operator));
      const date = from?.operands[1]?.slice(0, 10) ?? "";
      const { rows, listed: lines, total } = readEarningsEvents(date, new Wire("v", "v", bodyOf(file)));
      const document = result.documents[0];
      const at = (name: string) => document.columns.findIndex((column: Fields) => column.id === name);
      expect(lines).toBe(document.rows.length);
      expect(total).toBe(result.total);
      const byTicker = new Map<string, unknown[]>(
        document.rows.map((row: unknown[]) => [String(row[at("ticker")]), row]),
      );
      expect(rows.length).toBeGreaterThan(lines * 0.9);
      for (const row of rows) {
        const own = byTicker.get(row.symbol.replace(".", "-"));
        if (!own) continue;
        expect<unknown>(row.eps_estimate).toBe(own[at("epsestimate")] ?? null);
        expect<unknown>(row.eps_actual).toBe(own[at("epsactual")] ?? null);
        expect<unknown>(row.is_confirmed).toBe(own[at("dateisestimate")] === false);
        if (["TNS", "TAS"].includes(String(own[at("startdatetimetype")])))
          expect(row.report_time).toBe("unknown");
      }
    });
});
