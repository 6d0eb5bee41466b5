// The filing routes at their limits: documents and exhibits, places and deadlines, bad input, outages.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { FilingSource } from "../../src/capabilities/filings/index.ts";
import { NotConfigured, UpstreamFailed } from "../../src/platform/errors.ts";
import { movableClock } from "../support/clock.ts";
import {
  type FilingService,
  type FilingServiceOptions,
  openFilingService,
} from "../support/filing-service.ts";

// A filer has some hundred current reports, each of three requests at the regulator's pace.
setDefaultTimeout(1_200_000);

const open: FilingService[] = [];
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

const NOW = "2026-09-09T21:00:00Z";
/**
 * A deadline of 300 seconds passes in three, and the five that a route has beyond it in fifty milliseconds.
 */
const QUICK = 100;
const ZORP = "0009079327-25-900001";
const YEAR = "start_date=2025-01-01&end_date=2025-12-31";
interface Result {
  ticker?: string | null;
  accession_number: string | null;
  parsed_status?: string | null;
  success?: boolean;
  error: string | null;
  error_code?: string | null;
  text?: string | null;
}
const resultsOf = ({ body }: { body: Record<string, unknown> }) => body.results as Result[];

/** A source whose fetching of filings' own files waits until it is let go. */
function held(real: FilingSource) {
  let letGo = () => {};
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const at = { now: 0, most: 0 };
  const waiting = async (signal: AbortSignal | undefined) => {
    at.now += 1;
    at.most = Math.max(at.most, at.now);
    const left = Promise.withResolvers<never>();
    signal?.addEventListener("abort", () => left.reject(signal.reason), { once: true });
    try {
      await Promise.race([gone, left.promise]);
    } finally {
      at.now -= 1;
    }
  };
  const source: FilingSource = {
    ...real,
    filingIndex: async (ref, options) => {
      await waiting(options?.signal);
      return real.filingIndex(ref, options);
    },
    exhibit: async (ref, type, options) => {
      await waiting(options?.signal);
      return real.exhibit(ref, type, options);
    },
  };
  return { source, at, letGo };
}

describe("documents and exhibits", () => {
  let service: FilingService;
  beforeAll(async () => {
    service = await opened();
  });
  const folder = "https://www.sec.gov/Archives/edgar/data/9079327/000907932725900001";

  test("lists the documents of a filing, with or without dashes in its number, with or without a party", async () => {
    const dashed = await service.get(`/documents?accession_number=${ZORP}`);
    expect(dashed.body).toEqual({
      accession_number: ZORP,
      form_type: "8-K",
      filing_date: "2025-02-06",
      accepted_at: "2025-02-06T21:05:11Z",
      parties: [{ cik: "0009079327", name: "Zorp Dynamics Inc.", role: "filer" }],
      count: 3,
      documents: [
        {
          sequence: 1,
          type: "8-K",
          description: "FORM 8-K",
          filename: "zorp-20250206.htm",
          size: 974,
          url: `${folder}/zorp-20250206.htm`,
        },
        {
          sequence: 2,
          type: "EX-99.1",
          description: "PRESS RELEASE",
          filename: "zorp-20250206xex991.htm",
          size: 643,
          url: `${folder}/zorp-20250206xex991.htm`,
        },
        {
          sequence: null,
          type: null,
          description: "Complete submission text file",
          filename: `${ZORP}.txt`,
          size: 2989,
          url: `${folder}/${ZORP}.txt`,
        },
      ],
    });
    // The party 320193 is not of this filing: the addresses stay in the filer's folder.
    for (const more of ["", "&ticker=ZORP", "&cik=9079327", "&cik=320193"])
      expect((await service.get(`/documents?accession_number=000907932725900001${more}`)).body).toEqual(
        dashed.body,
      );
  });

  test("without a name the press release is served; text, source and cutting", async () => {
    const text = await service.get(`/exhibit?accession_number=${ZORP}`);
    expect(text.body).toMatchObject({
      exhibit: "EX-99.1",
      filename: "zorp-20250206xex991.htm",
      truncated: false,
    });
    const whole = text.body.text as string;
    expect(whole).toStartWith("Zorp Dynamics Inc. Reports a Quarter");
    expect([whole.includes("<"), text.body.length]).toEqual([false, whole.length]);
    const html = await service.get(
      `/exhibit?accession_number=${ZORP}&filename=zorp-20250206xex991.htm&format=html`,
    );
    expect(html.body.text).toContain("<");
    expect(html.body.sha256).toBe(
      new Bun.CryptoHasher("sha256").update(html.body.text as string).digest("hex"),
    );
    const cut = await service.get(`/exhibit?accession_number=${ZORP}&exhibit=ex-99.1&max_chars=12`);
    expect([cut.body.text, cut.body.truncated, cut.body.length]).toEqual([
      "Zorp Dynamic",
      true,
      whole.length,
    ]);
    const other = await service.get("/exhibit?accession_number=0009086051-24-900001");
    expect(other.body.exhibit).toBe("EX-99.01");
  });

  test("too large is 413, missing is 404", async () => {
    const large = await service.get("/exhibit?accession_number=0009072589-25-900001&exhibit=EX-99.1");
    expect([large.status, large.body.code]).toEqual([413, "exhibit_too_large"]);
    const missing = [
      `/exhibit?accession_number=${ZORP}&exhibit=EX-10.1`,
      `/exhibit?accession_number=${ZORP}&filename=nothing.htm`,
      "/exhibit?accession_number=0009079327-25-999999",
      "/documents?accession_number=0009079327-25-999999",
    ];
    for (const path of missing) {
      const { status, body } = await service.get(path);
      expect([path, status, body.code]).toEqual([path, 404, "not_found"]);
    }
  });

  test("bulk: a result for each item in order, failures included", async () => {
    const items = [
      { accession_number: ZORP, exhibit: "EX-99.1" },
      { accession_number: "0009072589-25-900001", exhibit: "EX-99.1" },
      { accession_number: ZORP, filename: "zorp-20250206.htm" },
      { accession_number: "0009079327-25-999999" },
    ];
    const { status, body } = await service.post("/exhibit/bulk", { items, max_chars: 4 });
    expect(status).toBe(200);
    expect(
      (body.results as Result[]).map((r) => [r.accession_number, r.success, r.error_code, r.text]),
    ).toEqual([
      [ZORP, true, null, "Zorp"],
      ["0009072589-25-900001", false, "exhibit_too_large", null],
      [ZORP, true, null, expect.any(String)],
      ["0009079327-25-999999", false, "not_found", null],
    ]);
  });
});

