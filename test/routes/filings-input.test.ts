// Input that the filing routes refuse: every field, hostile names of filings and files among them.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type FilingService, openFilingService } from "../support/filing-service.ts";

// A filer has some hundred current reports, each of three requests at the regulator's pace.
setDefaultTimeout(1_200_000);

const ZORP = "0009079327-25-900001";

describe("bad input", () => {
  let service: FilingService;
  beforeAll(async () => {
    service = await openFilingService();
  });
  afterAll(() => service.stop());

  const gets: [path: string, status: number, code: string][] = [
    ["/search", 422, "query.ticker missing"],
    ["/search?q=%20", 422, "query.ticker missing"],
    ["/search?ticker=ZORP&limit=0", 422, "query.limit greater_than_equal"],
    ["/search?ticker=ZORP&limit=501", 422, "query.limit less_than_equal"],
    ["/search?ticker=ZORP&limit=x", 422, "query.limit int_parsing"],
    ["/search?ticker=ZORP&offset=-1", 422, "query.offset greater_than_equal"],
    ["/search?ticker=..%2f..", 422, "query.ticker string_pattern_mismatch"],
    ["/search?cik=0", 422, "query.cik string_pattern_mismatch"],
    ["/search?cik=12345678901", 422, "query.cik string_pattern_mismatch"],
    ["/search?cik=1%2f2", 422, "query.cik string_pattern_mismatch"],
    [
      "/search?ticker=ZORP&start_date=2025-02-30&end_date=2025-03-01",
      422,
      "query.start_date date_from_datetime_parsing",
    ],
    ["/search?ticker=ZORP&as_of=yesterday", 422, "query.as_of value_error"],
    ["/search?ticker=ZORP&as_of=2025-02-06T12:00:00", 422, "query.as_of value_error"],
    ["/search?ticker=ZORP&force_refresh=maybe", 422, "query.force_refresh bool_parsing"],
    ["/search?ticker=ZORP&end_date=2025-01-01", 400, "invalid_date_range"],
    ["/search?ticker=ZORP&start_date=2025-02-01&end_date=2025-01-01", 400, "invalid_date_range"],
    ["/search?q=quarter&offset=10000", 400, "bad_request"],
    ["/search?ticker=NOSUCH", 404, "unknown_ticker"],
    ["/search?cik=99", 404, "no_data"],
    ["/documents", 422, "query.accession_number missing"],
    [
      "/documents?accession_number=0009079327-25-90000",
      422,
      "query.accession_number string_pattern_mismatch",
    ],
    [
      "/documents?accession_number=../../../etc/passwd",
      422,
      "query.accession_number string_pattern_mismatch",
    ],
    [`/documents?accession_number=${ZORP}%0a`, 422, "query.accession_number string_pattern_mismatch"],
    [
      `/exhibit?accession_number=${ZORP}&filename=../../passwd`,
      422,
      "query.filename string_pattern_mismatch",
    ],
    [
      `/exhibit?accession_number=${ZORP}&filename=%2e%2e%2fx.htm`,
      422,
      "query.filename string_pattern_mismatch",
    ],
    [`/exhibit?accession_number=${ZORP}&filename=..b.htm`, 422, "query.filename string_pattern_mismatch"],
    [
      `/exhibit?accession_number=${ZORP}&filename=http://evil.example/x`,
      422,
      "query.filename string_pattern_mismatch",
    ],
    [`/exhibit?accession_number=${ZORP}&exhibit=EX%0d%0a`, 422, "query.exhibit string_pattern_mismatch"],
    [`/exhibit?accession_number=${ZORP}&format=pdf`, 422, "query.format literal_error"],
    [`/exhibit?accession_number=${ZORP}&max_chars=0`, 422, "query.max_chars greater_than_equal"],
    ["/events/ZORP?days=0", 422, "query.days greater_than_equal"],
    ["/events/ZORP?item=two", 422, "query.item string_pattern_mismatch"],
    ["/events/ZORP?event_type=party", 422, "query.event_type literal_error"],
    ["/events/ZORP?days=5&start_date=2025-01-01&end_date=2025-02-01", 400, "conflicting_time_selection"],
    ["/events/ZORP?end_date=2025-02-01", 400, "invalid_date_range"],
    ["/events/NOSUCH", 404, "unknown_ticker"],
    ["/events/%3Cscript%3E", 422, "path.ticker string_pattern_mismatch"],
  ];
  const seen = ({ status, body }: { status: number; body: Record<string, unknown> }) => {
    const [error] = (Array.isArray(body.detail) ? body.detail : []) as { loc: string[]; type: string }[];
    return [status, error ? `${error.loc.join(".")} ${error.type}` : body.code];
  };
  for (const [path, status, code] of gets)
    test(`GET ${path} is ${status} ${code}`, async () => {
      expect(seen(await service.get(path))).toEqual([status, code]);
    });

  const item = { accession_number: ZORP, exhibit: "EX-99.1" };
  const posts: [path: string, body: unknown, status: number, code: string][] = [
    ["/exhibit/bulk", {}, 422, "body.items missing"],
    ["/exhibit/bulk", { items: [] }, 422, "body.items too_short"],
    ["/exhibit/bulk", { items: Array(51).fill(item) }, 422, "body.items too_long"],
    [
      "/exhibit/bulk",
      { items: [{ accession_number: "x" }] },
      422,
      "body.items.0.accession_number string_pattern_mismatch",
    ],
    [
      "/exhibit/bulk",
      { items: [{ ...item, filename: "../x" }] },
      422,
      "body.items.0.filename string_pattern_mismatch",
    ],
    ["/events/parse/bulk", {}, 422, "body.tickers missing"],
    ["/events/parse/bulk", { tickers: [] }, 422, "body.tickers too_short"],
    [
      "/events/parse/bulk",
      { tickers: Array.from({ length: 101 }, (_, i) => `T${i}`) },
      422,
      "body.tickers too_long",
    ],
    [
      "/events/parse/bulk",
      { tickers: ["ZORP"], limit_per_ticker: 0 },
      422,
      "body.limit_per_ticker greater_than_equal",
    ],
    [
      "/events/parse/bulk",
      { tickers: ["ZORP"], force_reparse: "maybe" },
      422,
      "body.force_reparse bool_parsing",
    ],
    ["/events/parse/bulk", { tickers: ["ZORP"], end_date: "2025-01-01" }, 400, "invalid_date_range"],
    ["/events/parse/bulk", { tickers: ["", " "] }, 400, "no_tickers"],
    ["/events/parse/not-a-number", undefined, 422, "path.accession_number string_pattern_mismatch"],
    ["/events/parse/%2e%2e%2f%2e%2e", undefined, 422, "path.accession_number string_pattern_mismatch"],
  ];
  for (const [path, body, status, code] of posts)
    test(`POST ${path} ${JSON.stringify(body)?.slice(0, 60)} is ${status} ${code}`, async () => {
      expect(seen(await service.post(path, body))).toEqual([status, code]);
    });
});
