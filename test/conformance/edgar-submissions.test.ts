// Every recorded submissions file of EDGAR through the provider, against what the manifest says of it.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { type FilingRow, readHeader, type Submissions } from "../../src/providers/edgar/index.ts";
import { answering, bytesOf, has, hasRecordings, listed, stampOf, textOf } from "./edgar-recordings.ts";

setDefaultTimeout(1_200_000);

interface RawTable {
  accessionNumber: string[];
  acceptanceDateTime: string[];
  form: string[];
  filingDate: string[];
}
const raw = (file: string) => JSON.parse(textOf(file));
const tableOf = (file: string): RawTable => raw(file).filings?.recent ?? raw(file);

const isOlder = (file: string) => /-submissions-\d+\.json$/.test(file);
const files = listed("submissions", /\.json$/);
const cikIn = (file: string) => /CIK(\d{10})/.exec(file)?.[1] ?? "";

async function submissionsOf(file: string): Promise<Submissions> {
  const found = await answering({ body: bytesOf(file) }).submissions(cikIn(file));
  if (!found) throw new Error(`${file} was taken for an unknown CIK`);
  return found;
}
async function filingsOf(file: string): Promise<readonly FilingRow[]> {
  if (!isOlder(file)) return (await submissionsOf(file)).filings;
  const name = file.replace(/.*\/(CIK\d{10}-submissions-\d+\.json)$/, "$1");
  return answering({ body: bytesOf(file) }).olderFilings(cikIn(file), { name });
}

