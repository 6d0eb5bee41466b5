// The door for agents: what its tools list, answer and refuse.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { INSTRUCTIONS, TOOLS } from "../../src/capabilities/mcp/tools.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

let service: SampleService;
beforeAll(async () => {
  service = await openSampleService({ env: { SEC_USER_AGENT: "Asof tests tests@asof.example" } });
  await service.app().jobs.runNow("universe-discover").done;
});
afterAll(() => service.stop());

interface Result {
  readonly as_of: string;
  readonly data_version: number | null;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly same?: Readonly<Record<string, unknown>>;
  readonly refused?: { readonly reason: string; readonly detail: string };
  readonly left_out?: { readonly rows: number };
  readonly notice?: string;
  readonly warnings?: readonly string[];
}
interface Reply {
  readonly result?: {
    readonly isError?: boolean;
    readonly structuredContent?: Result;
    readonly content?: readonly { readonly text: string }[];
    readonly tools?: readonly {
      name: string;
      inputSchema: { required: string[] };
      annotations: { readOnlyHint: boolean };
    }[];
    readonly instructions?: string;
  };
  readonly error?: { readonly code: number; readonly message: string };
}

const post = (body: object, headers: Record<string, string> = {}) =>
  service.fetch("/api/v1/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...body }),
  });
const replyOf = async (response: Response): Promise<Reply> => {
  const text = await response.text();
  const data = /^data: (.*)$/m.exec(text)?.[1];
  return JSON.parse(data ?? text);
};
const rpc = async (method: string, params: object, headers?: Record<string, string>) =>
  replyOf(await post({ method, params }, headers));
const call = async (name: string, args: object, headers?: Record<string, string>) => {
  const { result } = await rpc("tools/call", { name, arguments: args }, headers);
  return result;
};
const rows = async (name: string, args: object, headers?: Record<string, string>): Promise<Result> => {
  const result = await call(name, args, headers);
  if (!result?.structuredContent) throw new Error(JSON.stringify(result));
  expect(JSON.parse(result.content?.[0]?.text ?? "")).toEqual(result.structuredContent);
  return result.structuredContent;
};

const DAY = "2026-08-31";
const END = "2026-09-01T03:59:59.999Z";

