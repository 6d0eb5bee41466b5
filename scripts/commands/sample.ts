// `bun run cli sample`: the sample market on its own, for UPSTREAM_GATEWAY of a service started elsewhere.
import { defineCommand } from "citty";
import { NAMED_LISTINGS } from "../../sample/market.ts";
import { serveSample } from "../../sample/serve.ts";

/** A whole number of an argument. RangeError naming the argument. */
function wholeNumber(name: string, text: string, max: number): number {
  const n = Number(text);
  if (!/^\d+$/.test(text) || n > max)
    throw new RangeError(`--${name} is "${text}"; it must be a whole number from 0 to ${max}`);
  return n;
}

export default defineCommand({
  meta: { name: "sample", description: "Serve the fictional sample market as an upstream" },
  args: {
    host: {
      type: "string",
      default: process.env.HOST ?? "127.0.0.1",
      description: "Address to listen on (HOST)",
    },
    port: {
      type: "string",
      default: process.env.PORT ?? "9001",
      description: "Port to listen on; 0 takes a free one (PORT)",
    },
    symbols: {
      type: "string",
      default: String(NAMED_LISTINGS),
      description: "Listings in all, up to 17,000",
    },
    years: { type: "string", default: "5", description: "Years of history, 1 to 30" },
    seed: { type: "string", default: "1", description: "Another seed is another market" },
  },
  async run({ args }) {
    const sample = await serveSample({
      hostname: args.host,
      port: wholeNumber("port", args.port, 65_535),
      symbols: wholeNumber("symbols", args.symbols, 1_000_000),
      years: wholeNumber("years", args.years, 30),
      seed: wholeNumber("seed", args.seed, 2 ** 31),
    });
    console.log(
      `sample market ready at ${sample.url} (${args.symbols} symbols, ${args.years} years, seed ${args.seed})`,
    );
    const stop = () => void sample.stop().then(() => process.exit(0));
    process.once("SIGINT", stop);
    process.once("SIGTERM", stop);
  },
});
