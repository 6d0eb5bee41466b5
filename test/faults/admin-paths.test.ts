// Who may call what does not depend on how a path is written: admin routes of the document, in every spelling
// a client may try.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type ApiDocument, apiDocument, type Operation } from "../support/api-document.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const KEY = "client-key-of-tests";
const ADMIN = "admin-token-of-tests";
const FROM_AFAR = "203.0.113.9";

let service: SampleService;
let document: ApiDocument;
beforeAll(async () => {
  service = await openSampleService({ env: { API_KEYS: KEY, ADMIN_TOKEN: ADMIN } });
  document = await apiDocument(service);
});
afterAll(() => service.stop());

const isAdmin = ({ path }: Operation) => path.includes("/admin/") || /\/(logs|database)\//.test(path);
const filled = ({ path }: Operation) => path.replace(/\{(\w+)\}/g, "1");
const ask = (method: string, path: string, headers: Record<string, string>) =>
  service.fetch(path, {
    method,
    headers: { ...headers, "content-type": "application/json" },
    ...(method === "POST" ? { body: "{}" } : {}),
  });

const SPELLINGS: readonly (readonly [name: string, spell: (path: string) => string])[] = [
  ["as it is", (path) => path],
  ["with a slash at the end", (path) => `${path}/`],
  ["with two slashes", (path) => path.replace("/v1/", "/v1//")],
  ["with a slash too many before admin", (path) => path.replace("/admin/", "//admin/")],
  ["in capitals", (path) => path.replace("admin", "ADMIN")],
  ["with an escaped letter", (path) => path.replace("admin", "%61dmin").replace("logs", "%6cogs")],
  ["with escaped slashes", (path) => path.replace("/admin/", "%2fadmin%2f")],
  ["by way of the folder above", (path) => path.replace("/v1/", "/v1/health/../")],
  ["with a query that names it open", (path) => `${path}?/api/v1/health`],
  ["with a semicolon", (path) => `${path};x=1`],
];

describe("admin routes", () => {
  test("there are some of every kind", () => {
    const admin = document.operations.filter(isAdmin);
    expect(admin.filter((o) => o.method === "POST").length).toBeGreaterThan(2);
    expect(admin.length).toBeGreaterThan(10);
  });

  test.each(SPELLINGS.map(([name, spell]) => [name, spell] as const))(
    "%s: never succeeds without the admin token",
    async (_, spell) => {
      for (const operation of document.operations.filter(isAdmin)) {
        const path = spell(filled(operation));
        for (const headers of [
          {},
          { "x-api-key": KEY },
          { "x-api-key": KEY, "x-admin-token": KEY },
          { "x-api-key": KEY, "x-admin-token": `${ADMIN} `.trim().slice(0, -1) },
          { "x-api-key": KEY, "x-forwarded-for": "127.0.0.1", "x-real-ip": "127.0.0.1" },
        ] as Record<string, string>[]) {
          const { status } = await ask(operation.method, path, headers);
          expect([operation.method, path, [401, 403, 404, 405].includes(status)]).toEqual([
            operation.method,
            path,
            true,
          ]);
        }
      }
    },
  );

  test("an unreadable body is reported to the admin only", async () => {
    const reported = async (path: string, headers: Record<string, string>, body: string) => {
      const init = { method: "POST", headers: { ...headers, "content-type": "application/json" }, body };
      return (await service.fetch(path, init)).status;
    };
    const posts = document.operations.filter((o) => isAdmin(o) && o.method === "POST");
    expect(posts.length).toBeGreaterThan(8);
    for (const operation of posts)
      for (const body of ["{", "[]", "", "null"]) {
        const path = filled(operation);
        expect([path, await reported(path, { "x-api-key": KEY }, body)]).toEqual([path, 401]);
        expect([path, await reported(path, { "x-api-key": KEY, "x-admin-token": KEY }, body)]).toEqual([
          path,
          403,
        ]);
      }
    for (const operation of posts.filter((o) => o.path.endsWith("/ingest"))) {
      const admin = { "x-api-key": KEY, "x-admin-token": ADMIN };
      expect([operation.path, await reported(filled(operation), admin, "{")]).toEqual([operation.path, 422]);
    }
  });

  test("with the token they are reached, so that the refusals above mean something", async () => {
    for (const operation of document.operations.filter((o) => isAdmin(o) && o.method === "GET")) {
      const { status } = await ask("GET", filled(operation), { "x-api-key": KEY, "x-admin-token": ADMIN });
      expect([operation.path, [200, 404, 422].includes(status)]).toEqual([operation.path, true]);
    }
  });
});

describe("the client's address", () => {
  test("counts as the proxy says it, whom the operator trusts; every way to write it is in the table of auth.test.ts", async () => {
    const open = await openSampleService({ env: { API_KEYS: KEY, TRUST_PROXY: "true" } });
    try {
      for (const [forwarded, wanted] of [
        ["127.0.0.1", 200],
        [`127.0.0.1, ${FROM_AFAR}`, 403],
      ] as const) {
        const request = new Request("http://localhost/api/v1/database/info", {
          headers: { "x-api-key": KEY, "x-forwarded-for": forwarded },
        });
        const { status } = await open.app().edge.fetch(request, FROM_AFAR);
        expect([forwarded, status]).toEqual([forwarded, wanted]);
      }
    } finally {
      await open.stop();
    }
  });
});
