// Recorded reports of holdings (NPORT-P) through the parser, and recorded fund modules of the price provider.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isUnread, type NportReport, parseNport } from "../../src/providers/edgar/index.ts";
import { readFund, Wire } from "../../src/providers/yahoo/index.ts";
import { bytesOf, listed, textOf } from "./edgar-recordings.ts";

setDefaultTimeout(1_200_000);

const reports = listed("nport", /\.xml$/);
if (reports.length === 0) test("skipped: no recordings", () => {});

async function read(file: string): Promise<NportReport> {
  const report = await parseNport(bytesOf(file));
  if (isUnread(report)) throw new Error(report.message);
  return report;
}

/** The document with its comments taken out. */
const plain = (file: string) => textOf(file).replace(/<!--[\s\S]*?-->/g, "");
const sum = (numbers: readonly (number | null)[]) =>
  numbers.reduce<number>((total, n) => total + (n ?? 0), 0);
const only = (text: string, name: string) =>
  new RegExp(`<(?:[\\w.-]+:)?${name}>([^<]*)</`).exec(text)?.[1]?.trim() ?? null;

describe.if(reports.length > 0)("recorded reports", () => {
  for (const file of reports)
    test(file, async () => {
      const [report, text] = [await read(file), plain(file)];
      expect(report.period_end).toBe(only(text, "repPdDate") ?? "");
      expect(report.fiscal_year_end).toBe(only(text, "repPdEnd"));
      expect(report.net_assets).toBe(Number(only(text, "netAssets")));
      expect(report.warnings).toEqual([]);
      const pieces = text.split(/<(?:[\w.-]+:)?invstOrSec>/).slice(1);
      expect(report.holdings).toHaveLength(pieces.length);
      const numbers = (name: string) => pieces.map((piece) => Number(only(piece, name)));
      expect(report.holdings.map(({ weight_percent }) => weight_percent)).toEqual(numbers("pctVal"));
      expect(report.holdings.map(({ value_usd }) => value_usd)).toEqual(numbers("valUSD"));
      expect(report.holdings.map(({ balance }) => balance)).toEqual(numbers("balance"));
      expect(report.holdings.map(({ derivative_kind }) => derivative_kind)).toEqual(
        pieces.map((piece) => /derivCat="([A-Z]+)"/.exec(piece)?.[1] ?? null),
      );
      const series = only(text, "seriesId");
      expect(report.series_id).toBe(series !== null && /^S\d{9}$/.test(series) ? series : null);
    });
});

const DUPREE = reports.find((file) => file.includes("Dupree"));
test.if(DUPREE !== undefined)(
  "a bond fund of 2022: its day is not the end of its fiscal year, weights do not sum to 100",
  async () => {
    const report = await read(DUPREE ?? "");
    expect(report).toMatchObject({
      form_type: "NPORT-P",
      registrant_cik: "0000311101",
      series_id: "S000012000",
      period_end: "2022-12-31",
      fiscal_year_end: "2023-06-30",
      net_assets: 41_349_926.01,
    });
    expect(report.holdings).toHaveLength(55);
    expect(sum(report.holdings.map(({ weight_percent }) => weight_percent))).toBeCloseTo(97.8357898155, 9);
    expect(sum(report.holdings.map(({ value_usd }) => value_usd))).toBeCloseTo(40_455_026.7, 2);
    expect(report.holdings[0]).toMatchObject({
      line: 1,
      name: "KENTUCKY ST PPTY & BLDGS COMMN",
      cusip: "49151FGH7",
      balance: 755_000,
      units: "PA",
      value_usd: 794_207.15,
      weight_percent: 1.9206978745,
      lei: null,
      payoff_profile: "Long",
    });
  },
);

const LARGE = reports.find((file) => file.includes("large"));
test.if(LARGE !== undefined)("thousands of holdings", async () => {
  // Some lines of the file hold two of them.
  const lines = plain(LARGE ?? "")
    .split("\n")
    .filter((line) => line.includes("<invstOrSec>")).length;
  expect((await read(LARGE ?? "")).holdings.length).toBeGreaterThanOrEqual(lines);
});

const FUNDS = join(
  process.env.CONFORMANCE_DIR ?? join(import.meta.dir, "../../../shared/real"),
  "yahoo/quoteSummary",
);
type Modules = Record<string, Record<string, unknown> | undefined>;
const summaries = existsSync(FUNDS)
  ? readdirSync(FUNDS, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".json") && !file.endsWith(".meta.json"))
      .flatMap((file) => {
        const body = JSON.parse(readFileSync(join(FUNDS, file), "utf8"));
        const modules: Modules | undefined = body.quoteSummary?.result?.[0];
        return modules?.fundProfile || modules?.topHoldings ? [{ file, modules }] : [];
      })
  : [];

/** A number, plain or formatted. */
const raw = (value: unknown): number | null => {
  const number = typeof value === "object" && value !== null ? (value as { raw?: unknown }).raw : value;
  return typeof number === "number" ? number : null;
};

describe.if(summaries.length > 0)("recorded fund modules", () => {
  for (const { file, modules } of summaries)
    test(file, () => {
      const wires = new Map(
        Object.entries(modules).map(([name, value]) => [name, new Wire("x", name, value)]),
      );
      const fund = readFund("ZQX", wires, Temporal.Instant.from("2026-01-05T15:00:00Z"));
      const { fundProfile, topHoldings, summaryDetail, quoteType, price } = modules;
      expect<unknown>(fund.issuer).toBe(fundProfile?.family || null);
      const held = topHoldings?.holdings as { holdingPercent: unknown }[] | undefined;
      expect(fund.holdings?.length).toBe(held?.length);
      for (const [i, { holdingPercent }] of (held ?? []).entries())
        expect(fund.holdings?.[i]?.weight_percent).toBeCloseTo((raw(holdingPercent) ?? 0) * 100, 9);
      const weights = topHoldings?.sectorWeightings as Record<string, unknown>[] | undefined;
      expect(sum((fund.sectors ?? []).map(({ weight_percent }) => weight_percent))).toBeCloseTo(
        sum((weights ?? []).flatMap((one) => Object.values(one).map(raw))) * 100,
        6,
      );
      for (const { sector } of fund.sectors ?? []) expect(sector).toMatch(/^[A-Z]/);
      expect(fund.total_assets).toBe(raw(summaryDetail?.totalAssets));
      expect(fund.nav).toBe(raw(summaryDetail?.navPrice));
      const isDelistedStub = (price?.exchange ?? quoteType?.exchange) === "YHD";
      expect<unknown>(fund.quote_type).toBe(
        isDelistedStub ? null : (price?.quoteType ?? quoteType?.quoteType ?? null),
      );
      const fees = fundProfile?.feesExpensesInvestment as Record<string, unknown> | undefined;
      const ratio = raw(fees?.annualReportExpenseRatio);
      // A record of nothing but zeros is no record.
      expect(fund.expense_ratio).toBe(ratio === 0 && !raw(fees?.totalNetAssets) ? null : ratio);
    });
});
