// Financial data schedules: in reports up to 2000 alone, year to date, with the lines and traps of their
// time.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { visit } from "../../test/support/sample-edgar.ts";

setDefaultTimeout(1_200_000);

const ZIGZQ = 9031040;
const MUMBQ = 9029625;
const at = visit("2002-09-09T21:00:00Z");

/** The reports of an entity, oldest first, each with its schedules. */
function reports(cik: number) {
  const { recent } = JSON.parse(
    at.text(`data.sec.gov/submissions/CIK${String(cik).padStart(10, "0")}.json`),
  ).filings;
  return recent.form
    .flatMap((form: string, i: number) => {
      if (!form.startsWith("10-")) return [];
      const accession: string = recent.accessionNumber[i];
      const whole = at.folder(cik, accession, `${accession}.txt`).body;
      const schedules = [...whole.matchAll(/<TYPE>EX-27\n[\s\S]*?<\/DOCUMENT>/g)].map(([text]) => text);
      return [
        {
          form,
          accession,
          whole,
          schedules,
          period: recent.reportDate[i] as string,
          filed: recent.filingDate[i] as string,
          document: recent.primaryDocument[i] as string,
          accepted: recent.acceptanceDateTime[i] as string,
        },
      ];
    })
    .toReversed() as {
    form: string;
    accession: string;
    whole: string;
    schedules: string[];
    period: string;
    filed: string;
    document: string;
    accepted: string;
  }[];
}

/** Lines of a schedule: numbers without commas, negative in parentheses, else the words. */
function linesOf(schedule: string): Record<string, string | number> {
  return Object.fromEntries(
    [...schedule.matchAll(/^<([A-Z&-]+)> +(\S.*)$/gm)].map(([, tag = "", value = ""]) => {
      const digits = value.replaceAll(/[,()]/g, "");
      const number = Number(digits);
      return [tag, Number.isNaN(number) ? value : value.startsWith("(") ? -number : number];
    }),
  );
}
const of = (cik: number, period: string) => {
  const found = reports(cik).find((one) => one.period === period);
  if (!found) throw new Error(`No report for ${period}`);
  return found;
};

describe("which reports", () => {
  test("all up to 2000 and none after it; those have no names, no times and no tagged figures", () => {
    for (const cik of [ZIGZQ, MUMBQ])
      for (const { filed, schedules, document, accepted, whole } of reports(cik)) {
        const old = filed < "2001-01-01";
        expect([schedules.length > 0, document === "", whole.includes("<FILENAME>")]).toEqual([
          old,
          old,
          !old,
        ]);
        expect([accepted.endsWith("T00:00:00.000Z"), whole.includes("<ACCEPTANCE")]).toEqual([
          filed < "2002-06-01",
          filed >= "2002-06-01",
        ]);
      }
    expect(reports(ZIGZQ).filter(({ schedules }) => schedules.length > 0)).toHaveLength(16);
    expect(reports(ZIGZQ)[0]).toMatchObject({ form: "10-K", period: "1996-12-31" });
    expect(reports(MUMBQ)[0]).toMatchObject({ form: "10-K", period: "1998-09-30" });
    expect(at.ask("data.sec.gov/api/xbrl/companyfacts/CIK0009031040.json").status).toBe(404);
  });

  test("they are there when the report is, in the whole submission alone", () => {
    const { accession, filed } = of(ZIGZQ, "1998-06-30");
    const early = visit(`${filed}T09:00:00Z`);
    expect(early.folder(ZIGZQ, accession, `${accession}.txt`).status).toBe(404);
    const folder = JSON.parse(at.folder(ZIGZQ, accession, "index.json").body).directory.item;
    expect(folder.map(({ name }: { name: string }) => name)).toEqual([
      `${accession}-index-headers.html`,
      `${accession}-index.html`,
      `${accession}.txt`,
    ]);
    expect(at.folder(ZIGZQ, accession, "").status).toBe(404);
  });
});

