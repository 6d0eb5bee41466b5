// Every recorded quoteSummary of Yahoo's through the provider: profiles, absent modules, refusals.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exchangeCalendar } from "../../src/market/calendar.ts";
import type { CompanyProfile } from "../../src/market/company-profile.ts";
import { yahoo } from "../../src/providers/yahoo/index.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { fakeUpstream } from "../support/fake-yahoo.ts";

setDefaultTimeout(1_200_000);

const folder = join(
  process.env.CONFORMANCE_DIR ?? join(import.meta.dir, "../../../shared/real"),
  "yahoo/quoteSummary",
);
const clock = fakeClock("2026-01-05T15:00:00Z");

type Fields = Record<string, unknown>;
type Modules = Record<string, Fields | undefined>;

/** The profile the provider reads from a recorded answer. */
async function through(file: string, symbol: string): Promise<CompanyProfile | null> {
  const sidecar = join(folder, `${file}.meta.json`);
  const status = existsSync(sidecar)
    ? (JSON.parse(readFileSync(sidecar, "utf8")).response?.status ?? 200)
    : 200;
  const upstream = fakeUpstream(clock, ({ hostname, pathname }) => {
    if (hostname === "fc.yahoo.com")
      return { status: 404, headers: [["set-cookie", "A3=x; Domain=.yahoo.com"]] };
    if (pathname === "/v1/test/getcrumb") return { body: "abcDEF12345" };
    return { status, body: readFileSync(join(folder, file), "utf8") };
  });
  const path = mkdtempSync(join(tmpdir(), "asof-yahoo-"));
  try {
    const log = { info() {}, warn() {} };
    const credentialsPath = join(path, "session.json");
    return await yahoo({ upstream, clock, calendar: exchangeCalendar(), log, credentialsPath }).profile(
      symbol,
    );
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}

const files = existsSync(folder)
  ? readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".json") && !file.endsWith(".meta.json"))
      .sort()
  : [];
const bodyOf = (file: string): { quoteSummary?: { result: Modules[] | null } } =>
  JSON.parse(readFileSync(join(folder, file), "utf8"));
const answers = files.filter((file) => bodyOf(file).quoteSummary?.result?.[0]);
const refusals = files.filter((file) => bodyOf(file).quoteSummary && !bodyOf(file).quoteSummary?.result);

if (answers.length === 0) test("skipped: no recordings", () => {});

/** A field as it stands in a recording, plain or formatted; null for "" and absence. */
function field(modules: Modules, module: string, key: string): unknown {
  const value = modules[module]?.[key];
  const raw = typeof value === "object" && value !== null ? (value as { raw?: unknown }).raw : value;
  return raw === undefined || raw === "" ? null : raw;
}

describe.if(answers.length > 0)("recorded answers", () => {
  test("there are many", () => {
    expect(answers.length).toBeGreaterThan(60);
    expect(refusals.length).toBeGreaterThan(40);
  });

  for (const file of answers)
    test(file, async () => {
      const modules = bodyOf(file).quoteSummary?.result?.[0] ?? {};
      const profile = await through(file, "ZQX");
      const read = ["assetProfile", "price", "summaryDetail", "defaultKeyStatistics", "quoteType"];
      if (read.every((name) => !modules[name])) {
        expect(profile).toBeNull();
        return;
      }
      if (!profile) throw new Error("no profile");
      const asset = (key: string) => field(modules, "assetProfile", key);
      expect<unknown>(profile.sector).toBe(asset("sector"));
      expect<unknown>(profile.industry).toBe(asset("industry"));
      expect<unknown>(profile.description).toBe(asset("longBusinessSummary"));
      expect<unknown>(profile.website).toBe(asset("website"));
      expect<unknown>(profile.country).toBe(asset("country"));
      expect<unknown>(profile.employees).toBe(asset("fullTimeEmployees"));
      const cap = field(modules, "price", "marketCap") ?? field(modules, "summaryDetail", "marketCap");
      expect<unknown>(profile.market_cap).toBe(cap);
      const at = field(modules, "price", "regularMarketTime");
      if (cap !== null && typeof at === "number")
        expect(Temporal.Instant.from(profile.market_cap_as_of ?? "").epochMilliseconds).toBe(at * 1000);
      else expect(profile.market_cap_as_of).toBeNull();
      expect<unknown>(profile.shares_outstanding).toBe(
        field(modules, "defaultKeyStatistics", "sharesOutstanding"),
      );
      const code = field(modules, "price", "exchange") ?? field(modules, "quoteType", "exchange");
      expect<unknown>(profile.exchange).toBe(code === "YHD" ? null : code);
    });

  for (const file of refusals)
    test(file, async () => {
      expect(await through(file, "ZQX")).toBeNull();
    });
});
