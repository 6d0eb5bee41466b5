// The filing routes behind the edge, on the sample regulator.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { FilingServiceOptions } from "../support/filing-service.ts";
import { type FilingService, openFilingService } from "../support/filing-service.ts";

// A filer has some hundred current reports, each of three requests at the regulator's pace.
setDefaultTimeout(1_200_000);

interface Row {
  accession_number: string;
  accepted_at: string | null;
  parsed_status: string | null;
  items: string[];
  filing_date: string;
  form_type: string;
  matched_document?: string;
}
interface Event {
  accession_number: string;
  item_number: string;
  event_type: string;
  content: string | null;
  content_source: string;
}

const open: FilingService[] = [];
/** A service that is stopped after the last test. */
async function opened(options: FilingServiceOptions = {}): Promise<FilingService> {
  const service = await openFilingService(options);
  open.push(service);
  return service;
}
afterAll(async () => {
  for (const service of open) {
    expect(service.unforeseen).toEqual([]);
    await service.stop();
  }
});

const rowsOf = ({ body }: { body: Record<string, unknown> }) => body.data as Row[];
const eventsOf = ({ body }: { body: Record<string, unknown> }) => body.data as Event[];
const YEAR = "start_date=2025-01-01&end_date=2025-12-31";
const ZORP = "0009079327-25-9000";

describe("search", () => {
  let service: FilingService;
  beforeAll(async () => {
    service = await opened();
    await service.get(`/search?ticker=ZORP&${YEAR}`);
    await service.capability.idle();
  });

  test("a filing with every field", async () => {
    const { status, body } = await service.get(
      "/search?ticker=zorp&form_type=8-K&start_date=2025-02-06&end_date=2025-02-06",
    );
    expect(status).toBe(200);
    expect(body).toEqual({
      acceptance_pending: 0,
      count: 1,
      total: 1,
      limit: 50,
      offset: 0,
      has_more: false,
      warnings: [],
      data: [
        {
          accession_number: `${ZORP}01`,
          cik: "0009079327",
          ticker: "zorp",
          company_name: "Zorp Dynamics Inc.",
          form_type: "8-K",
          filing_date: "2025-02-06",
          report_date: "2025-02-06",
          accepted_at: "2025-02-06T21:05:11Z",
          items: ["2.02", "9.01"],
          parsed_status: "succeeded",
          primary_document: "zorp-20250206.htm",
          primary_document_url:
            "https://www.sec.gov/Archives/edgar/data/9079327/000907932725900001/zorp-20250206.htm",
          filing_url:
            "https://www.sec.gov/Archives/edgar/data/9079327/000907932725900001/0009079327-25-900001-index.html",
          size: 2989,
          is_xbrl: false,
        },
      ],
    });
  });

  test("pages join without gap or repetition, newest first", async () => {
    const whole = rowsOf(await service.get(`/search?ticker=ZORP&${YEAR}&limit=500`));
    const pages: Row[] = [];
    for (let offset = 0; ; offset += 7) {
      const page = await service.get(`/search?cik=9079327&${YEAR}&limit=7&offset=${offset}`);
      expect([page.body.total, page.body.offset]).toEqual([whole.length, offset]);
      pages.push(...rowsOf(page));
      if (!page.body.has_more) break;
    }
    const numbers = (rows: Row[]) => rows.map((row) => row.accession_number);
    expect(numbers(pages)).toEqual(numbers(whole));
    const dates = whole.map((row) => row.filing_date);
    expect(dates).toEqual(dates.toSorted().reverse());
    expect(new Set(numbers(whole)).size).toBe(whole.length);
  });

  test("every current report was parsed in the background; other forms have nothing to parse", async () => {
    const rows = rowsOf(await service.get(`/search?ticker=ZORP&${YEAR}&limit=500`));
    for (const row of rows) expect(row.parsed_status).toBe(row.form_type === "8-K" ? "succeeded" : null);
    expect(rows.some((row) => row.form_type === "10-Q")).toBe(true);
  });

  test("the CIK in any form means the same filer; another filer's is refused", async () => {
    const of = async (query: string) => (await service.get(`/search?${query}&${YEAR}`)).body.total;
    const total = await of("ticker=ZORP");
    for (const query of ["cik=0009079327", "cik=CIK9079327", "ticker=ZORP-PA"])
      expect(await of(query)).toBe(total);
    const both = await service.get("/search?ticker=ZORP&cik=9011488");
    expect([both.status, both.body.code]).toEqual([400, "bad_request"]);
  });

  test("full-text: one row per matching document, with the stored fields of its filing", async () => {
    const found = await service.get('/search?q="Reports%20a%20Quarter"&ticker=ZORP&limit=3');
    expect(found.status).toBe(200);
    expect(found.body.count).toBe(3);
    for (const row of rowsOf(found)) expect(row.matched_document).toMatch(/^zorp-.*\.htm$/);
    const next = await service.get('/search?q="Reports%20a%20Quarter"&ticker=ZORP&limit=2&offset=1');
    expect(rowsOf(next)).toEqual(rowsOf(found).slice(1));
  });

  test("full-text with a past as_of: nothing from later that day", async () => {
    const found = await service.get("/search?q=quarter&ticker=ZORP&as_of=2025-02-06T12:00:00Z&limit=500");
    const dates = rowsOf(found).map((row) => row.filing_date);
    expect(dates.length).toBeGreaterThan(0);
    expect(dates.every((date) => date < "2025-02-06")).toBe(true);
  });
});