describe("what they say", () => {
  test("balance sheets balance, profits follow, dates and lengths are those of the year to date", () => {
    for (const cik of [ZIGZQ, MUMBQ])
      for (const { period, schedules } of reports(cik))
        for (const [i, schedule] of schedules.entries()) {
          const line = linesOf(schedule);
          const n = (tag: string) => Number(line[tag]);
          const liabilities =
            cik === ZIGZQ
              ? ["CURRENT-LIABILITIES", "BONDS"]
              : ["POLICY-LOSSES", "UNEARNED-PREMIUMS", "NOTES-PAYABLE"];
          const claims = [...liabilities, "COMMON", "OTHER-SE"].reduce((sum, tag) => sum + n(tag), 0);
          // The remainder is other long-term liabilities, for which the schedule has no line.
          expect(n("TOTAL-ASSETS") - claims).toBeGreaterThan(0);
          expect(n("TOTAL-LIABILITY-AND-EQUITY")).toBe(n("TOTAL-ASSETS"));
          expect(n("INCOME-PRETAX") - n("INCOME-TAX")).toBe(n("NET-INCOME"));
          if (cik === ZIGZQ)
            expect(n("TOTAL-REVENUES") - n("TOTAL-COSTS") - n("OTHER-EXPENSES") - n("INTEREST-EXPENSE")).toBe(
              n("INCOME-PRETAX"),
            );
          else
            expect(
              n("PREMIUMS") +
                n("INVESTMENT-INCOME") +
                n("INVESTMENT-GAINS") -
                n("BENEFITS") -
                n("UNDERWRITING-OTHER"),
            ).toBe(n("INCOME-PRETAX"));
          const [year, month] = period.split("-").map(Number);
          const ended = i === 0 ? year : Number(year) - 1;
          expect(String(line["PERIOD-END"])).toEndWith(`-${ended}`);
          const quarter = ((Number(month) - (cik === ZIGZQ ? 12 : 9) + 12) % 12) / 3;
          const names =
            quarter === 0 ? [Number(ended) % 2 === 0 ? "YEAR" : "12-MOS"] : [`${quarter * 3}-MOS`];
          expect(names).toContain(String(line["PERIOD-TYPE"]));
        }
  });

  test("the fixed ones, at the default seed", () => {
    expect(linesOf(of(ZIGZQ, "1997-09-30").schedules[0] ?? "")).toMatchObject({
      ARTICLE: 5,
      MULTIPLIER: 1_000_000,
      "PERIOD-TYPE": "9-MOS",
      "FISCAL-YEAR-END": "DEC-31-1997",
      "PERIOD-END": "SEP-30-1997",
      "TOTAL-REVENUES": 32_069,
      "NET-INCOME": 3285,
      "EPS-PRIMARY": 3.36,
      "TOTAL-ASSETS": 37_082,
    });
    expect(linesOf(of(MUMBQ, "1999-12-31").schedules[0] ?? "")).toMatchObject({
      ARTICLE: 7,
      "PERIOD-TYPE": "3-MOS",
      "FISCAL-YEAR-END": "SEP-30-2000",
      PREMIUMS: 13_055,
      "INVESTMENT-GAINS": -540,
      "EPS-BASIC": 2.02,
    });
  });

  test("one without a multiplier; a second one that restates the year before, with the same profit", () => {
    const bare = linesOf(of(ZIGZQ, "1998-06-30").schedules[0] ?? "");
    expect([bare.MULTIPLIER, bare["TOTAL-REVENUES"]]).toEqual([undefined, 22_111]);
    const [year, again] = of(ZIGZQ, "1998-12-31").schedules.map(linesOf);
    const before = linesOf(of(ZIGZQ, "1997-12-31").schedules[0] ?? "");
    expect([year?.["PERIOD-END"], again?.["PERIOD-END"]]).toEqual(["DEC-31-1998", "DEC-31-1997"]);
    expect([before["TOTAL-REVENUES"], again?.["TOTAL-REVENUES"]]).toEqual([43_779, 44_655]);
    expect([before["NET-INCOME"], again?.["NET-INCOME"]]).toEqual([4412, 4412]);
    expect(of(ZIGZQ, "1998-12-31").schedules[1]).toContain(
      "<ARTICLE> 5\n<RESTATED>\n<MULTIPLIER> 1,000,000\n",
    );
  });

  test("earnings are primary until the end of 1997, basic from then on", () => {
    const primary = reports(ZIGZQ).filter(({ schedules }) => schedules[0]?.includes("<EPS-PRIMARY>"));
    expect(primary.map(({ period }) => period)).toEqual([
      "1996-12-31",
      "1997-03-31",
      "1997-06-30",
      "1997-09-30",
    ]);
  });
});

const RECORDING = join(
  process.env.CONFORMANCE_DIR ?? join(import.meta.dir, "../../../shared/real"),
  "edgar/ex27/AAPL_10Q_0000912057-00-023442.ex27.txt",
);

if (!existsSync(RECORDING)) {
  test("skipped: no recordings", () => expect(existsSync(RECORDING)).toBe(false));
} else {
  test("the lines of a recorded schedule, in their order, in the same columns", async () => {
    const shape = (text: string) =>
      text
        .replace(/<SEQUENCE>\d\n<DESCRIPTION>.*/, "")
        .split("\n")
        .map((line) => line.replace(/^(<[A-Z&-]+>) *\S.*$/, "$1").trim());
    const theirs = shape(await Bun.file(RECORDING).text());
    const ours = shape(of(ZIGZQ, "2000-03-31").schedules[0] ?? "");
    expect(ours.filter(Boolean)).toEqual(theirs.filter(Boolean));
  });
}
