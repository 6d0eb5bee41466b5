// A company at a past moment: its stored record, its line of the list and its name of then, nothing later.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { nameOn } from "../../src/capabilities/company/past-record.ts";
import { type CompanyApp, openCompanyApp, type World } from "../support/company-app.ts";
import { CIK, entity, profile, smallWorld } from "../support/company-world.ts";
import { type FakeClock, fakeClock } from "../support/fake-clock.ts";

setDefaultTimeout(1_200_000);

let app: CompanyApp;
let world: World;
let clock: FakeClock;
beforeAll(async () => {
  world = smallWorld();
  clock = fakeClock("2026-03-02T15:00:00Z");
  app = await openCompanyApp({ world, clock });
});
afterAll(() => app.close());

const { signal } = new AbortController();
const at = (moment: string, cik = CIK) =>
  app.companies.findAt("ZQX", cik, Temporal.Instant.from(moment), signal);

test("a company is described by the record of then, though its name, industry and classes changed", async () => {
  world.entities[CIK] = entity({ name: "ZQX CORP", sic: "7372" });
  world.profiles.ZQX = profile({ sector: "Technology", industry: "Software - Application" });
  await app.companies.find("ZQX", true, signal);
  const before = await at("2026-03-03T00:00:00Z");
  expect(before).toMatchObject({
    name: "ZQX CORP",
    cik: CIK,
    sector: "Technology",
    industry: "Software - Application",
    sic: "7372",
    market_cap: null,
    employees: null,
    share_classes: [{ ticker: "ZQX.B" }],
    warnings: [],
  });
  clock.advance(30 * 86_400_000);
  world.entities[CIK] = entity({
    name: "Later Name Inc",
    sic: "1311",
    tickers: [{ ticker: "ZQX", exchange: "Nasdaq" }],
    former_names: [{ name: "ZQX CORP", from: "2011-04-05", to: "2026-03-20" }],
  });
  world.profiles.ZQX = profile({ sector: "Energy", industry: "Oil" });
  world.listed = world.listed.filter(({ ticker }) => ticker !== "ZQX-B");
  await app.companies.jobs[0]?.run({ signal, scheduledFor: "", missed: [] });
  await app.companies.find("ZQX", true, signal);
  expect(await at("2026-03-03T00:00:00Z")).toEqual(before);
  expect(await at("2026-04-02T00:00:00Z")).toMatchObject({
    name: "Later Name Inc",
    sector: "Energy",
    sic: "1311",
    share_classes: [],
  });
});

test("before the first record only the name that the regulator dates is known, and a warning says so", async () => {
  const then = await at("2020-06-01T00:00:00Z");
  expect(then).toMatchObject({ name: "ZQX CORP", cik: CIK, sector: null, sic: null, share_classes: null });
  expect(then.warnings).toEqual([expect.stringMatching(/^Nothing about the company was recorded by as_of/)]);
});

test("a record of another company under the ticker is not used", async () => {
  world.entities["0009000002"] = entity({ cik: "0009000002", name: "Zq Delta", former_names: [] });
  expect(await at("2026-03-03T00:00:00Z", "0009000002")).toMatchObject({
    name: "Zq Delta",
    cik: "0009000002",
    sector: null,
    share_classes: null,
  });
});

test.each([
  ["2004-01-01", "Old Inc"],
  ["2010-12-31", "Old Inc"],
  // The list dates a name by its last filing: the next one may begin any day after.
  ["2011-01-01", null],
  ["2012-01-02", "New Inc"],
])("the name on %s is %p", (day, name) => {
  const former_names = [
    { name: "Old Inc", from: "2001-01-01T00:00:00.000Z", to: "2010-12-31T00:00:00.000Z" },
  ];
  expect(nameOn({ name: "New Inc", former_names }, day)).toBe(name);
  expect(
    nameOn({ name: "New Inc", former_names: [{ name: "Old Inc", from: null, to: null }] }, day),
  ).toBeNull();
  expect(nameOn({ name: "New Inc", former_names: [] }, day)).toBe("New Inc");
});
