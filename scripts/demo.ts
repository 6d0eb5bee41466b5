// `bun run demo`: the real service on the sample market, in a data folder of its own. DEMO_FILL=off reads
// nothing beforehand.
import { resolve } from "node:path";
import { SUGGESTED } from "../sample/market.ts";
import { serveSample } from "../sample/serve.ts";
import { newYorkDate } from "../src/market/calendar.ts";
import { addDays } from "../src/market/date.ts";
import { systemClock } from "../src/platform/clock.ts";
import { type Ask, fillDemo } from "./demo-fill.ts";

const root = resolve(import.meta.dir, "..");
const dataDir = process.env.DATA_DIR ?? resolve(root, "data", "demo");
/** The name under which the sample's SEC is asked. */
const USER_AGENT = "Asof demo demo@example.com";
const sample = await serveSample({});
const child = Bun.spawn([process.execPath, "src/main.ts"], {
  cwd: root,
  env: {
    ...process.env,
    DATA_DIR: dataDir,
    UPSTREAM_GATEWAY: sample.url,
    DATA_MODE: "sample",
    SEC_USER_AGENT: USER_AGENT,
    MARKETFEED_API_KEY: "SAMPLEKEY",
    MARKETFEED_SECRET_KEY: "sample-secret",
    ECONDATA_API_KEY: "0123456789abcdef0123456789abcdef",
    LOG_LEVEL: process.env.LOG_LEVEL ?? "warn",
    ENVIRONMENT: "demo",
  },
  stdio: ["ignore", "pipe", "inherit"],
});

function tell(address: string): void {
  const [a, b] = SUGGESTED;
  const today = newYorkDate(systemClock.now());
  const start = addDays(today, -90);
  process.stdout.write(`
Asof runs on the sample market: fictional companies, real machinery. Nothing leaves this machine.

  Console         ${address}/  and  ${address}/ticker/${a}
  API reference   ${address}/docs
  Data folder     ${dataDir}

Three calls to try:
  curl '${address}/api/v1/price/data/${a}?period=1m'
  curl '${address}/api/v1/price/data?tickers=${a},${b}&start_date=${start}&end_date=${today}&format=csv'
  curl '${address}/api/v1/price/quote/${b}'

For SQL and the command line on this data, in a second terminal while the demo runs:
  export DATA_DIR='${dataDir}' UPSTREAM_GATEWAY='${sample.url}' SEC_USER_AGENT='${USER_AGENT}'
  bun run cli sql "select date, close from bars(NULL) where symbol = '${a}' order by date desc limit 3"
  bun run cli backfill prices --tickers ${b} --start ${start}

Ctrl-C stops it.
`);
}

/** Asks the demo's service; throws where it refuses. */
const asking =
  (address: string): Ask =>
  async (path, body) => {
    const answer = await fetch(
      `${address}/api/v1${path}`,
      body && { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } },
    );
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    return await answer.json();
  };

const stop = () => child.kill("SIGTERM");
process.on("SIGTERM", stop);
process.on("SIGINT", stop);

let isAnnounced = false;
let text = "";
for await (const chunk of child.stdout) {
  process.stdout.write(chunk);
  if (isAnnounced) continue;
  text += new TextDecoder().decode(chunk);
  const address = /Asof is ready at (\S+)/.exec(text)?.[1];
  if (address) {
    isAnnounced = true;
    tell(address);
    if (process.env.DEMO_FILL !== "off") void fillDemo(asking(address), newYorkDate(systemClock.now()));
  }
}
const code = await child.exited;
await sample.stop();
process.exit(code);
