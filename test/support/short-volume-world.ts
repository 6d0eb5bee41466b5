// Short volume for tests: days taken in, and what FINRA's files say when they are read without the service's
// code.
import { expect } from "bun:test";
import type { SampleService, TestService } from "./service.ts";

export const SV = "/api/v1/shortvolume";

export interface IngestBody {
  job_id: number;
  status: string;
  requested_dates: string[];
  ingested: { date: string; rows: number }[];
  skipped: { date: string; reason: string }[];
  failed: { date: string; error: string }[];
  rows_inserted: number;
  rows_updated: number;
  processed: number;
  total: number;
  error: string | null;
}

/** Takes days in and waits for the end. */
export async function ingest(service: TestService, body: object): Promise<IngestBody> {
  const begun = await service.post<IngestBody>(`${SV}/admin/ingest`, body);
  expect([200, 202]).toContain(begun.status);
  if (begun.status === 200) return begun.body;
  for (;;) {
    const { body: state } = await service.get<IngestBody>(`${SV}/admin/ingest/${begun.body.job_id}`);
    if (state.status !== "running") return state;
    await Bun.sleep(50);
  }
}

/** A line of a file, field by field. */
export interface RawLine {
  symbol: string;
  short: number;
  exempt: number;
  total: number;
}

/** How FINRA spells a symbol to how the service does; the few forms the sample market has. */
export function plainSymbol(spelled: string): string {
  if (/^[A-Z]+\/[A-QS-VX-Z]$/.test(spelled) || spelled.endsWith("/WS")) return spelled.replace("/", ".");
  if (/^[A-Z]+p[A-Z]$/.test(spelled)) return spelled.replace("p", ".PR");
  if (/^[A-Z]+r$/.test(spelled)) return `${spelled.slice(0, -1)}.RT`;
  if (/^[A-Z]+w$/.test(spelled)) return `${spelled.slice(0, -1)}.WI`;
  return spelled;
}

const TESTS = new Set(["NTEST.A", "ZBZX", "ZTEST", "ZVZZT", "ZXZZT"]);

/**
 * The lines of a day as the sample's file has them now, test symbols left out; null where there is no file.
 */
export async function rawFile(service: SampleService, date: string): Promise<RawLine[] | null> {
  const name = `CNMSshvol${date.replaceAll("-", "")}.txt`;
  const response = await fetch(`${service.sample.url}/cdn.finra.org/equity/regsho/daily/${name}`);
  const text = await response.text();
  if (response.status === 403) return null;
  return text
    .split("\r\n")
    .slice(1)
    .filter((line) => line.includes("|"))
    .map((line) => line.split("|"))
    .filter(([, spelled = ""]) => !TESTS.has(spelled))
    .map(([, spelled = "", short, exempt, total]) => ({
      symbol: plainSymbol(spelled),
      short: Number(short),
      exempt: Number(exempt),
      total: Number(total),
    }));
}

/** Adjusted closes by date as the price provider's chart of a symbol (its own spelling) has them now. */
export async function rawCloses(
  service: SampleService,
  symbol: string,
  start: string,
): Promise<Map<string, number>> {
  const from = Math.floor(Date.parse(`${start}T00:00:00Z`) / 1000);
  const to = Math.floor(service.clock.nowMs() / 1000);
  const query = `interval=1d&period1=${from}&period2=${to}&events=div%7Csplit%7CcapitalGains`;
  const url = `${service.sample.url}/query1.finance.yahoo.com/v8/finance/chart/${encodeURIComponent(symbol)}?${query}`;
  const body = (await (await fetch(url)).json()) as {
    chart: {
      result:
        | [{ timestamp?: number[]; indicators: { adjclose?: [{ adjclose?: (number | null)[] }] } }]
        | null;
    };
  };
  const result = body.chart.result?.[0];
  const closes = new Map<string, number>();
  for (const [i, at] of (result?.timestamp ?? []).entries()) {
    const close = result?.indicators.adjclose?.[0].adjclose?.[i];
    // A session opens in the afternoon of UTC, on the same date as in New York.
    const date = new Date(at * 1000).toISOString().slice(0, 10);
    if (close != null) closes.set(date, close);
  }
  return closes;
}
