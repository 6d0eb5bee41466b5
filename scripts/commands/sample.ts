// `bun run cli sample`: serves the sample market by itself, for UPSTREAM_GATEWAY of a service started
// elsewhere.
import { NAMED_LISTINGS } from "../../sample/market.ts";
import { serveSample } from "../../sample/serve.ts";

interface SampleOptions {
  readonly host: string;
  readonly port: number;
  readonly symbols?: number;
  readonly years: number;
  readonly seed: number;
}

export async function run({
  host,
  port,
  symbols = NAMED_LISTINGS,
  years,
  seed,
}: SampleOptions): Promise<void> {
  const sample = await serveSample({ hostname: host, port, symbols, years, seed });
  console.log(`sample market ready at ${sample.url} (${symbols} symbols, ${years} years, seed ${seed})`);
  const stop = () => void sample.stop().then(() => process.exit(0));
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
}
