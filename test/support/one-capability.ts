// One capability's routes behind the real HTTP edge, without the rest of the service.
import { type AnyElysia, Elysia } from "elysia";
import type { Config } from "../../src/config.ts";
import type { Clock } from "../../src/platform/clock.ts";
import { edge } from "../../src/server/edge.ts";
import { httpApp } from "../../src/server/http.ts";
import { openapiDocument } from "../../src/server/openapi.ts";
import { routeTable } from "../../src/server/route-table.ts";

export interface OneCapability {
  readonly config: Config;
  readonly clock: Clock;
  readonly routes: AnyElysia;
  /** Its tag in the document. */
  readonly name: string;
  /** The prefix of every path that is asked; default `/api/v1`. */
  readonly base?: string;
}

/** `post` sends a text as it is, anything else as JSON. */
export function serveCapability({ config, clock, routes, name, base = "/api/v1" }: OneCapability) {
  const { app, seal } = httpApp({ nowMs: clock.nowMs });
  const composed = app.use(new Elysia({ prefix: "/api/v1" }).use(routes));
  seal(composed);
  const running = edge({
    config,
    clock,
    table: routeTable(composed),
    handle: (request) => composed.handle(request),
    record() {},
    unforeseen(error) {
      throw error;
    },
  });
  const fetch = (path: string, init?: RequestInit) =>
    running.fetch(new Request(`http://localhost${base}${path}`, init), "127.0.0.1");
  const send = async <T>(path: string, init?: RequestInit) => {
    const response = await fetch(path, init);
    return { status: response.status, headers: response.headers, body: (await response.json()) as T };
  };
  return {
    openapi: () => openapiDocument(composed, [{ name, description: "" }]),
    fetch,
    get: <T>(path: string) => send<T>(path),
    post: <T>(path: string, body: unknown) =>
      send<T>(path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
  };
}
