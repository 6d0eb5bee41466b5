// Bodies nested far deeper than any route needs are refused before they are checked or printed, on every
// route.

import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { apiDocument } from "../support/api-document.ts";
import { startProcess } from "../support/process.ts";
import { openSampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const service = await openSampleService();
const operations = (await apiDocument(service)).operations.filter(({ requestBody }) => requestBody);
afterAll(() => service.stop());

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
/** A body of 1 MB, close to the largest that is read. */
const DEEPEST = 490_000;

async function send(path: string, body: string) {
  const response = await service.fetch(path.replaceAll(/\{[^}]+\}/g, "ZORP"), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  const { detail } = (await response.json()) as { detail: string | { msg: string }[] };
  const tooDeep = typeof detail !== "string" && detail.some(({ msg }) => msg.includes("more than 64 arrays"));
  return { status: response.status, tooDeep };
}

test("there are routes with a body", () => expect(operations.length).toBeGreaterThan(5));

describe.each(operations.map(({ path, requestBody }) => [path, requestBody] as const))("%s", (path, body) => {
  const schema = body?.content["application/json"]?.schema ?? {};
  const fields = Object.keys((schema.properties ?? {}) as object);

  test("refuses more than 64 levels in the body, in each field and in an unknown one", async () => {
    const bodies = [
      nested(65),
      nested(DEEPEST),
      ...[...fields, "unknown"].flatMap((name) => [
        `{"${name}":${nested(64)}}`,
        `{"${name}":${nested(DEEPEST)}}`,
      ]),
    ];
    for (const text of bodies) expect(await send(path, text)).toEqual({ status: 422, tooDeep: true });
  });

  test("checks 64 levels as any other value", async () => {
    expect(await send(path, nested(64))).toEqual({ status: 422, tooDeep: false });
    for (const name of fields)
      expect(await send(path, `{"${name}":${nested(63)}}`)).toEqual({ status: 422, tooDeep: false });
  });
});

describe("NODE_ENV is production, without which libraries print whole bodies into their errors", () => {
  const root = join(import.meta.dir, "../..");

  test.each([{}, { NODE_ENV: "development" }])("in the process, started with %p", async (env) => {
    const tell = join(import.meta.dir, "../support/tell-node-env.ts");
    const started = await startProcess(env, "--preload", tell, join(root, "src/main.ts"));
    try {
      started.kill("SIGTERM");
      expect(await started.ended()).toBe(0);
      expect(started.stdout()).toContain("NODE_ENV at the end: production");
    } finally {
      await started.clean();
    }
  });

  test.each([
    ["Dockerfile", /^ENV .*\bNODE_ENV=production\b/m],
    ["deploy/asof.service", /^Environment=NODE_ENV=production$/m],
  ])("in %s", (file, line) => {
    expect(readFileSync(join(root, file), "utf8")).toMatch(line);
  });
});
