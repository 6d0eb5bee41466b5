// Existing days of a year that no request means are refused alike on every route that takes days.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

let service: SampleService;
beforeAll(async () => {
  service = await openSampleService();
});
afterAll(() => service.stop());

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: { readonly format?: string };
  readonly example?: unknown;
}
type Operations = Readonly<Record<string, { parameters?: readonly Parameter[] }>>;

const DAYS = /^(?:date|start_date|end_date|from_date|to_date|as_of|as_of_date)$/;
const refused = async (path: string) => {
  const { status, body } = await service.get<{ code?: string; detail?: string }>(path);
  return [path, status, body.code, /out of range/.test(String(body.detail))];
};

test("1800-01-01 and 9999-12-31 are out of range on each route with a day, 2026-02-30 is no day", async () => {
  const { body } = await service.get<{ paths: Record<string, Operations> }>("/api/v1/openapi.json");
  let asked = 0;
  for (const [path, { get }] of Object.entries(body.paths)) {
    // FRED's archive begins in 1776.
    if (!get || path.includes("/econdata/")) continue;
    const { parameters = [] } = get;
    const filled = parameters
      .filter((each) => each.in === "path")
      .reduce((text, { name, example }) => text.replace(`{${name}}`, String(example ?? "ZORP")), path);
    for (const { name } of parameters.filter((each) => DAYS.test(each.name) && each.in === "query")) {
      const others = parameters.filter((each) => each.in === "query" && each.required && each.name !== name);
      const rest = others.map(
        (each) => `&${each.name}=${encodeURIComponent(String(each.example ?? "2026-09-01"))}`,
      );
      for (const day of ["1800-01-01", "9999-12-31"])
        expect(await refused(`${filled}?${name}=${day}${rest.join("")}`)).toEqual([
          `${filled}?${name}=${day}${rest.join("")}`,
          400,
          "invalid_date_range",
          true,
        ]);
      const { status } = await service.get(`${filled}?${name}=2026-02-30${rest.join("")}`);
      expect([path, name, status]).toEqual([path, name, 422]);
      asked += 1;
    }
  }
  expect(asked).toBeGreaterThan(40);
});

test("in a path and in a body too", async () => {
  expect((await refused("/api/v1/shortvolume/by-date/1800-01-01")).slice(1)).toEqual([
    400,
    "invalid_date_range",
    true,
  ]);
  const body = { ticker: "ZORP", start_date: "1800-01-01", end_date: "2026-09-01" };
  const posted = await service.post<{ code: string; detail: string }>("/api/v1/price/data", body);
  expect([posted.status, posted.body.code]).toEqual([400, "invalid_date_range"]);
  expect(posted.body.detail).toBe(
    "start_date 1800-01-01 is out of range: days are from 1900-01-01 to 2100-12-31.",
  );
});
