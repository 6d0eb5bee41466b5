// `bun run cli mcp`: the tools of agents over stdio, for hosts that start their servers themselves. A running
// service answers them.
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import release from "../../package.json" with { type: "json" };
import { mcpServer } from "../../src/capabilities/mcp/door.ts";
import { asOfInstant } from "../../src/market/known-at.ts";
import { systemClock } from "../../src/platform/clock.ts";

interface McpOptions {
  readonly url: string;
  readonly asOf?: string;
}

/** An answer in place of a service that cannot be reached. */
const unreachable = (url: string) =>
  Response.json(
    { code: "outage", detail: `No service answers at ${url}.`, hint: "Start it with: bun run start" },
    { status: 503 },
  );

export async function run({ url, asOf }: McpOptions): Promise<void> {
  const frozen = asOf === undefined ? null : asOfInstant(asOf);
  const key = process.env.ASOF_API_KEY;
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const ask = (path: string) =>
    fetch(new URL(path, url), { headers }).catch((error: unknown) => {
      if (error instanceof Error && "code" in error) return unreachable(url);
      throw error;
    });
  const door = { ask, clock: systemClock, version: release.version, frozen };
  const { promise, resolve } = Promise.withResolvers<void>();
  process.stdin.once("end", resolve);
  const { close } = serveStdio(() => mcpServer(door));
  await promise;
  await close();
}
