// The sample's encyclopedia: lists of the right length, by each way to them, in step with the market.
import { expect, setDefaultTimeout, test } from "bun:test";
import { exchangeCalendar } from "../../src/market/calendar.ts";
import { fakeClock } from "../../test/support/fake-clock.ts";
import { createMarket, NAMED_LISTINGS } from "../market.ts";
import { createWikimedia } from "./index.ts";
import { membersOf } from "./members.ts";

setDefaultTimeout(1_200_000);

const clock = fakeClock("2026-02-27T15:00:00Z");
const options = { clock, calendar: exchangeCalendar(), seed: 1, years: 5 };
const market = createMarket({ ...options, symbols: NAMED_LISTINGS });
const wikimedia = createWikimedia(market);

const ask = (path: string, agent = "Asof/1.0 (tests)") => {
  const url = new URL(`https://en.wikipedia.org${path}`);
  return wikimedia.answer({
    method: "GET",
    host: url.host,
    path: url.pathname,
    query: url.searchParams,
    headers: { "user-agent": agent },
    body: "",
  });
};
const parse = (page: string) =>
  JSON.parse(ask(`/w/api.php?action=parse&page=${encodeURIComponent(page)}&formatversion=2`)?.body ?? "");

test("503 and 101 members, in the smallest market and the largest, each once", () => {
  for (const symbols of [3, NAMED_LISTINGS, 11_000]) {
    const other = createMarket({ ...options, symbols });
    for (const [index, size] of [
      ["sp500", 503],
      ["nasdaq100", 101],
    ] as const) {
      const members = membersOf(other, index);
      expect(new Set(members.map(({ symbol }) => symbol)).size).toBe(size);
    }
  }
});

test("named shares are in with the regulator's number; preferreds, warrants, funds and the counter are not", () => {
  const members = membersOf(market, "sp500");
  const symbols = members.map(({ symbol }) => symbol);
  expect(symbols).toEqual(expect.arrayContaining(["ZORP", "QUIB", "QUIB.B", "GLUMP", "NEWZQ", "ZQAAA"]));
  for (const other of ["ZORP.PA", "ZORP-PA", "PIPZ-WT", "SMPLF", "MURQ", "HUSQ"])
    expect(symbols).not.toContain(other);
  for (const { cik } of members) expect(cik).toMatch(/^00090\d{5}$|^00091\d{5}$/);
  const of = (symbol: string) => members.find((member) => member.symbol === symbol)?.cik;
  expect(of("QUIB")).toBe(of("QUIB.B") ?? "");
  expect(membersOf(market, "nasdaq100").map(({ symbol }) => symbol)).not.toContain("QUIB");
});

test("the same article by the API and as a page", () => {
  const { parse: parsed } = parse("List of S&P 500 companies");
  const page = ask("/wiki/List_of_S%26P_500_companies")?.body ?? "";
  expect(page).toContain(parsed.text);
  expect(page).toContain(`"wgRevisionId":${parsed.revid}`);
  expect(parsed.text).toContain('id="constituents"');
  expect(ask("/api/rest_v1/page/html/Nasdaq-100")?.status).toBe(200);
});

test("the revision changes each day, the members when one leaves", () => {
  const before = parse("List of S&P 500 companies").parse;
  clock.set("2026-02-28T15:00:00Z");
  const after = parse("List of S&P 500 companies").parse;
  expect(after.revid).toBe(before.revid + 1);
  expect([before.text.includes(">GLUMP</a>"), after.text.includes(">GLUMP</a>")]).toEqual([true, false]);
  clock.set("2026-02-27T15:00:00Z");
});

test("what is not there, and who does not say who asks", () => {
  expect(parse("No such page").error.code).toBe("missingtitle");
  expect(ask("/wiki/No_such_page")?.status).toBe(404);
  expect(ask("/w/api.php?action=nonsense")?.headers["mediawiki-api-error"]).toBe("badvalue");
  expect(ask("/wiki/Nasdaq-100", "")?.status).toBe(403);
});
