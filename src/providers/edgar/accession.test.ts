import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { InvalidRequest, NotFound } from "../../platform/errors.ts";
import { accessionNumber, cikOf, fileName, isFileName, readAccession, readCik } from "./accession.ts";
import {
  companyFactsUrl,
  fileUrl,
  folderUrl,
  indexPageUrl,
  isInFolder,
  olderPageUrl,
  submissionsUrl,
} from "./address.ts";

setDefaultTimeout(1_200_000);

const ACCESSION = "0001234567-26-000089";
const REF = { accession_number: ACCESSION, cik: "0000004711" };
const FOLDER = "https://www.sec.gov/Archives/edgar/data/4711/000123456726000089/";

describe("accession numbers", () => {
  test.each([
    [ACCESSION, ACCESSION],
    ["000123456726000089", ACCESSION],
    [" 0001234567-26-000089\n", ACCESSION],
    ["0001234567-26000089", ACCESSION],
  ])("%p is read", (text, expected) => expect(readAccession(text)).toBe(expected));

  test.each([
    "",
    "1234567-26-89",
    "0001234567-26-0000891",
    "0001234567-26-00008a",
    "0001234567/26/000089",
    "..",
    "０００１２３４５６７-26-000089",
  ])("%p is none", (text) => {
    expect(readAccession(text)).toBeNull();
    expect(() => accessionNumber(text)).toThrow(InvalidRequest);
  });
});

describe("CIKs", () => {
  test.each([
    [320193, "0000320193"],
    ["320193", "0000320193"],
    ["0000320193", "0000320193"],
    ["CIK0000320193", "0000320193"],
    ["1", "0000000001"],
    [9999999999, "9999999999"],
  ])("%p is read", (value, expected) => expect(readCik(value)).toBe(expected));

  test.each(["", "0", "0000000000", "12345678901", "-1", "1.5", "1e3", "320193/..", "AAPL", "３２０"])(
    "%p is none",
    (text) => {
      expect(readCik(text)).toBeNull();
      expect(() => cikOf(text)).toThrow(InvalidRequest);
    },
  );

  test.each([Number.NaN, Number.POSITIVE_INFINITY, -5, 1e21, 0])("%p is none", (n) =>
    expect(readCik(n)).toBeNull(),
  );
});

describe("file names", () => {
  test.each([
    "doc4.xml",
    "d828969d8k.htm",
    "R1.htm",
    "wk-form4_1766178344.xml",
    "_x.txt",
    "acme.inc..txt",
    `${ACCESSION}.txt`,
  ])("%p is one", (name) => expect(fileName(name)).toBe(name));

  test.each([
    "",
    ".",
    "..",
    ".hidden",
    "-x.htm",
    "a/b.xml",
    "xslF345X05/doc4.xml",
    "..\\x",
    "../x.htm",
    "..%2fx.htm",
    "%2e%2e/x.htm",
    "%252e%252e%252fx",
    "..b",
    "x.htm?y",
    "x.htm#y",
    "https://evil.example/x",
    "//evil.example/x",
    "x.htm\u0000",
    "x\n.htm",
    "x .htm",
    "a:b",
    "\u2024\u2024/x",
    "．．/x",
    "a".repeat(129),
  ])("%p is none", (name) => {
    expect(isFileName(name)).toBe(false);
    expect(() => fileName(name)).toThrow(InvalidRequest);
  });
});

describe("addresses", () => {
  test("are built from the parts, padded and unpadded as each place wants it", () => {
    expect(folderUrl(REF)).toBe(FOLDER);
    expect(indexPageUrl(REF)).toBe(`${FOLDER}${ACCESSION}-index.html`);
    expect(submissionsUrl("4711")).toBe("https://data.sec.gov/submissions/CIK0000004711.json");
    expect(companyFactsUrl("4711")).toBe("https://data.sec.gov/api/xbrl/companyfacts/CIK0000004711.json");
    expect(olderPageUrl("CIK0000004711-submissions-001.json")).toEndWith(
      "/CIK0000004711-submissions-001.json",
    );
  });

  test("without a CIK the filer agent's number is taken", () => {
    expect(folderUrl({ accession_number: ACCESSION })).toBe(
      "https://www.sec.gov/Archives/edgar/data/1234567/000123456726000089/",
    );
  });

  test("a prefix that no filer can have is a filing that is not found, unless a party is named", () => {
    const accession_number = "0000000000-26-000089";
    let problem: unknown;
    try {
      folderUrl({ accession_number });
    } catch (error) {
      problem = error;
    }
    expect(problem).toBeInstanceOf(NotFound);
    expect((problem as NotFound).code).toBe("not_found");
    expect(folderUrl({ accession_number, cik: REF.cik })).toBe(
      "https://www.sec.gov/Archives/edgar/data/4711/000000000026000089/",
    );
  });

  test("every requested name stays in the folder of the filing, or is refused", () => {
    const alphabet = fc.constantFrom(..."./\\%2eEfF5cC@:?#;&-_ \u0000\n．∕a1");
    const names = fc.oneof(
      fc.string(),
      fc.array(alphabet, { maxLength: 12 }).map((chars) => chars.join("")),
    );
    fc.assert(
      fc.property(names, (name) => {
        let url: string;
        try {
          url = fileUrl(REF, name);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidRequest);
          return;
        }
        expect(new URL(url).href).toBe(FOLDER + name);
        expect(isInFolder(REF, url)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test("a redirect is held against the folder, under whichever party's number", () => {
    expect(isInFolder(REF, "https://www.sec.gov/Archives/edgar/data/99/000123456726000089/x.htm")).toBe(true);
    for (const url of [
      "https://www.sec.gov/Archives/edgar/data/4711/000123456726000090/x.htm",
      "https://data.sec.gov/Archives/edgar/data/4711/000123456726000089/x.htm",
      "https://www.sec.gov/Archives/edgar/data/4711/000123456726000089/../x.htm",
      "https://www.sec.gov/Archives/edgar/data/4711/000123456726000089/xsl/x.htm",
      "https://www.sec.gov/index.htm",
    ])
      expect(isInFolder(REF, url)).toBe(false);
  });
});
