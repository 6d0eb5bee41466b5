// A box without data: each list route answers with an error or with a warning that says which of four things
// an empty list is.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { ABSENCES } from "../../src/market/absence.ts";
import { type ApiDocument, apiDocument, type Operation } from "../support/api-document.ts";
import { openService, type TestService } from "../support/service.ts";
import { WALK, WALK_ENV } from "./interface-walk.ts";

setDefaultTimeout(1_200_000);

const WARNING = new RegExp(`^(?:${ABSENCES.join("|")}): \\S`);
/** Requests that the walk makes from earlier answers, which a box without data does not have. */
const OF_EARLIER_ANSWERS: Readonly<Record<string, string>> = {
  "/filings/documents": "/filings/documents?accession_number=0000320193-26-000001",
};

const routeOf = ({ path }: Operation) => path.replace("/api/v1", "");
const isList = ({ method, parameters }: Operation) =>
  method === "GET" &&
  ((parameters.find(({ name }) => name === "format")?.schema.enum ?? []) as string[]).includes("csv");

/** The walk's own request to each route, or a request without parameters. */
function requestTo(route: string): string {
  const step = WALK.find(
    ({ method, route: own, path, status }) =>
      method === "GET" && own === route && typeof path !== "function" && (status ?? 200) === 200,
  );
  const path = OF_EARLIER_ANSWERS[route] ?? step?.path ?? step?.route;
  if (typeof path !== "string") throw new Error(`there is no request to ${route}`);
  return `/api/v1${path}`;
}

type Body = Readonly<Record<string, unknown>>;

/** The rows of an answer, wherever they are. */
function rowsOf(body: unknown): readonly unknown[] {
  if (Array.isArray(body)) return body;
  const { data, documents } = body as Body;
  const rows = data ?? documents;
  return Array.isArray(rows) ? rows : Object.values(Object(rows)).flat();
}

/** Returns the fault in how an answer says that it has no rows; null when there is none. */
function faultOf(status: number, body: Body, noteHeader: string | null): string | null {
  if (status !== 200) {
    // An error has its kind in its code; of 404 no_data, absence says it. Nothing was read here, so nothing
    // is known to be there or not.
    if (body.code === "internal_error" || typeof body.detail !== "string") return `is ${status} ${body.code}`;
    if (body.code !== "no_data") return null;
    if (body.hint === undefined) return `is ${status} no_data without a hint`;
    return body.absence === "not_read" ? null : `is no_data with the absence ${body.absence}: ${body.detail}`;
  }
  if (rowsOf(body).length > 0) return null;
  const warnings = (body.warnings ?? []) as string[];
  if (!warnings.some((text) => WARNING.test(text))) return `is empty with ${JSON.stringify(warnings)}`;
  const noted = JSON.parse(noteHeader ?? "[]") as string[];
  return Bun.deepEquals(noted, warnings) ? null : `has other warnings in X-Warnings: ${noteHeader}`;
}

const WORLDS = {
  "a provider that cannot be reached": () => ({ url: "http://127.0.0.1:1", stop: () => {} }),
  "a provider that refuses everything": () => {
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => new Response("no", { status: 403 }),
    });
    return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) };
  },
};

for (const [world, open] of Object.entries(WORLDS))
  describe(`without data, before ${world}`, () => {
    let service: TestService;
    let document: ApiDocument;
    let upstream: ReturnType<typeof open>;
    beforeAll(async () => {
      upstream = open();
      service = await openService({ upstream: upstream.url, env: WALK_ENV });
      document = await apiDocument(service);
    });
    afterAll(async () => {
      await service.stop();
      upstream.stop();
    });

    test("no list is empty without saying why, in JSON and in rows", async () => {
      const faults: string[] = [];
      const lists = document.operations.filter(isList);
      expect(lists.length).toBeGreaterThan(40);
      for (const operation of lists) {
        const path = requestTo(routeOf(operation));
        const { status, body } = await service.get<Body>(path);
        const rows =
          status === 200 ? await service.fetch(`${path}${path.includes("?") ? "&" : "?"}format=csv`) : null;
        const fault = faultOf(status, body, rows?.headers.get("x-warnings") ?? null);
        await rows?.body?.cancel();
        if (fault !== null) faults.push(`${routeOf(operation)} ${fault}`);
      }
      expect(faults).toEqual([]);
    });
  });
