import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { hasCases, openOnCases } from "../support/case-gateway.ts";
import type { TestService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const CASES = ["48", "49", "03", "02", "05", "07", "08", "09", "37", "58"];
const NOW = "2026-11-26T15:00:00Z";

interface Answer {
  readonly data: Readonly<Record<string, unknown>>[];
  readonly warnings: string[];
  readonly [name: string]: unknown;
}

if (!hasCases) test.skip("skipped: the cases of trades and positions are absent (../shared/cases)", () => {});
else
  describe("cases of trades and positions", () => {
    let service: TestService;
    beforeAll(async () => {
      service = await openOnCases(CASES, NOW);
    });
    afterAll(() => service.stop());
    const get = async (path: string) => {
      const { status, body } = await service.get<Answer>(`/api/v1${path}`);
      expect([path, status]).toEqual([path, 200]);
      return body;
    };
    /** Some fields of the rows of an answer. */
    const rows = async (path: string, ...fields: string[]) =>
      (await get(path)).data.map((row) => fields.map((field) => row[field]));
    const form4 = (ticker: string, ...fields: string[]) =>
      rows(`/insider/form4/${ticker}?as_of=2026-11-25`, ...fields);

    test("case 48: one block on the forms of a chain of owners is one sale; equal trades of directors are two", async () => {
      const { windows, warnings } = (await get("/insider/summary/MEDLA")) as unknown as {
        windows: Record<string, unknown>;
        warnings: string[];
      };
      expect(windows["12m"]).toMatchObject({
        sell_value: 1_075_000_000,
        sell_count: 1,
        unique_sellers: 1,
        buy_count: 4,
        buy_value: 125_000,
        unique_buyers: 4,
      });
      expect(warnings).toEqual([
        expect.stringMatching(/^possible_duplicate: .* Counted once, 3m buy_value would be 104500, 6m/),
      ]);
      expect(await form4("MEDLA", "joint_filers")).toHaveLength(5);
    });

    test("case 48: a fund, its partner, and its manager who holds more, with the owners known by a moment", async () => {
      const aggregate = await get("/insider/form4/aggregate/MEDLB");
      expect(aggregate).toMatchObject({
        buy_dollar_total: 1_500_000,
        cluster_size: 1,
        transaction_count: 1,
        warnings: [],
      });
      const owners = async (at: string) =>
        (await get(`/insider/form4/MEDLB?as_of=${at}`)).data.map(
          (row) => 1 + (row.joint_filers as unknown[]).length,
        );
      expect(await owners("2026-10-08T21:01:00Z")).toEqual([1]);
      expect(await owners("2026-10-08T21:01:01Z")).toEqual([2]);
      expect(await owners("2026-10-08T21:01:02Z")).toEqual([3]);
    });

    test("case 07: a trade in two parts of a form names the owners of both", async () => {
      const [trade, ...others] = (await get("/insider/form4/VOLEX?as_of=2026-11-25")).data;
      expect(others).toEqual([]);
      expect(trade).toMatchObject({ is_director: true });
      expect(trade?.joint_filers).toHaveLength(11);
    });

    test("case 49: dollars are of shares; a note and an option are counted beside them", async () => {
      const aggregate = await get("/insider/form4/aggregate/NOTEX?window_days=365");
      expect(aggregate).toMatchObject({
        buy_dollar_total: 480,
        cluster_size: 1,
        transaction_count: 1,
        derivative_count: 2,
        warnings: [],
      });
      const { windows } = (await get("/insider/summary/NOTEX")) as unknown as {
        windows: Record<string, unknown>;
      };
      expect(windows["12m"]).toMatchObject({
        buy_count: 1,
        buy_shares: 100,
        buy_value: 480,
        derivative_count: 2,
      });
      expect(windows["6m"]).toMatchObject({ buy_count: 0, buy_value: 0, derivative_count: 0 });
    });

    test("case 05: a listed owner's trades are of the other company", async () => {
      expect(await form4("TARBN", "issuer_cik")).toEqual([["0003100005"]]);
    });

    test("case 08: an amendment repeats one line", async () => {
      expect(await form4("WEXIL", "shares", "price_per_share")).toEqual([
        [1_000, 15.1],
        [2_000, 15.1],
      ]);
    });

    test("case 09: gifts are nothing; a purchase at nothing or by a footnote alone has no value", async () => {
      const values = await form4("XARBY", "transaction_code", "transaction_value");
      expect(values.map(([code, value]) => `${code} ${value}`)).toEqual([
        ...["G 0", "G 0"],
        ...["P null", "P 24800", "P null"],
      ]);
      expect(await get("/insider/form4/aggregate/XARBY?window_days=365")).toMatchObject({ without_value: 2 });
    });

    test("case 58: the plan's box comes first, and a price in another currency is unknown", async () => {
      const trades = await form4("PLANX", "transaction_date", "is_10b5_1", "price_per_share");
      expect(trades.map(([day, plan, price]) => `${String(day).slice(5)} ${plan} ${price}`)).toEqual([
        ...["04-15 true null", "04-15 true 11.5", "04-08 true 11"],
        ...["04-01 false 10", "04-01 false 10.1"],
      ]);
    });

    test("case 37: a position is of one class; the exit from class B leaves class A", async () => {
      // Reads the company's filings.
      await get("/ownership/13dg/TWCLA?as_of=2026-11-25");
      const held = (day: string) =>
        rows(`/ownership/13dg/active?as_of=${day}&activist=all`, "class_title", "cusip", "ownership_pct");
      const classA = ["Class A Common Stock", "90100A101", 7.1];
      expect(await held("2026-03-01")).toEqual([["Class B Common Stock", "90100B109", 88.2], classA]);
      expect(await held("2026-11-25")).toEqual([classA]);
    });

    test("case 03: a total, cents and an exchanged number in the price's place are in doubt once closes are there", async () => {
      const before = await get("/insider/form4/aggregate/RUSKO?window_days=365");
      expect(before).toMatchObject({ buy_dollar_total: 968_000_024_000, metadata: { closes_checked: 0 } });
      for (const ticker of ["RUSKO", "CENTQ"])
        await get(`/price/data/${ticker}?start_date=2026-06-01&end_date=2026-11-24`);
      // Closes that arrive are compared in the background.
      const checked = async (path: string, count: number) => {
        for (let tries = 0; tries < 2_000; tries++) {
          const answer = await get(path);
          if ((answer.metadata as { closes_checked: number }).closes_checked === count) return answer;
          await Bun.sleep(5);
        }
        throw new Error("the closes were not compared");
      };
      const after = await checked("/insider/form4/aggregate/RUSKO?window_days=365", 2);
      expect(after).toMatchObject({ buy_dollar_total: 24_000, without_value: 1, transaction_count: 2 });
      expect(after.warnings).toEqual([expect.stringMatching(/^price_in_doubt: 1 /)]);
      // Under a moment only closes that were known then count.
      const rusko = (at: string) =>
        rows(`/insider/form4/RUSKO?as_of=${at}`, "price_per_share", "price_in_doubt", "filed_price");
      expect(await rusko("2026-07-15")).toEqual([
        [null, "total", 4_840_000],
        [24, null, null],
      ]);
      // Forms that are stored after the closes are compared at once.
      const doubts = await rows(
        "/insider/form4/CENTQ?as_of=2026-11-25",
        "price_in_doubt",
        "transaction_value",
      );
      expect(doubts).toEqual([
        ["exchanged", null],
        ["total", null],
        ["cents", null],
      ]);
    });

    test("case 02: a day of another year is null, and the trade counts on its filing date", async () => {
      const days = await rows(
        "/insider/form4/QUELT?as_of=2026-11-25",
        "transaction_date",
        "filed_transaction_date",
      );
      expect(days).toEqual([
        [null, "2025-06-08"],
        [null, null],
        [null, "2036-03-10"],
      ]);
      const aggregate = await get("/insider/form4/aggregate/QUELT?window_days=300&as_of=2026-11-25");
      expect(aggregate).toMatchObject({ transaction_count: 3, first_date: null, last_date: null });
      expect(aggregate.warnings).toEqual([expect.stringMatching(/^date_in_doubt: 2 /)]);
    });
  });