describe("deadlines and slots", () => {
  test("an exhibit not received within 25 seconds is 504", async () => {
    const service = await opened({ source: (real) => held(real).source });
    const { status, body } = await service.get(`/exhibit?accession_number=${ZORP}&exhibit=EX-99.1`);
    expect([status, body.code]).toEqual([504, "upstream_timeout"]);
    expect(body.detail).toContain("25 s");
  });

  test("four of fifty exhibits are fetched at once; after 300 seconds the rest answer deadline", async () => {
    let at = { now: 0, most: 0 };
    const service = await opened({
      clock: movableClock(NOW, QUICK),
      source: (real) => {
        const wrapped = held(real);
        at = wrapped.at;
        return wrapped.source;
      },
    });
    const items = Array.from({ length: 50 }, (_, i) => ({
      accession_number: `0009079327-25-${String(i).padStart(6, "0")}`,
      exhibit: "EX-99.1",
    }));
    const results = resultsOf(await service.post("/exhibit/bulk", { items }));
    const codes = results.map((r) => r.error_code);
    expect(codes.slice(0, 4)).toEqual(Array(4).fill("upstream_timeout"));
    // Thirteen rounds of 25 seconds do not fit into 300.
    expect(codes.slice(-2)).toEqual(["deadline", "deadline"]);
    expect(results.at(-1)).toMatchObject({ success: false, error: "deadline", text: null });
    expect(new Set(codes)).toEqual(new Set(["upstream_timeout", "deadline"]));
    expect(at.most).toBe(4);
  });

  test("four requests for events run at once; the fifth waits ten seconds, then gets 503 slot_busy", async () => {
    const gate = { letGo: () => {} };
    const service = await opened({
      source: (real) => {
        const wrapped = held(real);
        gate.letGo = wrapped.letGo;
        return wrapped.source;
      },
    });
    const day = "start_date=2025-02-06&end_date=2025-02-06";
    const waiting = ["ZORP", "ZORP", "ZORP", "ZORP"].map((ticker) => service.get(`/events/${ticker}?${day}`));
    await Bun.sleep(50);
    const startMs = service.clock.nowMs();
    const fifth = await service.get(`/events/QUIB?${day}`);
    expect(service.clock.nowMs() - startMs).toBeGreaterThanOrEqual(9_900);
    expect([fifth.status, fifth.body.code, fifth.headers.get("retry-after")]).toEqual([
      503,
      "slot_busy",
      "10",
    ]);
    gate.letGo();
    const answers = await Promise.all(waiting);
    expect(answers.map(({ status, body }) => [status, body.total])).toEqual(Array(4).fill([200, 1]));
    expect(answers.map(({ body }) => body.parsed_now as number).some((n) => n === 1)).toBe(true);
    expect((await service.get(`/events/QUIB?${day}`)).status).toBe(200);
  });

  test("bulk parsing that runs out of time answers deadline and leaves the state", async () => {
    const clock = movableClock(NOW);
    const service = await opened({ clock, source: (real) => held(real).source });
    // The first request is made beforehand, with its own time-out, which would pass in no time.
    expect((await service.get(`/search?ticker=ZORP&${YEAR}`)).status).toBe(200);
    clock.setSpeed(QUICK);
    const body = { tickers: ["ZORP"], start_date: "2025-01-01", end_date: "2025-12-31", limit_per_ticker: 3 };
    const results = resultsOf(await service.post("/events/parse/bulk", body));
    expect(results.map((r) => [r.parsed_status, r.error])).toEqual(Array(3).fill(["pending", "deadline"]));
  });
});

