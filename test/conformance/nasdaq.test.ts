// Nasdaq's recorded calendars and pages through the provider.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { nasdaq } from "../../src/providers/nasdaq/index.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { fakeNasdaq } from "../support/fake-nasdaq.ts";

setDefaultTimeout(1_200_000);

const folder = join(process.env.CONFORMANCE_DIR ?? join(import.meta.dir, "../../../shared/real"), "nasdaq");
const clock = fakeClock("2026-09-09T21:00:00Z");

type Cells = Readonly<Record<string, unknown>>;
interface Body {
  readonly data?: {
    readonly rows?: Cells[] | null;
    readonly asOf?: string;
    readonly dividends?: { readonly rows: Cells[] | null };
    readonly earningsSurpriseTable?: { readonly rows: Cells[] | null };
    readonly calendar?: { readonly rows: Cells[] | null };
  } | null;
}

const files = existsSync(folder)
  ? readdirSync(folder).filter((name) => name.endsWith(".json") && !name.endsWith(".meta.json"))
  : [];
const bodies = files.map((file) => ({
  file,
  body: JSON.parse(readFileSync(join(folder, file), "utf8")) as Body,
}));
const having = (has: (data: NonNullable<Body["data"]>) => boolean) =>
  bodies.filter(({ body }) => body.data && !Array.isArray(body) && has(body.data));

const through = (body: Body) => nasdaq(fakeNasdaq(clock, () => ({ body })));

/** `($0.35)` and `$1.74` as numbers, read another way than the provider does. */
function money(text: unknown): number | null {
  const digits = String(text ?? "").replace(/[^\d.]/g, "");
  return digits === "" ? null : Number(digits) * (/^\(|^-/.test(String(text)) ? -1 : 1);
}
/** M/D/YYYY. */
function day(text: unknown): string | null {
  const [month, date, year] = String(text ?? "")
    .split("/")
    .map(Number);
  return year ? new Date(Date.UTC(year, (month ?? 1) - 1, date)).toISOString().slice(0, 10) : null;
}
const month = (text: unknown) =>
  new Date(`1 ${String(text).replace("/", " ")} UTC`).toISOString().slice(0, 7);

const calendars = having((data) => typeof data.asOf === "string" && Array.isArray(data.rows));
const surprises = having((data) => data.earningsSurpriseTable !== undefined);
const dividends = having((data) => data.dividends !== undefined);
const days = having((data) => data.calendar !== undefined);

if (calendars.length + surprises.length + dividends.length + days.length === 0)
  test.skip("skipped: no recordings", () => {});

describe.if(calendars.length > 0)("earnings calendars", () => {
  for (const { file, body } of calendars)
    test(file, async () => {
      const { rows, unread } = await through(body).earningsOn("2024-07-01");
      const sent = body.data?.rows ?? [];
      expect(rows.length + unread).toBe(sent.length);
      expect(unread).toBeLessThanOrEqual(sent.length / 20);
      const bySymbol = new Map(sent.map((row) => [String(row.symbol).replace("/", "."), row]));
      for (const row of rows.filter(({ symbol }) => bySymbol.has(symbol))) {
        const own = bySymbol.get(row.symbol) ?? {};
        expect(row.eps_estimate).toBe(money(own.epsForecast));
        expect(row.eps_last_year).toBe(money(own.lastYearEPS));
        expect(row.eps_actual).toBe(money(own.eps));
        expect(row.estimate_count).toBe(money(own.noOfEsts));
        expect(row.last_year_report_date).toBe(day(own.lastYearRptDt));
        expect(row.fiscal_quarter).toBe(month(own.fiscalQuarterEnding));
        const time = { "time-pre-market": "bmo", "time-after-hours": "amc" }[String(own.time)] ?? "unknown";
        expect<string>(row.report_time).toBe(time);
      }
      // In brackets is negative, whatever stands in them.
      for (const own of sent.filter((row) => /^\(/.test(String(row.epsForecast)))) {
        const row = rows.find(({ symbol }) => symbol === own.symbol);
        if (row) expect(row.eps_estimate).toBeLessThanOrEqual(0);
      }
    });
});

describe.if(surprises.length > 0)("surprises", () => {
  for (const { file, body } of surprises)
    test(file, async () => {
      const { rows } = await through(body).surprises("ZQX");
      const sent = body.data?.earningsSurpriseTable?.rows ?? [];
      expect(rows.length).toBe(sent.length);
      for (const [i, row] of rows.entries()) {
        const own = sent[i] ?? {};
        expect(row.fiscal_quarter).toBe(month(own.fiscalQtrEnd));
        expect(row.report_date).toBe(day(own.dateReported));
        expect(row.eps_actual).toBe(own.eps === "N/A" ? null : Number(own.eps));
        expect(row.eps_estimate).toBe(own.consensusForecast === "N/A" ? null : Number(own.consensusForecast));
        // The provider's own percentage follows from the two, of the estimate's size.
        const percent = Number(own.percentageSurprise);
        if (row.eps_actual !== null && row.eps_estimate && Number.isFinite(percent)) {
          const ours = ((row.eps_actual - row.eps_estimate) / Math.abs(row.eps_estimate)) * 100;
          expect(Math.abs(ours - percent)).toBeLessThan(0.011);
        }
      }
    });
});

describe.if(dividends.length > 0)("dividends of a symbol", () => {
  for (const { file, body } of dividends)
    test(file, async () => {
      const page = await through(body).dividends("ZQX", "stocks");
      const sent = body.data?.dividends?.rows ?? [];
      expect(page.rows.length).toBe(sent.length);
      if (sent.length > 0) expect(page.is_covered).toBe(true);
      for (const [i, row] of page.rows.entries()) {
        const own = sent[i] ?? {};
        expect<unknown>(row.ex_dividend_date).toBe(day(own.exOrEffDate));
        expect(row.declaration_date).toBe(day(own.declarationDate));
        expect(row.record_date).toBe(day(own.recordDate));
        expect(row.payment_date).toBe(day(own.paymentDate));
        // As paid: exactly what is written, whatever splits came since.
        if (row.dividend_type !== "stock") expect(row.amount).toBe(money(own.amount));
        if (own.type === "Cash") expect(row.dividend_type).toBe("cash");
        expect<unknown>(row.currency).toBe(own.currency ?? null);
      }
      const dates = page.rows.map((row) => row.ex_dividend_date);
      expect(dates).toEqual(dates.toSorted().reverse());
    });
});

describe.if(days.length > 0)("dividends of a day", () => {
  for (const { file, body } of days)
    test(file, async () => {
      const sent = body.data?.calendar?.rows ?? [];
      const date = day(sent[0]?.dividend_Ex_Date) ?? "2026-01-02";
      const { rows, unread } = await through(body).dividendsOn(date);
      expect(rows.length + unread).toBe(sent.length);
      for (const row of rows) {
        const own = sent.find(({ symbol }) => symbol === row.symbol);
        if (!own) continue;
        expect<unknown>(row.amount).toBe(own.dividend_Rate ?? null);
        expect(row.payment_date).toBe(day(own.payment_Date));
        expect(row.declaration_date).toBe(day(own.announcement_Date));
      }
    });
});
