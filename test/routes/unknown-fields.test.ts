// Parameters that a route does not know: a moment under a wrong name is refused, others are named.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

let service: SampleService;
beforeAll(async () => {
  service = await openSampleService({ env: { SEC_USER_AGENT: "Asof tests tests@asof.example" } });
});
afterAll(() => service.stop());

interface Fault {
  readonly loc: readonly string[];
  readonly msg: string;
}

const ask = async (path: string, body?: object) => {
  const response = await service.fetch(`/api/v1${path}`, {
    ...(body === undefined
      ? {}
      : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const json: { warnings?: string[]; detail?: Fault[] } = /^[[{]/.test(text) ? JSON.parse(text) : {};
  const inHeader: string[] = JSON.parse(response.headers.get("x-warnings") ?? "[]");
  return {
    status: response.status,
    warnings: [...(json.warnings ?? []), ...inHeader],
    errors: json.detail ?? [],
  };
};
const IGNORED = (name: string) =>
  `This route has no ${name}: the parameter is ignored, and the answer is about now.`;
const UNKNOWN = (name: string) => `This route has no parameter ${name}: it is ignored.`;

describe("ignored, and said", () => {
  test("a moment on a route about now, in a query, in a body, and beside other warnings", async () => {
    expect(await ask("/price/quote/ZORP?as_of=2026-01-05")).toMatchObject({
      status: 200,
      warnings: [IGNORED("as_of")],
    });
    expect(await ask("/price/quote/ZORP?as_of_date=2026-01-05")).toMatchObject({
      status: 200,
      warnings: [IGNORED("as_of_date")],
    });
    const body = { tickers: ["ZORP"], as_of: "2026-01-05" };
    expect(await ask("/company/bulk", body)).toMatchObject({ status: 200, warnings: [IGNORED("as_of")] });
    const csv = "/price/intraday?tickers=ZORP,NOSUCH&format=csv";
    const plain = await ask(csv);
    expect(plain.warnings.length).toBeGreaterThan(0);
    expect((await ask(`${csv}&as_of=2026-01-05`)).warnings).toEqual([...plain.warnings, IGNORED("as_of")]);
  });

  test("any other parameter, last among the answer's warnings; ten by name", async () => {
    const path = "/dividends/calendar/ZORP";
    const plain = await ask(path);
    expect(await ask(`${path}?colour=red&_=17`)).toEqual({
      ...plain,
      warnings: [...plain.warnings, UNKNOWN("colour")],
    });
    const many = Array.from({ length: 12 }, (_, at) => `x${at}=1`).join("&");
    expect((await ask(`/price/quote/ZORP?${many}`)).warnings).toEqual([
      ...Array.from({ length: 10 }, (_, at) => UNKNOWN(`x${at}`)),
      "2 more are ignored.",
    ]);
    expect((await ask(`/price/quote/ZORP?${"y".repeat(900)}=1`)).warnings).toEqual([UNKNOWN("y".repeat(60))]);
  });

  test("the answer's hash is of the body that is sent", async () => {
    const etagOf = async (path: string) => (await service.fetch(`/api/v1${path}`)).headers.get("etag");
    const path = "/universe/registry";
    expect(await etagOf(`${path}?colour=red`)).toBe(null);
  });

  test("nothing where every parameter is known", async () => {
    expect((await ask("/price/quote/ZORP")).warnings).toEqual([]);
    expect((await ask("/price/quote/ZORP?format=json&_=1")).warnings).toEqual([]);
    const past = "start_date=2026-08-03&end_date=2026-08-28&as_of=2026-08-31";
    expect((await ask(`/price/data?tickers=ZORP&format=csv&${past}`)).warnings.join()).not.toContain(
      "ignored",
    );
  });
});

describe("refused, with the right name", () => {
  const SPAN = "start_date=2026-08-03&end_date=2026-08-28";
  test.each([
    ["asof", "as_of"],
    ["asOf", "as_of"],
    ["as-of", "as_of"],
    ["AS_OF", "as_of"],
    ["as_of_time", "as_of"],
    ["asof_date", "as_of"],
    ["vintage", "as_of"],
    ["vintage_date", "as_of"],
    ["point_in_time", "as_of"],
    ["as_off", "as_of"],
    ["as_of_date", "as_of"],
    ["dataversion", "data_version"],
    ["data-version", "data_version"],
    ["start_dat", "start_date"],
    ["end-date", "end_date"],
  ])("%s is %s", async (name, right) => {
    const { status, errors } = await ask(`/price/data/ZORP?${SPAN}&${name}=2026-08-31`);
    expect([status, errors]).toEqual([
      422,
      [
        {
          type: "extra_forbidden",
          loc: ["query", name],
          msg: `Unknown parameter: use ${right}`,
          ctx: { expected: right },
        },
      ] as unknown as Fault[],
    ]);
  });

  test("in a body, in the list of a bulk request, and where the route has no moment at all", async () => {
    const one = await ask("/price/data", { ticker: "ZORP", period: "1mo", asOf: "2026-08-31" });
    expect([one.status, one.errors.map(({ loc }) => loc)]).toEqual([422, [["body", "asOf"]]]);
    const quote = await ask("/price/quote/ZORP?asof=2026-08-31");
    expect([quote.status, quote.errors[0]?.msg]).toEqual([
      422,
      "Unknown parameter: this route has none, its answers are about now",
    ]);
  });

  test("short names and FRED's own are none of these", async () => {
    expect((await ask("/price/quote/ZORP?as_o=1")).status).toBe(200);
    const proxy = "/econdata/proxy/series/observations?series_id=FICGDP";
    expect((await ask(`${proxy}&vintage_date=2026-01-01`)).errors[0]?.msg).toBe(
      "Unknown parameter: use realtime_start",
    );
    expect((await ask(`${proxy}&vintage=2026-01-01`)).status).toBe(422);
    expect((await ask(`${proxy}&asof=2026-01-01`)).errors[0]?.msg).toBe("Unknown parameter: use as_of");
  });
});

describe("dividends as of a moment", () => {
  const total = async (query: string) => {
    const { body } = await service.get<{ total: number; as_of: string | null; as_of_date: string }>(
      `/api/v1/dividends/calendar/ZORP${query}`,
    );
    return body;
  };

  test("as_of takes a day and an instant; as_of_date is its older name", async () => {
    const day = await total("?as_of=2026-03-31");
    expect(day).toMatchObject({ as_of: "2026-04-01T03:59:59.999999999Z", as_of_date: "2026-03-31" });
    expect(await total("?as_of_date=2026-03-31")).toEqual(day);
    expect(await total("?as_of=2026-04-01T03:59:59.999999999Z&as_of_date=2026-03-31")).toEqual(day);
    const now = await total("");
    expect(now.as_of).toBe(null);
    expect(now.total).toBeGreaterThan(day.total);
    expect(await total("?as_of=2099-01-01")).toMatchObject({ total: now.total, as_of_date: now.as_of_date });
    const market = await service.get<{ as_of: string }>(
      "/api/v1/dividends/calendar?date=2026-03-12&as_of=2026-03-12T15:00:00Z",
    );
    expect(market.body.as_of).toBe("2026-03-12T15:00:00Z");
  });

  test("two different moments are refused", async () => {
    const { status, body } = await service.get<{ code: string }>(
      "/api/v1/dividends/calendar/ZORP?as_of=2026-03-31&as_of_date=2026-03-30",
    );
    expect([status, body.code]).toEqual([400, "conflicting_time_selection"]);
  });
});

test("a bulk request without statements during an outage has failed, and keeps the company", async () => {
  interface Bulk {
    successful: number;
    failed: number;
    results: {
      success: boolean;
      error: string | null;
      error_code: string | null;
      data: { company: { name: string } };
    }[];
  }
  const ask = (tickers: readonly string[]) =>
    service.post<Bulk>("/api/v1/financial/data/bulk", { tickers, period: "1y", include_metrics: false });
  service.sample.dials.set([{ fault: "status", status: 500, match: "companyfacts" }]);
  const { status, body } = await ask(["WUZZL"]);
  service.sample.dials.clear();
  expect([status, body.successful, body.failed]).toEqual([200, 0, 1]);
  expect(body.results[0]).toMatchObject({ success: false, error_code: "upstream_error" });
  expect(body.results[0]?.error?.length).toBeGreaterThan(10);
  expect(body.results[0]?.data.company.name).toContain("Wuzzl");
});

test("two spellings of one ticker are answered once, and the answer says so", async () => {
  const span = "start_date=2026-08-03&end_date=2026-08-07";
  const warned = async (tickers: string) =>
    (await ask(`/price/data?tickers=${tickers}&${span}`)).warnings.filter((text) =>
      text.includes("the same as"),
    );
  expect(await warned("ZORP,zorp,KRONK")).toEqual([
    "zorp is the same as ZORP: it is answered once, as ZORP.",
  ]);
  expect(await warned("ZORP,ZORP,KRONK")).toEqual([]);
  const bulk = await ask("/price/data/bulk", { tickers: ["QUIB-B", "quib.b"], period: "7d" });
  expect(bulk.warnings).toEqual(["quib.b is the same as QUIB-B: it is answered once, as QUIB-B."]);
});