describe("events of many years", () => {
  const SPAN = "start_date=1994-01-01&end_date=2026-09-09&limit=1";

  test("a company with more than a hundred pending reports: the newest first, the others in the background", async () => {
    const clock = movableClock(NOW);
    const service = await opened({
      clock,
      source: (real) => ({
        ...real,
        filingIndex: async (ref, options) => {
          clock.set(clock.now().add({ seconds: 1 }).toString());
          return real.filingIndex(ref, options);
        },
      }),
    });
    const all = (await service.get(`/search?ticker=KRONK&form_type=8-K,8-K/A&${SPAN}`)).body.total as number;
    expect(all).toBeGreaterThan(100);
    const first = await service.get(`/events/KRONK?${SPAN}`);
    expect(first.status).toBe(200);
    const newest = (first.body.data as { filing_date: string }[])[0]?.filing_date;
    const [warning = ""] = first.body.warnings as string[];
    const left = Number(/^not_read: (\d+) filings of these days are not read yet\. /.exec(warning)?.[1]);
    // Those begun within five seconds, each a second, and those that the background began meanwhile.
    expect(left).toBeGreaterThanOrEqual(all - 30);
    expect(left).toBeLessThan(all);

    await service.capability.idle();
    const whole = await service.get(`/events/KRONK?${SPAN}`);
    expect([whole.body.parsed_now, whole.body.warnings]).toEqual([0, []]);
    expect((whole.body.data as { filing_date: string }[])[0]?.filing_date).toBe(newest ?? "");
    expect(whole.body.total as number).toBeGreaterThan(first.body.total as number);
  });
});

