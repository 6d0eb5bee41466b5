// Sixty clients of heavy requests, and what light requests beside them take once they hold a place.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveSample } from "../../sample/serve.ts";
import { type Measurement, median, ms, type Setting, steadyRandom } from "./measure.ts";
import { type ServiceProcess, startService } from "./service-process.ts";

const CLIENTS = 60;
const SECONDS = 300;
const QUICK_SECONDS = 60;
const SYMBOLS = 40;
const COMPANIES = 12;
/** A client that finds no place asks again after this. */
const NO_PLACE_MS = 250;
const LIGHT_P99_MS = 2_000;
const SPAN = "start_date=2025-01-02&end_date=2026-08-31";

type Kinds = Readonly<Record<string, (random: () => number) => string>>;

const kindsOf = (symbols: readonly string[], companies: readonly string[]) => {
  const one = (of: readonly string[], random: () => number) => of[Math.floor(random() * of.length)] ?? "";
  const heavy: Kinds = {
    statements: (random) => `financial/data/${one(companies, random)}?period_type=all&include_sources=true`,
    panel: () => "shortvolume/pit-panel?days=10&format=csv",
    "many symbols": () => `price/data?tickers=${symbols.join(",")}&${SPAN}`,
    ledger: () => "changes?since=0&limit=100000&format=csv",
  };
  const light: Kinds = {
    live: () => "health/live",
    "one symbol": (random) => `price/data/${one(symbols, random)}?${SPAN}`,
    filings: (random) => `filings/search?ticker=${one(companies, random)}`,
    versions: () => "versions?limit=20",
  };
  return { heavy, light };
};

/** Fills the store with what the kinds ask for. */
async function prepare(
  { url }: ServiceProcess,
  kinds: ReturnType<typeof kindsOf>,
  companies: readonly string[],
) {
  const post = (path: string, body: unknown) =>
    fetch(`${url}/api/v1/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }).then((response) => response.text());
  await post("shortvolume/admin/ingest", { days: 10 });
  await post("financial/data/bulk", { tickers: companies, period: "5y" });
  for (const of of [kinds.heavy, kinds.light])
    for (const path of Object.values(of)) await (await fetch(`${url}/api/v1/${path(() => 0)}`)).text();
}

/** Asks for kinds in turn until the time is over; the milliseconds of each answer by kind. */
async function client(url: string, kinds: Kinds, seed: number, until: number, took: Map<string, number[]>) {
  const random = steadyRandom(seed);
  const names = Object.keys(kinds);
  for (let n = seed; performance.now() < until; n++) {
    const kind = names[n % names.length] ?? "";
    const path = kinds[kind]?.(random) ?? "";
    const began = performance.now();
    const response = await fetch(`${url}/api/v1/${path}`, { headers: { "accept-encoding": "identity" } });
    await response.bytes();
    const label = response.status === 200 ? kind : `${kind}: ${response.status}`;
    took.set(label, [...(took.get(label) ?? []), performance.now() - began]);
    if (response.status === 503) await Bun.sleep(NO_PLACE_MS);
  }
}

const p99 = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? Number.NaN;

async function measured({ quick, tell }: Setting) {
  const dataDir = await mkdtemp(join(tmpdir(), "asof-doors-"));
  const upstream = await serveSample({ symbols: 200 });
  const service = await startService({
    SEC_USER_AGENT: "Asof bench bench@asof.example",
    DATA_DIR: dataDir,
    UPSTREAM_GATEWAY: upstream.url,
    JOBS: "off",
  });
  try {
    const symbols = upstream.market.symbols();
    const companies = symbols.slice(0, COMPANIES);
    const kinds = kindsOf(symbols.slice(0, SYMBOLS), companies);
    await prepare(service, kinds, companies);
    const took = new Map<string, number[]>();
    const until = performance.now() + (quick ? QUICK_SECONDS : SECONDS) * 1_000;
    await Promise.all([
      ...Array.from({ length: CLIENTS }, (_, n) => client(service.url, kinds.heavy, n, until, took)),
      ...Array.from({ length: 4 }, (_, n) => client(service.url, kinds.light, n, until, took)),
    ]);
    for (const [kind, values] of [...took].sort())
      tell(`${kind}: ${values.length} answers, p50 ${ms(median(values))}, p99 ${ms(p99(values))}`);
    return Object.keys(kinds.light).map((kind) => {
      const longest = p99(took.get(kind) ?? []);
      return {
        what: `p99 of ${kind}: ${ms(longest)}`,
        against: ms(LIGHT_P99_MS),
        ratio: longest / LIGHT_P99_MS,
      };
    });
  } finally {
    await service.stop();
    await upstream.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

export const doors: Measurement = {
  name: "doors",
  description: `light requests beside ${CLIENTS} clients of heavy ones, once they hold a place`,
  goal: { kind: "at most", ratio: 1 },
  run: measured,
};