describe("the protocol", () => {
  test("both revisions are answered, and the tools are read-only and want a moment", async () => {
    const hello = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    };
    const opened = await rpc("initialize", hello);
    expect(opened.result).toMatchObject({ protocolVersion: "2025-11-25", serverInfo: { name: "asof" } });
    expect(opened.result?.instructions).toContain("Every tool needs as_of");
    const { result } = await rpc("tools/list", {});
    const tools = result?.tools ?? [];
    expect(tools.map(({ name }) => name)).toEqual([
      "find",
      "prices",
      "statements",
      "filings",
      "owners",
      "market",
      "query",
      "explain",
    ]);
    for (const { name, inputSchema, annotations } of tools)
      expect([name, inputSchema.required.includes("as_of"), annotations.readOnlyHint]).toEqual([
        name,
        true,
        true,
      ]);
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" };
    const modern = await rpc("tools/list", { _meta: meta }, headers);
    expect(modern.result?.tools?.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
  });

  test("what hosts read before the first call is short", () => {
    const chars = JSON.stringify(
      Object.entries(TOOLS).map(([name, { title, description, input }]) => ({
        name,
        title,
        description,
        input,
      })),
    ).length;
    // 1,500 tokens of o200k at 3.4 characters each, as measured of these schemas.
    expect(chars).toBeLessThan(5_600);
    expect(INSTRUCTIONS.length).toBeLessThan(1_500);
  });

  test("a foreign Host or Origin is refused, other methods are not allowed, and no key is needed without keys", async () => {
    const foreign = await post({ method: "tools/list", params: {} }, { host: "evil.example" });
    expect(foreign.status).toBe(403);
    const origin = await post({ method: "tools/list", params: {} }, { origin: "https://evil.example" });
    expect(origin.status).toBe(403);
    expect((await service.fetch("/api/v1/mcp")).status).toBe(405);
  });

  test("malformed calls are errors, and nothing else", async () => {
    expect((await rpc("tools/call", { name: "nonsense", arguments: {} })).error?.code).toBe(-32602);
    for (const [args, text] of [
      [{ tickers: "ZORP" }, "as_of is required"],
      [{ tickers: "ZORP", as_of: "" }, "as_of is required"],
      [{ tickers: "ZORP", as_of: "yesterday" }, "as_of must be an existing day"],
      [{ tickers: "ZORP", as_of: "2027-01-01" }, "lies ahead"],
      [{ as_of: DAY }, "tickers"],
      [{ tickers: "ZORP", as_of: DAY, colour: "red" }, "colour: Unexpected property"],
      [{ tickers: "ZORP", as_of: DAY, max_tokens: 5 }, "max_tokens"],
    ] as const) {
      const result = await call("prices", args);
      expect([args, result?.isError, result?.content?.[0]?.text]).toEqual([
        args,
        true,
        expect.stringContaining(text),
      ]);
    }
    const noTicker = await call("filings", { kind: "events", as_of: DAY });
    expect(noTicker?.content?.[0]?.text).toBe("events needs ticker.");
    const unused = { kind: "short_volume", ticker: "ZORP", date: "2026-08-20", as_of: DAY };
    expect((await call("market", unused))?.content?.[0]?.text).toBe("short_volume does not take date here.");
    const range = await rows("prices", {
      tickers: "ZORP",
      start: "2026-08-31",
      end: "2026-08-01",
      as_of: DAY,
    });
    expect(range.refused?.reason).toBe("invalid_date_range");
  });
});

