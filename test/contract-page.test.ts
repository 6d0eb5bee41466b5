// docs/contract.md says what the code does: its error codes and its jobs are held against it.
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { PROBLEM_CODES } from "../src/platform/problem-codes.ts";
import { openSampleService } from "./support/service.ts";

setDefaultTimeout(1_200_000);

const page = await Bun.file(new URL("../docs/contract.md", import.meta.url)).text();
const service = await openSampleService({ env: { OWNERSHIP_FEED: "on" } });
afterAll(() => service.stop());

test("every error code is listed beside its status", () => {
  const statuses = page.split("\n").filter((line) => /^\| \d{3}/.test(line));
  for (const [code, { status }] of Object.entries(PROBLEM_CODES)) {
    const line = statuses.find((one) => one.includes(`\`${code}\``));
    expect([code, line?.split("|")[1]?.includes(String(status))]).toEqual([code, true]);
  }
});

test("every job is listed with its schedule and zone, and no other", async () => {
  const { body } = await service.get<{ data: { name: string; schedule: string; timezone: string }[] }>(
    "/api/v1/scheduler/jobs",
  );
  const zones: Record<string, string> = { "New York": "America/New_York", UTC: "UTC" };
  const rows = page
    .slice(page.indexOf("## Jobs"))
    .split("\n")
    .flatMap((line) => {
      const cells = /^\| `([a-z-]+)`[^|]*\| `([^`]+)` \| ([^|]+) \|/.exec(line);
      return cells ? [[cells[1], cells[2], zones[cells[3]?.trim() ?? ""]]] : [];
    });
  const jobs = body.data.map(({ name, schedule, timezone }) => [name, schedule, timezone]);
  expect(rows.sort()).toEqual(jobs.sort());
});

test("docs/routes.md lists every route but those that start collections, and no other", async () => {
  const { body } = await service.get<{ paths: object }>("/api/v1/openapi.json");
  const text = await Bun.file(new URL("../docs/routes.md", import.meta.url)).text();
  const listed = [...text.matchAll(/^\| (`\/.+?`) \|/gm)].flatMap(([, cell = ""]) => {
    const [first = "", ...others] = [...cell.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path);
    return [first, ...others.map((path) => `/${first.split("/")[1]}/${path}`)];
  });
  const isListed = (path: string) => !path.includes("/admin/") || /^\/(sql|versions)\//.test(path);
  const routes = Object.keys(body.paths).map((path) => path.replace("/api/v1", ""));
  expect(listed.sort()).toEqual(routes.filter(isListed).sort());
});

test("every dataset that a job fills is one of the lake", async () => {
  const jobs = await service.get<{ data: { name: string; fills: string[] }[] }>("/api/v1/scheduler/jobs");
  const info = await service.get<{ tables: { name: string; kind: string }[] }>("/api/v1/database/info");
  const datasets = info.body.tables.filter(({ kind }) => kind === "dataset").map(({ name }) => name);
  const filled = jobs.body.data.flatMap(({ fills }) => fills);
  expect(filled.filter((name) => !datasets.includes(name))).toEqual([]);
  expect(new Set(filled).size).toBeGreaterThan(12);
});
