// The door for agents: POST /api/v1/mcp, the Model Context Protocol over HTTP. Its tools ask the routes of
// this service with the rights of their caller.
import type { McpHttpHandler } from "@modelcontextprotocol/server";
import { Elysia } from "elysia";
import { MCP_CALLS_MAX, REQUEST_BODY_BYTES_MAX, SERVER_BUSY_RETRY_S } from "../../limits.ts";
import { parseAsOf } from "../../market/known-at.ts";
import type { Clock } from "../../platform/clock.ts";
import { Busy, InvalidRequest } from "../../platform/errors.ts";
import { INSTRUCTIONS } from "./tools.ts";

export interface McpDeps {
  readonly clock: Clock;
  readonly version: string;
  /** Asks a path of this service in place of the client of `outer`. */
  ask(outer: Request, path: string): Promise<Response>;
}

const FROZEN = "asof-frozen";

/** The moment after which a request sees nothing; null without the header. */
function frozenOf(request: Request | undefined): Temporal.Instant | null {
  const given = request?.headers.get(FROZEN) ?? null;
  if (given === null) return null;
  const parsed = parseAsOf(given.trim());
  if (parsed.ok) return parsed.at;
  throw new InvalidRequest("bad_request", `The header Asof-Frozen is wrong: ${parsed.detail}`);
}

/** The text for an agent that has only the address of the service. */
export const LLMS = `# Asof

> US market data and SEC filings, where every figure can be asked as of the moment it became known, and names its filing.

${INSTRUCTIONS}

## Ways in

- [Tools](/api/v1/mcp): the Model Context Protocol over HTTP (POST). The header Asof-Frozen: 2020-01-02 hides everything later.
- [HTTP interface](/api/v1/openapi.json): OpenAPI. Nearly every route takes as_of; format=records gives flat rows.
- [Reference page](/docs): the same for people.
`;

/**
 * Builds the route. The protocol's package is loaded with the first request, so that the start is not later.
 */
export function mcp({ ask, clock, version }: McpDeps) {
  let opened: Promise<McpHttpHandler> | undefined;
  let running = 0;
  const places = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= MCP_CALLS_MAX)
      throw new Busy(
        "server_busy",
        `${MCP_CALLS_MAX} calls of agents are being answered, the most at once.`,
        {
          retryAfterS: SERVER_BUSY_RETRY_S,
        },
      );
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
    }
  };
  const open = async () => {
    const [{ createMcpHandler }, { serversOf }] = await Promise.all([
      import("@modelcontextprotocol/server"),
      import("./door.ts"),
    ]);
    const servers = serversOf((request) => ({
      ask: (path) => ask(request as Request, path),
      clock,
      version,
      frozen: frozenOf(request),
    }));
    return createMcpHandler(servers, { maxRequestBodySize: REQUEST_BODY_BYTES_MAX });
  };
  const answer = async (request: Request, parsedBody: unknown) => {
    frozenOf(request);
    opened ??= open();
    const handler = await opened;
    return places(() => handler.fetch(request, { parsedBody }));
  };
  // The tools' requests take places of their own, each with its deadline.
  const detail = { hide: true, "x-outside-concurrency-limit": true };
  const refuse = ({ request }: { readonly request: Request }) => answer(request, undefined);
  return {
    routes: new Elysia({ name: "mcp" })
      .post("/mcp", ({ request, body }) => answer(request, body), { detail })
      .get("/mcp", refuse, { detail })
      .delete("/mcp", refuse, { detail }),
    close: async () => (await opened)?.close(),
  };
}
