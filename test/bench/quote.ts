// A cached quote against a bare server that sends the same bytes: what the edge costs a request.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SUGGESTED } from "../../sample/market.ts";
import { serveSample } from "../../sample/serve.ts";
import { forEachSequential, type Measurement } from "./measure.ts";
import { startService } from "./service-process.ts";

const CONNECTIONS = 10;

/** Requests answered in a second, asked from a process of its own. */
async function rate(url: string, seconds: number): Promise<number> {
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, "load-child.ts"), url, String(seconds), String(CONNECTIONS)],
    { stdout: "pipe", stderr: "inherit" },
  );
  const text = await new Response(child.stdout).text();
  const { perSecond, failed } = JSON.parse(text) as { perSecond: number; failed: number };
  if (failed > 0) throw new Error(`${failed} requests to ${url} failed`);
  return perSecond;
}

/** The bare server in a process of its own, as the service is. */
async function startBare(body: string): Promise<{ url: string; stop(): void }> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "bare-server.ts"), body], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const { value } = await child.stdout.getReader().read();
  return { url: new TextDecoder().decode(value).trim(), stop: () => child.kill("SIGTERM") };
}

export const quote: Measurement = {
  name: "quote",
  description: "a cached quote, requests per second",
  goal: { kind: "at least", ratio: 0.5 },
  async run({ quick }) {
    const dataDir = await mkdtemp(join(tmpdir(), "asof-bench-"));
    const upstream = await serveSample({});
    const service = await startService({ DATA_DIR: dataDir, UPSTREAM_GATEWAY: upstream.url, JOBS: "off" });
    const url = `${service.url}/api/v1/price/quote/${SUGGESTED[0]}`;
    const first = await fetch(url);
    const bare = await startBare(await first.text());
    try {
      if (first.status !== 200) throw new Error(`no quote: ${first.status}`);
      const seconds = quick ? 2 : 5;
      const rounds = Array.from({ length: quick ? 3 : 6 }, () => seconds);
      const [ours, theirs] = await forEachSequential(
        rounds,
        1,
        (s) => rate(url, s),
        (s) => rate(bare.url, s),
      );
      const round = (x: number) => `${Math.round(x)}/s`;
      return [{ what: round(ours), against: `${round(theirs)} of bare Bun.serve`, ratio: ours / theirs }];
    } finally {
      bare.stop();
      await service.stop();
      await upstream.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