describe("answers", () => {
  test("prices: the bars known then, what is the same in all of them said once", async () => {
    const found = await rows("prices", {
      tickers: "ZORP",
      start: "2026-08-27",
      end: "2026-09-04",
      as_of: DAY,
    });
    expect(found).toMatchObject({ as_of: END, same: { ticker: "ZORP" } });
    expect(found.rows.map(([date]) => date)).toEqual(["2026-08-27", "2026-08-28"]);
  });

  test("a figure with its filing is below 1 kB", async () => {
    const found = await rows("statements", {
      ticker: "ZORP",
      lines: "revenue",
      start: "2025-12-31",
      end: "2025-12-31",
      as_of: DAY,
    });
    const at = (name: string) => found.rows[0]?.[found.columns.indexOf(name)];
    expect([at("value"), at("accession"), at("tag"), at("unit")]).toEqual([
      271_206_000_000,
      "0009079327-26-000003",
      "Revenues",
      "USD",
    ]);
    expect(JSON.stringify(found).length).toBeLessThan(1_000);
    // It was filed on 17 February.
    const before = await rows("statements", {
      ticker: "ZORP",
      lines: "revenue",
      start: "2025-12-31",
      end: "2025-12-31",
      as_of: "2026-02-16",
    });
    expect(before.rows).toEqual([]);
    expect(before.refused).toBeDefined();
  });

  test("explain: the first report of a restated figure, else the newest", async () => {
    const asked = { ticker: "ZORP", lines: "revenue", start: "2024-12-31", end: "2024-12-31", as_of: DAY };
    const of = async (vintage: string) => {
      const { columns, rows: found } = await rows("explain", { ...asked, vintage });
      return found[0]?.[columns.indexOf("accession")];
    };
    expect([await of("first"), await of("latest")]).toEqual(["0009079327-25-000004", "0009079327-26-000003"]);
  });

  test("rows that do not fit are counted, and texts of others are marked", async () => {
    const asked = { kind: "events", ticker: "ZORP", content: true, as_of: DAY };
    const whole = await rows("filings", { ...asked, max_tokens: 50_000 });
    const cut = await rows("filings", { ...asked, max_tokens: 300 });
    expect(cut.rows.length).toBeLessThan(whole.rows.length);
    expect(cut.left_out?.rows).toBe(whole.rows.length - cut.rows.length);
    expect(cut.notice).toContain("not instructions");
    expect(JSON.stringify(cut).length).toBeLessThan(1_600);
  });

  test("text of a document comes in parts", async () => {
    const found = await rows("filings", {
      kind: "text",
      ticker: "ZORP",
      accession: "0009079327-26-000010",
      as_of: DAY,
    });
    expect(found.columns).toEqual(["part", "parts", "text"]);
    expect(String(found.rows[0]?.[2])).toContain("Zorp Dynamics");
  });

  test("SQL sees the rows of the moment alone", async () => {
    const latest = async (as_of: string) => {
      const { rows: found } = await rows("query", {
        sql: "SELECT max(date)::VARCHAR AS day FROM bars(NULL)",
        as_of,
      });
      return found[0]?.[0];
    };
    expect(await latest(DAY)).toBe("2026-08-28");
    const count = async (as_of: string) =>
      (await rows("query", { sql: "SELECT count(*) AS n FROM financial_facts", as_of })).rows[0]?.[0];
    expect(Number(await count(DAY))).toBeGreaterThan(Number(await count("2024-01-01")));
    // A column that is null in all rows is one of the result.
    const unknown = await rows("query", { sql: "SELECT 1 AS a, NULL AS b", as_of: DAY });
    expect([unknown.columns, unknown.rows]).toEqual([["a", "b"], [[1, null]]]);
    const listed = await rows("query", { sql: "SHOW TABLES", as_of: DAY, max_tokens: 50_000 });
    expect(listed.rows.map(([name]) => name)).toContain("bars(as_of := NULL)");
    // Companies that were fetched later are no knowledge of the moment.
    for (const from of ["action_coverage", "complete_actions()"])
      expect((await rows("query", { sql: `SELECT * FROM ${from}`, as_of: DAY })).refused?.reason).toBe(
        "query_refused",
      );
    const refused = await rows("query", { sql: "DROP TABLE bars_daily", as_of: DAY });
    expect(refused.refused?.reason).toBe("query_refused");
  });

  test("insiders, shorts, earnings, the universe: each as of the moment", async () => {
    for (const [tool, args] of [
      ["owners", { kind: "insiders", ticker: "ZORP" }],
      ["market", { kind: "dividends", ticker: "ZORP" }],
      ["filings", { kind: "search", ticker: "ZORP" }],
      ["filings", { kind: "documents", ticker: "ZORP", accession: "0009079327-26-000010" }],
    ] as const) {
      const found = await rows(tool, { ...args, as_of: DAY });
      expect([tool, args, found.rows.length > 0, found.as_of]).toEqual([tool, args, true, END]);
      const at = found.columns.indexOf("accepted_at");
      for (const row of at < 0 ? [] : found.rows) expect(String(row[at] ?? "") <= END).toBe(true);
    }
    const found = await rows("find", { text: "zorp", as_of: "now" });
    expect(found.rows[0]?.[0]).toBe("ZORP");
  });
});

describe("refusals are results", () => {
  test("an unknown ticker, a list without a past, nothing there", async () => {
    const reason = async (tool: string, args: object) => (await rows(tool, args)).refused?.reason;
    expect(await reason("prices", { tickers: "NOSUCH", as_of: DAY })).toBe("unknown_ticker");
    expect(await reason("market", { kind: "quote", ticker: "ZORP", as_of: DAY })).toBe("not_as_of");
    for (const kind of ["gainers", "most_active"])
      expect([kind, await reason("market", { kind, as_of: DAY })]).toEqual([kind, "not_as_of"]);
    expect(
      await reason("prices", { tickers: "ZORP", start: "2026-08-29", end: "2026-08-30", as_of: DAY }),
    ).toBe("nothing_there");
    const quote = await rows("market", { kind: "quote", ticker: "ZORP", as_of: "now" });
    expect(quote.columns).toContain("price");
  });
});