describe("parsing by request", () => {
  let service: FilingService;
  beforeAll(async () => {
    service = await opened();
  });
  const year = { start_date: "2025-01-01", end_date: "2025-12-31" };

  test("bulk: parses pending filings, fails an unknown ticker alone, skips parsed filings, parses them again with force", async () => {
    const body = { tickers: ["QUIB", "NOSUCH", "quib"], ...year, limit_per_ticker: 500 };
    const first = await service.post("/events/parse/bulk", body);
    const { total, skipped } = first.body as { total: number; skipped: number };
    expect(total).toBeGreaterThan(5);
    expect(resultsOf(first)[0]).toMatchObject({
      ticker: "NOSUCH",
      accession_number: null,
      parsed_status: null,
    });
    expect(first.body).toMatchObject({ failed: 1, succeeded: total - 1 - skipped });
    const second = await service.post("/events/parse/bulk", { ...body, tickers: ["QUIB"] });
    expect(second.body).toMatchObject({ total: total - 1, skipped: total - 1, succeeded: 0, failed: 0 });
    const third = await service.post("/events/parse/bulk", {
      ...body,
      tickers: ["QUIB"],
      force_reparse: true,
    });
    expect(third.body).toMatchObject({ skipped: 0, succeeded: total - 1 });
  });

  test("limit_per_ticker takes pending filings first, so that repeated calls finish", async () => {
    let isDown = true;
    const own = await opened({
      source: (real) => ({
        ...real,
        filingIndex: async (ref, options) => {
          if (isDown) throw new UpstreamFailed("edgar", "EDGAR is down");
          return real.filingIndex(ref, options);
        },
      }),
    });
    const days = "start_date=2023-01-01&end_date=2023-12-31";
    const pending = async () => {
      const found = await own.get(`/search?ticker=NEWZQ&form_type=8-K&${days}`);
      return (found.body.data as { parsed_status: string }[]).filter((r) => r.parsed_status === "pending")
        .length;
    };
    const all = await pending();
    await own.capability.idle();
    expect(await pending()).toBe(all);
    isDown = false;
    const body = {
      tickers: ["NEWZQ"],
      start_date: "2023-01-01",
      end_date: "2023-12-31",
      limit_per_ticker: 3,
    };
    expect((await own.post("/events/parse/bulk", body)).body).toMatchObject({ total: 3, succeeded: 3 });
    expect(await pending()).toBe(all - 3);
    for (let left = all - 3; left > 0; left -= 3) await own.post("/events/parse/bulk", body);
    expect((await own.post("/events/parse/bulk", body)).body).toMatchObject({ total: 3, skipped: 3 });
  });

  test("a filing that is not indexed yet is looked up and parsed", async () => {
    const accession = "0009309552-25-900003";
    const { status, body } = await service.post(`/events/parse/${accession}`);
    expect([status, body.parsed_status, body.events_created]).toEqual([200, "succeeded", 1]);
  });

  test("an unknown number is 404, another form 400", async () => {
    const unknown = await service.post("/events/parse/0009079327-25-999999");
    expect([unknown.status, unknown.body.code]).toEqual([404, "not_found"]);
    const found = await service.get(`/search?ticker=QUIB&form_type=10-Q&${YEAR}&limit=1`);
    const [report] = found.body.data as { accession_number: string }[];
    const other = await service.post(`/events/parse/${report?.accession_number}`);
    expect([other.status, other.body.code]).toEqual([400, "bad_request"]);
  });
});

describe("when the regulator cannot be asked", () => {
  test("without SEC_USER_AGENT: 503 with a hint", async () => {
    const service = await opened({ userAgent: null, ciks: { ZORP: "0009079327" } });
    for (const path of [
      "/search?ticker=ZORP",
      "/events/ZORP",
      `/documents?accession_number=${ZORP}`,
      "/search?q=x",
    ]) {
      const { status, body } = await service.get(path);
      expect([path, status, body.code]).toEqual([path, 503, "not_configured"]);
      expect(body.hint).toContain("SEC_USER_AGENT");
    }
  });

  const faults = [
    new NotConfigured("not_configured", "SEC_USER_AGENT is not set"),
    new UpstreamFailed("edgar", "EDGAR is down"),
  ];
  for (const error of faults)
    test(`${error.code}: stored data is served with a warning; with nothing stored the error is`, async () => {
      let isDown = false;
      const fail = () => {
        if (isDown) throw error;
      };
      const service = await opened({
        beforeResolve: fail,
        source: (real) => {
          const guarded =
            <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
            async (...args: A): Promise<R> => {
              fail();
              return call(...args);
            };
          const { submissions, filingIndex, document } = real;
          return {
            ...real,
            submissions: guarded(submissions),
            filingIndex: guarded(filingIndex),
            document: guarded(document),
          };
        },
      });
      const june = "start_date=2025-06-01&end_date=2025-06-30";
      const before = await service.get(`/events/ZORP?${june}`);
      expect(before.body.total as number).toBeGreaterThanOrEqual(2);
      await service.capability.idle();
      isDown = true;
      const now = "start_date=2025-06-01&end_date=2026-09-09";
      (service.clock as ReturnType<typeof movableClock>).set("2026-09-10T21:00:00Z");
      const stored = await service.get(`/events/ZORP?${june}`);
      expect([stored.status, stored.body.total]).toEqual([200, before.body.total]);
      const listed = await service.get(`/search?ticker=ZORP&${now}`);
      expect(listed.status).toBe(200);
      expect(listed.body.warnings).toEqual([
        `outage: The list of filings may be incomplete: ${error.message}`,
      ]);
      const status = error instanceof NotConfigured ? 503 : 502;
      expect((await service.get(`/search?ticker=ZORP&${now}&force_refresh=true`)).status).toBe(status);
      expect((await service.get("/events/QUIB")).status).toBe(status);
      expect((await service.get("/search?ticker=QUIB")).status).toBe(status);
    });
});