/** The manifest's lines about a file. */
function factsOf(file: string): string[] {
  const [, part = ""] = textOf("MANIFEST.md").split(`**\`${file}\`**`);
  return (
    part
      .split(/^- \*\*`/m)[0]
      ?.split("\n")
      .filter((line) => line.includes("FACT:")) ?? []
  );
}
/** A Python list of texts. */
const pythonList = (text: string): string[] => JSON.parse(text.replaceAll("'", '"'));

/** Both moments a value of the column may stand for. */
function readingsOf(value: string): string[] {
  const wall = Temporal.PlainDateTime.from(value.replace("Z", ""));
  return [wall.toZonedDateTime("UTC"), wall.toZonedDateTime("America/New_York")].map((at) =>
    at.toInstant().toString({ smallestUnit: "second" }),
  );
}

if (!hasRecordings) test("skipped: no recordings", () => {});

describe.if(hasRecordings)("every recorded submissions file", () => {
  for (const file of files) {
    test(file, async () => {
      const rows = await filingsOf(file);
      const table = tableOf(file);
      expect(rows.map((row) => [row.accession_number, row.form_type, row.filing_date])).toEqual(
        table.accessionNumber.map((accession, i) => [
          accession,
          table.form[i] ?? "",
          table.filingDate[i] ?? "",
        ]),
      );
      rows.forEach((row, i) => {
        const readings = readingsOf(table.acceptanceDateTime[i] ?? "");
        if (row.precision === "second") expect(readings).toContain(row.accepted_at ?? "");
        else expect(row.accepted_at).toBeNull();
        // Nothing is ever public before its later possible moment, unless one of them is known.
        if (row.precision === "ambiguous" && row.public_from)
          expect(row.public_from >= (readings.toSorted().at(-1) ?? "")).toBe(true);
        // A moment that is known lies in the hours in which EDGAR takes filings, or the staff entered it.
        const hour = Number(stampOf(row.accepted_at)?.slice(8, 10) ?? "12");
        if (!/^(?:0000000000|99999999\d\d)/.test(row.accession_number)) {
          expect(hour).toBeGreaterThanOrEqual(6);
          expect(hour).toBeLessThanOrEqual(22);
        }
      });
    });

    for (const fact of factsOf(file)) {
      const head =
        /name=(['"])(.*)\1, entityType='(.*?)', tickers=(\[.*?\]), exchanges=(\[.*?\]), sic='(.*?)', fiscalYearEnd=(?:'(\d{4})'|None), recent rows=(\d+), older files=(\[.*?\])/.exec(
          fact,
        );
      if (head) {
        test(`${file}: the entity`, async () => {
          const [
            ,
            ,
            name = "",
            type = "",
            tickers = "[]",
            exchanges = "[]",
            sic = "",
            end,
            rows,
            older = "[]",
          ] = head;
          const { entity, filings, older_pages } = await submissionsOf(file);
          const [listedTickers, listedExchanges] = [pythonList(tickers), pythonList(exchanges)];
          const shown = entity.tickers.slice(0, listedTickers.length);
          expect(entity.name).toBe(name.replaceAll("\\\\", "\\"));
          expect(entity).toMatchObject({ cik: cikIn(file), entity_type: type, sic: sic || null });
          expect(shown.map((t) => [t.ticker, t.exchange])).toEqual(
            listedTickers.map((t, i) => [t, listedExchanges[i] ?? null]),
          );
          expect(entity.fiscal_year_end).toBe(end ? `${end.slice(0, 2)}-${end.slice(2)}` : null);
          expect(filings).toHaveLength(Number(rows));
          expect(older_pages.slice(0, 3).map((page) => page.name)).toEqual(pythonList(older));
        });
      }
      const newest =
        /newest (8-K|Form 4) row: (\S+) (?:form (\S+) )?filed (\S+?), (?:acceptanceDateTime (\S+), items '(.*?)', )?primaryDocument '?([^']+?)'?$/.exec(
          fact,
        );
      if (newest) {
        test(`${file}: the newest ${newest[1]}`, async () => {
          const [, , accession, form = "8-K", filed, accepted, items, document = ""] = newest;
          const row = (await submissionsOf(file)).filings.find(
            (r) => r.form_type === form || r.accession_number === accession,
          );
          expect(row).toMatchObject({
            accession_number: accession,
            form_type: form,
            filing_date: filed,
            primary_document: document.replace(/^xsl[^/]*\//, ""),
          });
          if (items !== undefined) expect(row?.items).toEqual(items.split(","));
          if (accepted && row?.accepted_at) expect(readingsOf(accepted)).toContain(row.accepted_at);
        });
      }
      const older = /(\d+) rows, (\d{4}-\d{2}-\d{2}) … (\d{4}-\d{2}-\d{2})/.exec(fact);
      if (older && isOlder(file)) {
        test(`${file}: the table itself`, async () => {
          const dates = (await filingsOf(file)).map((row) => row.filing_date).toSorted();
          expect([String(dates.length), dates.at(0), dates.at(-1)]).toEqual(older.slice(1, 4));
        });
      }
    }
  }
});

/** Moments known, by accession number, over all files. */
async function momentsByFiling() {
  const moments = new Map<string, Map<string, string>>();
  for (const file of files) {
    for (const row of await filingsOf(file)) {
      if (!row.accepted_at) continue;
      const found = moments.get(row.accession_number) ?? new Map<string, string>();
      moments.set(row.accession_number, found.set(file, row.accepted_at));
    }
  }
  return moments;
}

const COPIES = [
  "submissions/CIK0001677077.fetched-2026-03-10.json",
  "submissions/CIK0001677077.json",
] as const;

describe.if(COPIES.every(has))("one entity fetched twice, three months apart", () => {
  test("every column value differs between the copies, and every filing has one moment", async () => {
    const [before, after] = await Promise.all(COPIES.map(filingsOf));
    const tables = COPIES.map(tableOf);
    const value = (i: number, accession: string) => {
      const table = tables[i];
      return table?.acceptanceDateTime[table.accessionNumber.indexOf(accession)];
    };
    const later = new Map(after?.map((row) => [row.accession_number, row]));
    const common = (before ?? []).filter((row) => later.has(row.accession_number));
    expect(common).toHaveLength(370);
    let both = 0;
    for (const row of common) {
      expect(value(0, row.accession_number)).not.toBe(value(1, row.accession_number));
      const other = later.get(row.accession_number)?.accepted_at;
      if (!row.accepted_at || !other) continue;
      both += 1;
      expect(other).toBe(row.accepted_at);
    }
    // Ambiguous in one of them: the newest five rows common to both, and twenty oldest.
    expect(both).toBeGreaterThanOrEqual(340);
  });

  test("the filing whose header says 16:46:18 in New York", async () => {
    for (const file of COPIES) {
      const row = (await filingsOf(file)).find((r) => r.accession_number === "0001214659-26-002941");
      if (row?.accepted_at) expect(row.accepted_at).toBe("2026-03-06T21:46:18Z");
      else expect(row).toMatchObject({ precision: "ambiguous", accepted_at: null });
    }
  });
});

describe.if(hasRecordings)("one filing in several lists, and in its own header", () => {
  test("no filing has two moments, whichever files tell it", async () => {
    let shared = 0;
    for (const [accession, found] of await momentsByFiling()) {
      if (found.size < 2) continue;
      shared += 1;
      expect([accession, new Set(found.values()).size]).toEqual([accession, 1]);
    }
    if (has("submissions/CIK0001462356.json")) expect(shared).toBeGreaterThan(600);
  });

  test("a filing in an Eastern file and a UTC file of the same day", async () => {
    const found = (await momentsByFiling()).get("0000320193-22-000061");
    if (found) expect([...found.values()]).toEqual(["2022-05-06T22:30:57Z", "2022-05-06T22:30:57Z"]);
  });

  test("what a recorded header says is what the column resolves to", async () => {
    const moments = await momentsByFiling();
    const headers = [
      ...listed("8k_full"),
      ...listed("form4", /full\.txt$/),
      ...listed("ex27", /full\.txt$/),
      ...listed("index", /headers\.html$/),
    ];
    for (const file of headers) {
      const header = readHeader(textOf(file));
      for (const at of moments.get(header.accession_number)?.values() ?? [])
        if (header.accepted_at) expect([file, at]).toEqual([file, header.accepted_at]);
    }
  });

  test("accepted after 17:30 under the next day's date is public the next morning, Forms 3, 4, 5 at once", async () => {
    for (const file of files) {
      for (const row of await filingsOf(file)) {
        const stamp = stampOf(row.accepted_at);
        if (!stamp || !row.public_from) continue;
        const day = `${stamp.slice(0, 4)}-${stamp.slice(4, 6)}-${stamp.slice(6, 8)}`;
        const expected = day >= row.filing_date ? stamp : `${row.filing_date.replaceAll("-", "")}060000`;
        expect([row.accession_number, stampOf(row.public_from)]).toEqual([row.accession_number, expected]);
      }
    }
  });
});