describe("a frozen connection", () => {
  const frozen = { "asof-frozen": "2026-03-31" };
  test("answers nothing later, and now is its moment", async () => {
    const found = await rows("prices", { tickers: "ZORP", as_of: "now" }, frozen);
    expect(found.as_of).toBe("2026-04-01T03:59:59.999Z");
    expect(found.rows.every(([day]) => String(day) <= "2026-03-31")).toBe(true);
    const later = await call("prices", { tickers: "ZORP", as_of: "2026-04-02" }, frozen);
    expect([later?.isError, later?.content?.[0]?.text]).toEqual([true, expect.stringContaining("frozen at")]);
    const quote = await rows("market", { kind: "quote", ticker: "ZORP", as_of: "now" }, frozen);
    expect(quote.refused?.reason).toBe("not_as_of");
    const sql = { sql: "SELECT max(date)::VARCHAR AS day FROM bars_daily", as_of: "now" };
    expect(String((await rows("query", sql, frozen)).rows[0]?.[0]) <= "2026-03-31").toBe(true);
  });
  test("a wrong header is refused", async () => {
    const response = await post({ method: "tools/list", params: {} }, { "asof-frozen": "soon" });
    expect(response.status).toBe(400);
  });
});

test("a line that no statement has is named", async () => {
  const found = await rows("statements", { ticker: "ZORP", lines: "bogus,revenue", as_of: DAY });
  expect(found.rows.length).toBe(5);
  expect(found.warnings?.[0]).toBe("No statement here has a line bogus.");
});

test("eight calls at once, a ninth has to wait", async () => {
  const asked = Array.from({ length: 12 }, () =>
    post({
      method: "tools/call",
      params: { name: "query", arguments: { sql: "SELECT 1 AS one", as_of: DAY } },
    }),
  );
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 503).length).toBe(4);
  expect(statuses.filter((status) => status === 200).length).toBe(8);
});

test("over stdio a running service answers, and a frozen one nothing later", async () => {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => service.app().edge.fetch(request, "127.0.0.1"),
  });
  const ask = async (url: string, ...options: string[]) => {
    const child = Bun.spawn([process.execPath, "scripts/cli.ts", "mcp", "--url", url, ...options], {
      cwd: join(import.meta.dir, "../.."),
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
    });
    const lines = [
      {
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
      },
      { method: "notifications/initialized" },
      {
        id: 2,
        method: "tools/call",
        params: { name: "prices", arguments: { tickers: "ZORP", as_of: "now" } },
      },
    ];
    for (const line of lines) child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...line })}\n`);
    child.stdin.flush();
    let text = "";
    for await (const chunk of child.stdout) {
      text += new TextDecoder().decode(chunk);
      if (/"id":2/.test(text)) break;
    }
    child.stdin.end();
    expect(await child.exited).toBe(0);
    const last = text.trim().split("\n").at(-1) ?? "";
    return (JSON.parse(last) as Reply).result?.structuredContent as Result;
  };
  const found = await ask(server.url.href, "--as-of", "2026-03-31");
  expect(found.as_of).toBe("2026-04-01T03:59:59.999Z");
  // The bar of the 31st is known from the open of the next session.
  expect(String(found.rows.at(-1)?.[0])).toBe("2026-03-30");
  await server.stop(true);
  expect((await ask(server.url.href)).refused).toMatchObject({ reason: "outage" });
});

test("llms.txt names the door and where everything is described", async () => {
  const response = await service.fetch("/llms.txt");
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  const text = await response.text();
  for (const part of ["# Asof", "/api/v1/mcp", "/api/v1/openapi.json", "as_of"]) expect(text).toContain(part);
});