describe("as_of", () => {
  let service: FilingService;
  beforeAll(async () => {
    service = await opened();
  });
  const sees = async (ticker: string, accession: string, asOf: string) => {
    const found = await service.get(
      `/search?ticker=${ticker}&start_date=2003-01-01&end_date=2026-01-01&limit=500&as_of=${asOf}`,
    );
    expect(found.status).toBe(200);
    return rowsOf(found).some((row) => row.accession_number === accession);
  };

  const cases: [what: string, ticker: string, accession: string, last: string, first: string][] = [
    ["acceptance within the day", "ZORP", `${ZORP}01`, "2025-02-06T21:05:10Z", "2025-02-06T21:05:11Z"],
    ["after hours: the next opening", "ZORP", `${ZORP}07`, "2025-03-10T09:59:59Z", "2025-03-10T10:00:00Z"],
    ["after hours, by date", "ZORP", `${ZORP}07`, "2025-03-07", "2025-03-10"],
    [
      "no time anywhere: the end of its day",
      "KRONK",
      "0009085335-03-900001",
      "2003-03-15T04:59:59Z",
      "2003-03-14",
    ],
    ["the hour that comes twice", "YAKQ", "0009083310-25-900003", "2025-11-02T06:29:59Z", "2025-11-03"],
  ];
  for (const [what, ticker, accession, last, first] of cases)
    test(`${what}: ${accession}`, async () => {
      await service.get(
        `/search?ticker=${ticker}&start_date=2003-01-01&end_date=2026-01-01&force_refresh=true`,
      );
      expect(await sees(ticker, accession, first)).toBe(true);
      if (what.startsWith("no time"))
        expect(await sees(ticker, accession, "2003-03-15T04:59:58Z")).toBe(false);
      else expect(await sees(ticker, accession, last)).toBe(false);
    });

  test("documents, exhibit and events of a filing that was not public yet are not served", async () => {
    const early = "as_of=2025-02-06T21:05:10Z";
    const accession = `accession_number=${ZORP}01`;
    for (const path of [`/documents?${accession}&${early}`, `/exhibit?${accession}&${early}`]) {
      const { status, body } = await service.get(path);
      expect([status, body.code]).toEqual([404, "no_data"]);
    }
    const day = "start_date=2025-02-06&end_date=2025-02-06";
    expect((await service.get(`/events/ZORP?${day}&${early}`)).body.total).toBe(0);
    expect((await service.get(`/events/ZORP?${day}&as_of=2025-02-06`)).body.total).toBe(1);
    expect((await service.get(`/documents?${accession}&as_of=2025-02-06`)).status).toBe(200);
  });
});

test("accepted_at is null for a row indexed without it, until its header is read or with force_refresh", async () => {
  const service = await opened();
  const path = "/search?ticker=FROBZ&start_date=2024-05-09&end_date=2024-05-09";
  const accepted = async (more = "") => rowsOf(await service.get(path + more))[0]?.accepted_at;
  expect(await accepted()).toBeNull();
  await service.capability.idle();
  expect(await accepted()).toBe("2024-05-09T20:02:03Z");
  const other = await opened();
  const refreshed = rowsOf(await other.get(`${path}&force_refresh=true`))[0]?.accepted_at;
  expect(refreshed).toBe("2024-05-09T20:02:03Z");
});

