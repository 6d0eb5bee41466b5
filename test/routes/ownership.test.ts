import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { apiDocument, faultsOfAnswer } from "../support/api-document.ts";
import type { MadeSchedule } from "../support/ownership-papers.ts";
import { type OwnershipWorld, serveOwnership } from "../support/ownership-world.ts";
import { openService, type TestService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const ENV = { SEC_USER_AGENT: "Asof tests tests@example.com" };
const issuer = { cik: "0007100001", name: "Zappo Tools Inc.", symbol: "ZAPT" };
const other = { cik: "0007100002", name: "Quiet Corp", symbol: "ZQT" };

/** A company with a new number, and what it was before. */
const moved = { cik: "0001835632", name: "Moved Corp", symbol: "ZMVD" };
const before = { cik: "0001058057", name: "Moved Group Ltd", symbol: "ZMVG" };

const wolf = { cik: "0008300001", name: "Wolf Partners, L.P." };
const passive = { cik: "0008300002", name: "Passive Advisers" };
const gone = { cik: "0008300003", name: "Gone Capital" };
const small = { cik: "0008300004", name: "Small Fund" };
const greedy = { cik: "0008300005", name: "Greedy Fund" };

let number = 0;
const schedule = (
  at: string,
  form: MadeSchedule["form"],
  filer: { cik: string; name: string },
  persons: readonly [name: string, pct: number, shares: number][],
  more: Partial<MadeSchedule> = {},
): MadeSchedule => ({
  kind: "schedule",
  form,
  accession: `0007000001-26-${String(++number).padStart(6, "0")}`,
  accepted: at,
  filed: at.slice(0, 10),
  issuer,
  filers: [filer],
  event: at.slice(0, 10),
  persons: persons.map(([name, pct, shares]) => ({ name, pct, shares })),
  ...more,
});

const FILINGS = [
  schedule("2026-03-02T16:00:00", "SCHEDULE 13D", wolf, [
    [wolf.name, 8.5, 2_100_000],
    ["Wolf Braden", 9.9, 2_435_000],
  ]),
  schedule("2026-05-04T21:30:00", "SCHEDULE 13D/A", wolf, [
    [wolf.name, 9, 2_200_000],
    ["Wolf Braden", 10.4, 2_535_000],
  ]),
  schedule("2026-02-13T10:00:00", "SCHEDULE 13G", passive, [[passive.name, 7.48, 1_900_000]]),
  schedule("2026-02-13T11:00:00", "SCHEDULE 13G", gone, [[gone.name, 6, 1_500_000]]),
  schedule("2026-08-13T11:00:00", "SCHEDULE 13G/A", gone, [[gone.name, 0, 0]]),
  schedule("2026-02-13T12:00:00", "SCHEDULE 13G", small, [[small.name, 5.2, 1_300_000]]),
  schedule("2026-08-13T12:00:00", "SCHEDULE 13G/A", small, [[small.name, 4.9, 1_200_000]]),
  schedule("2026-02-17T12:00:00", "SCHEDULE 13G", greedy, [[greedy.name, 110, 9_000_000]]),
  schedule("2026-04-01T12:00:00", "SCHEDULE 13G", wolf, [[wolf.name, 6, 700]], { issuer: other }),
  schedule("2026-02-13T12:30:00", "SCHEDULE 13G", small, [[small.name, 4.2, 300]], { issuer: moved }),
  schedule("2026-02-12T12:30:00", "SCHEDULE 13G", small, [], {
    issuer: before,
    document: "<html>no form</html>",
  }),
  // Cannot be read: what changed for Passive is not known.
  schedule("2026-08-14T12:00:00", "SCHEDULE 13G/A", passive, [], { document: "<html>no form</html>" }),
];

interface Body {
  data: Record<string, unknown>[];
  metadata: Record<string, unknown>;
  warnings: string[];
  [name: string]: unknown;
}

let world: OwnershipWorld;
let service: TestService;
const get = (path: string) => service.get<Body>(`/api/v1/ownership/13dg${path}`);

beforeAll(async () => {
  world = serveOwnership(FILINGS);
  service = await openService({ upstream: world.url, env: ENV });
});
afterAll(async () => {
  await service.stop();
  await world.stop();
});

describe("large holders of a company", () => {
  test("nothing stored: its list is fetched, each filing is a row, the newest first", async () => {
    const { status, body } = await get("/ZAPT?as_of=2026-09-09");
    expect(status).toBe(200);
    expect(body.metadata).toMatchObject({ auto_fetched: true, fetched_count: 9, pending_count: 0 });
    expect(body.data.map((row) => [row.filing_date, row.holder_name, row.ownership_pct])).toEqual([
      ["2026-08-14", null, null],
      ["2026-08-13", "Small Fund", 4.9],
      ["2026-08-13", "Gone Capital", 0],
      ["2026-05-04", "Wolf Partners, L.P.", 10.4],
      ["2026-03-02", "Wolf Partners, L.P.", 9.9],
      // Above 100: discarded.
      ["2026-02-17", "Greedy Fund", null],
      ["2026-02-13", "Small Fund", 5.2],
      ["2026-02-13", "Gone Capital", 6],
      ["2026-02-13", "Passive Advisers", 7.48],
    ]);
  });

  test("persons of one filing count the same shares: the largest, never a sum", async () => {
    const { body } = await get("/ZAPT?as_of=2026-03-02&form=13D");
    expect(body.data).toEqual([
      {
        accession_number: FILINGS[0]?.accession,
        form_type: "SCHEDULE 13D",
        filing_date: "2026-03-02",
        accepted_at: "2026-03-02T21:00:00Z",
        event_date: "2026-03-02",
        issuer_name: issuer.name,
        issuer_cik: issuer.cik,
        ticker: "ZAPT",
        class_title: "Common Stock",
        cusip: "000000101",
        holder_name: wolf.name,
        holder_cik: wolf.cik,
        ownership_pct: 9.9,
        shares_owned: 2_435_000,
        reporting_persons: [
          { name: wolf.name, cik: wolf.cik, ownership_pct: 8.5, shares_owned: 2_100_000 },
          { name: "Wolf Braden", cik: null, ownership_pct: 9.9, shares_owned: 2_435_000 },
        ],
        is_amendment: false,
        is_exit: false,
        is_activist: true,
        activist_reason: expect.stringContaining("nominate directors"),
        enrichment_status: "succeeded",
        enrichment_error: null,
        filing_url: expect.stringContaining("/Archives/edgar/data/7100001/"),
      },
    ]);
  });

  test("a filing that cannot be read is there, with nothing made up", async () => {
    const { body } = await get("/ZAPT?as_of=2026-09-09&limit=1");
    expect(body.data[0]).toMatchObject({
      enrichment_status: "failed",
      issuer_cik: issuer.cik,
      holder_name: null,
      ownership_pct: null,
      shares_owned: null,
      reporting_persons: [],
      is_exit: null,
      is_activist: false,
      enrichment_error: expect.any(String),
    });
  });

  test("a successor company has its predecessor's filings, each under the company it is about", async () => {
    const { body } = await get("/ZMVD?as_of=2026-09-09");
    expect(body.data.map((row) => [row.issuer_cik, row.ownership_pct, row.enrichment_status])).toEqual([
      [moved.cik, 4.2, "succeeded"],
      [before.cik, null, "failed"],
    ]);
  });

  test("nothing is visible before its acceptance, also after hours", async () => {
    const newest = async (asOf: string) =>
      (await get(`/ZAPT?as_of=${asOf}&limit=1`)).body.data[0]?.filing_date;
    expect(await newest("2026-05-05T01:29:59Z")).toBe("2026-03-02");
    expect(await newest("2026-05-05T01:30:00Z")).toBe("2026-05-04");
    for (const moment of ["2026-05-05T01:30Z", "2026-05-05t01:30:00z", "2026-05-04%2021:30-04:00"]) {
      expect(await newest(moment)).toBe("2026-05-04");
      expect((await get(`/active?as_of=${moment}`)).status).toBe(200);
    }
    expect(await newest("2026-05-04")).toBe("2026-05-04");
    expect(await newest("2026-05-03")).toBe("2026-03-02");
    // A company that had filed nothing by then had no ticker either.
    expect((await get("/ZAPT?as_of=2026-02-12")).body).toMatchObject({ status: 404, code: "unknown_ticker" });
  });

  test("what a company holds in others is not about it", async () => {
    const { body } = await get("/ZQT?as_of=2026-09-09");
    expect(body.data.map((row) => [row.holder_name, row.ownership_pct])).toEqual([
      ["Wolf Partners, L.P.", 6],
    ]);
  });

  test.each([
    ["/ZAPT", "as_of"],
    ["/ZAPT?as_of=yesterday", "as_of"],
    ["/ZAPT?as_of=2026-09-09&form=13F", "form"],
    ["/ZAPT?as_of=2026-09-09&limit=0", "limit"],
    ["/active?min_pct=101", "min_pct"],
    ["/active?as_of=2026-02-30", "as_of"],
  ])("%s is refused for %s", async (path, field) => {
    const { status, body } = await get(path);
    expect(status).toBe(422);
    expect((body.detail as { loc: string[] }[]).map(({ loc }) => loc[1])).toEqual([field]);
  });
});

describe("positions held now", () => {
  const holders = async (query: string) => {
    const { body } = await get(`/active?activist=all${query}`);
    return body.data.map((row) => [row.ticker, row.holder_name, row.ownership_pct, row.newer_unread]);
  };

  test("are of each holder the newest, without exits and those below five percent", async () => {
    expect(await holders("")).toEqual([
      ["ZAPT", "Wolf Partners, L.P.", 10.4, false],
      ["ZQT", "Wolf Partners, L.P.", 6, false],
      ["ZAPT", "Greedy Fund", null, false],
      // A later filing could not be read.
      ["ZAPT", "Passive Advisers", 7.48, true],
    ]);
  });

  test("are activist positions by default, and the answer says what it leaves out", async () => {
    const { body } = await get("/active");
    expect(body.data.map((row) => [row.holder_name, row.is_activist])).toEqual([
      ["Wolf Partners, L.P.", true],
    ]);
    expect(body.warnings[0]).toContain("activist=all");
    const passive = await get("/active?form=13G");
    expect([passive.status, passive.body.code]).toEqual([400, "bad_request"]);
  });

  test("are those of then with as_of", async () => {
    expect(await holders("&as_of=2026-08-01&form=13G")).toEqual([
      ["ZQT", "Wolf Partners, L.P.", 6, false],
      ["ZAPT", "Greedy Fund", null, false],
      ["ZAPT", "Small Fund", 5.2, false],
      ["ZAPT", "Gone Capital", 6, false],
      ["ZAPT", "Passive Advisers", 7.48, false],
    ]);
    expect(await holders("&as_of=2026-01-01")).toEqual([]);
  });

  test("with min_pct a percentage that is not known is left out; pages are of one order", async () => {
    expect(await holders("&min_pct=7")).toEqual([
      ["ZAPT", "Wolf Partners, L.P.", 10.4, false],
      ["ZAPT", "Passive Advisers", 7.48, true],
    ]);
    expect(await holders("&limit=1&offset=1")).toEqual([["ZQT", "Wolf Partners, L.P.", 6, false]]);
    expect(await holders("&form=13D")).toEqual([["ZAPT", "Wolf Partners, L.P.", 10.4, false]]);
  });

  test("every answer is as documented", async () => {
    const document = await apiDocument(service);
    for (const [route, path] of [
      ["{ticker}", "ZAPT?as_of=2026-09-09"],
      ["{ticker}", "NOPE?as_of=2026-09-09"],
      ["{ticker}", "ZAPT"],
      ["active", "active"],
    ] as const) {
      const operation = document.operation("GET", `/api/v1/ownership/13dg/${route}`);
      const faults = await faultsOfAnswer(
        document,
        operation,
        await service.fetch(`/api/v1/ownership/13dg/${path}`),
      );
      expect([path, faults]).toEqual([path, []]);
    }
  });
});

describe("the regulator out of reach", () => {
  test("what is stored is served, and said to be so; nothing stored is an error", async () => {
    const before = (await get("/ZAPT?as_of=2026-09-09")).body.data;
    service.clock.set("2026-09-10T21:00:00Z");
    world.refuse({ status: 500 });
    const { status, body } = await get("/ZAPT?as_of=2026-09-10");
    expect([status, body.data]).toEqual([200, before]);
    expect(body.warnings[0]).toStartWith("outage: Fetching from the SEC failed:");
    // The list was read at five in the afternoon of the 9th.
    expect(body.metadata.data_to).toBe("2026-09-08");
    const insiders = await service.get<Body>("/api/v1/insider/form4/ZAPT?as_of=2026-09-10");
    expect([insiders.status, insiders.body.code]).toEqual([502, "upstream_error"]);
    const forced = await get("/ZAPT?as_of=2026-09-10&force_refresh=true");
    expect(forced.status).toBe(502);
    world.refuse(null);
  });

  test("without a name to ask in, nothing stored is 503", async () => {
    const nameless = await openService({ upstream: world.url });
    const { status, body } = await nameless.get<Body>("/api/v1/insider/form4/ZAPT?as_of=2026-09-09");
    expect([status, body.code]).toEqual([503, "not_configured"]);
    await nameless.stop();
  });
});