describe("events", () => {
  let service: FilingService;
  beforeAll(async () => {
    service = await opened();
  });

  test("parses pending reports first; the second call parses none", async () => {
    const first = await service.get(`/events/ZORP?${YEAR}&limit=500`);
    expect(first.status).toBe(200);
    expect(first.body.parsed_now as number).toBeGreaterThan(10);
    const second = await service.get(`/events/ZORP?${YEAR}&limit=500`);
    expect(second.body.parsed_now).toBe(0);
    expect(eventsOf(second)).toEqual(eventsOf(first));
    const keys = eventsOf(first).map((e) => `${e.accession_number} ${e.item_number}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(eventsOf(first).some((e) => e.item_number === "9.01")).toBe(false);
  });

  test("where content comes from", async () => {
    const events = eventsOf(await service.get(`/events/ZORP?${YEAR}&limit=500`));
    const source = (end: string, item: string) =>
      events.find((e) => e.accession_number === ZORP + end && e.item_number === item)?.content_source;
    expect(source("01", "2.02")).toBe("EX-99.1");
    expect([source("02", "2.02"), source("02", "7.01")]).toEqual(["EX-99.1", "EX-99.1"]);
    expect([source("03", "8.01"), source("04", "8.01")]).toEqual(["body", "body"]);
    expect(source("05", "7.01")).toBe("EX-99.1");
  });

  test("old items: their number and kind; the current number finds them", async () => {
    const found = await service.get("/events/KRONK?start_date=2004-07-01&end_date=2004-07-31&item=2.02");
    const old = eventsOf(found).find((e) => e.accession_number === "0009085335-04-900002");
    expect([old?.item_number, old?.event_type, old?.content_source]).toEqual(["12", "legacy_12", "EX-99.1"]);
    expect(eventsOf(found).every((e) => e.item_number === "12")).toBe(true);
  });

  test("filters, and without content", async () => {
    const found = await service.get(
      `/events/QUIB?start_date=2025-01-15&end_date=2025-01-15&include_content=false`,
    );
    expect(eventsOf(found).map((e) => [e.item_number, e.event_type, e.content])).toEqual([
      ["1.01", "material_agreement", null],
      ["2.03", "debt_obligation", null],
    ]);
    const one = await service.get(
      `/events/QUIB?start_date=2025-01-15&end_date=2025-01-15&event_type=debt_obligation`,
    );
    expect(eventsOf(one).map((e) => e.item_number)).toEqual(["2.03"]);
  });

  test("an unreadable report has failed: reported, stored, parsed again only on request", async () => {
    const day = "start_date=2025-08-07&end_date=2025-08-07";
    const broken = "0009354982-25-900001";
    const ticker = "SNARV";
    const first = await service.get(`/events/${ticker}?${day}`);
    expect([first.status, first.body.total, first.body.parsed_now]).toEqual([200, 0, 1]);
    expect(first.body.warnings).toEqual([
      "not_read: 1 filings of these days could not be read; their events are missing.",
    ]);
    const again = await service.get(`/events/${ticker}?${day}&force_refresh=true`);
    expect(again.body.parsed_now).toBe(0);
    expect(rowsOf(await service.get(`/search?ticker=${ticker}&${day}`))[0]?.parsed_status).toBe("failed");
    const kept = service.sqlite.use((db) =>
      db.all("SELECT url FROM vault_objects WHERE url LIKE '%0009354982-25-900001/%'"),
    );
    expect(kept.length).toBeGreaterThanOrEqual(2);
    const bulk = { tickers: [ticker], start_date: "2025-08-07", end_date: "2025-08-07" };
    expect((await service.post("/events/parse/bulk", bulk)).body).toMatchObject({
      total: 1,
      skipped: 1,
      failed: 0,
    });
    const forced = await service.post("/events/parse/bulk", { ...bulk, force_reparse: true });
    expect(forced.body).toMatchObject({ total: 1, skipped: 0, failed: 1, succeeded: 0 });
    const one = await service.post(`/events/parse/${broken}`);
    expect([one.status, one.body.parsed_status]).toEqual([200, "failed"]);
    expect(one.body.error).toContain("8.01");
  });
});

test("the lake has what the routes answer", async () => {
  const service = await opened();
  const listed = await service.get(`/search?ticker=ZORP&${YEAR}&limit=500`);
  const reported = await service.get(`/events/ZORP?${YEAR}&limit=500&as_of=2025-09-10T11:00:00Z`);
  await service.capability.idle();
  const days = "filing_date BETWEEN '2025-01-01' AND '2025-12-31'";
  const filings = await service.lake.query<Row>(
    `SELECT accession_number FROM filings_as_of() WHERE cik = '0009079327' AND ${days}`,
  );
  expect(filings.map((f) => f.accession_number).sort()).toEqual(
    rowsOf(listed)
      .map((f) => f.accession_number)
      .sort(),
  );
  const events = await service.lake.query<Event & { known_at: string }>(
    `SELECT accession_number, item_number, content, known_at FROM filing_events_as_of('2025-09-10T11:00:00Z'::TIMESTAMPTZ) WHERE ${days}`,
  );
  const key = (e: Event) => `${e.accession_number} ${e.item_number} ${e.content}`;
  expect(events.map(key).sort()).toEqual(eventsOf(reported).map(key).sort());
  expect(events.find((e) => e.accession_number === `${ZORP}01`)?.known_at).toBe("2025-02-06T21:05:11Z");
  const countAt = async (moment: string) =>
    (await service.lake.query(`FROM filings_as_of('${moment}') WHERE accession_number = '${ZORP}01'`)).length;
  expect(await countAt("2025-02-06T21:05:10Z")).toBe(0);
  expect(await countAt("2025-02-06T21:05:11Z")).toBe(1);
});
