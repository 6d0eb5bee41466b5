// Index members in a table: columns by name in any order and wording, and what is rejected.
import { expect, test } from "bun:test";
import { UpstreamFailed } from "../../../platform/errors.ts";
import { readConstituents } from "./constituents.ts";

const table = (heads: readonly string[], rows: readonly (readonly string[])[], id = "constituents") =>
  `<table id="${id}"><tr>${heads.map((h) => `<th>${h}</th>`).join("")}</tr>${rows
    .map((row) => `<tr>${row.map((c) => `<td>${c}</td>`).join("")}</tr>`)
    .join("")}</table>`;

const SP = [
  "Symbol",
  "Security",
  "GICS Sector",
  "GICS Sub-Industry",
  "Headquarters Location",
  "Date added",
  "CIK",
  "Founded",
];

test("reads every column of the first list", () => {
  const html = table(SP, [
    [
      "QUIB.B",
      "Quibble (Class B)",
      "Financials",
      "Multi-Sector Holdings",
      "Omaha",
      "2010-02-16",
      "9087270",
      "1839 (1888)",
    ],
  ]);
  expect(readConstituents(html)).toEqual({
    classification: "GICS",
    constituents: [
      {
        symbol: "QUIB.B",
        company_name: "Quibble (Class B)",
        sector: "Financials",
        sub_industry: "Multi-Sector Holdings",
        headquarters: "Omaha",
        date_added: "2010-02-16",
        cik: "0009087270",
        founded: "1839 (1888)",
      },
    ],
  });
});

test("reads the columns of the second list, with footnotes in their headings, in another order", () => {
  const html = table(
    ["Company", "Ticker", 'ICB Industry<sup class="reference">[14]</sup>', "ICB Subsector[14]"],
    [["Zorp Dynamics", "ZORP", "Technology", "Software"]],
  );
  const { classification, constituents } = readConstituents(html);
  expect(classification).toBe("ICB");
  expect(constituents).toEqual([
    {
      symbol: "ZORP",
      company_name: "Zorp Dynamics",
      sector: "Technology",
      sub_industry: "Software",
      headquarters: null,
      date_added: null,
      cik: null,
      founded: null,
    },
  ]);
});

test("reads earlier wordings of the headings", () => {
  const heads = [
    "Ticker symbol",
    "Security",
    "SEC filings",
    "GICS Sector",
    "GICS Sub Industry",
    "Address of Headquarters",
    "Date first added",
    "CIK",
  ];
  const { constituents } = readConstituents(
    table(heads, [["MMM", "3M Company", "reports", "Industrials", "Conglomerates", "St. Paul", "", "66740"]]),
  );
  expect(constituents[0]).toMatchObject({
    symbol: "MMM",
    sector: "Industrials",
    sub_industry: "Conglomerates",
    headquarters: "St. Paul",
    date_added: null,
    cik: "0000066740",
    founded: null,
  });
});

test("invalid dates and numbers and dashes are unknown", () => {
  const row = (date: string, cik: string, founded: string) =>
    readConstituents(table(SP, [["ZORP", "Zorp", "Energy", "–", "", date, cik, founded]])).constituents[0];
  expect(row("2016-02-30", "n/a", "-")).toMatchObject({
    sub_industry: null,
    headquarters: null,
    date_added: null,
    cik: null,
    founded: null,
  });
  expect(row("1983-11-30 (1957-03-04)", "0", "")).toMatchObject({ date_added: "1983-11-30", cik: null });
  expect(row("June 5, 2000", "00000000001", "")).toMatchObject({ date_added: null, cik: null });
});

test("skips repeated members and empty rows, and removes an exchange before the symbol", () => {
  const html = table(SP, [
    ["NYSE: ZORP", "Zorp", "Energy", "Oil", "", "", "", ""],
    ["", "", "", "", "", "", "", ""],
    ["ZORP", "Zorp again", "Energy", "Oil", "", "", "", ""],
    ["MKC.V", "McCormick (voting)", "Staples", "Food", "", "", "", ""],
  ]);
  expect(readConstituents(html).constituents.map((c) => [c.symbol, c.company_name])).toEqual([
    ["ZORP", "Zorp"],
    ["MKC-V", "McCormick (voting)"],
  ]);
});

test("headings repeated further down are not members", () => {
  const row = (symbol: string) => [symbol, symbol, "Energy", "Oil", "", "", "", ""];
  const html = table(SP, [row("ZORP"), SP, row("KRONK")]);
  expect(readConstituents(html).constituents.map(({ symbol }) => symbol)).toEqual(["ZORP", "KRONK"]);
});

test("without the id it uses the table with the required columns, not the one of the changes", () => {
  const changes = table(["Date", "Ticker", "Security"], [["May 7", "VEEV", "Veeva"]], "changes");
  const list = table(SP.slice(0, 4), [["ZORP", "Zorp", "Energy", "Oil"]], "somewhere");
  expect(readConstituents(changes + list).constituents).toHaveLength(1);
});

test("rejects a changed shape, naming what is missing", () => {
  const description = (html: string) => {
    try {
      readConstituents(html);
    } catch (error) {
      if (error instanceof UpstreamFailed) return error.message;
      throw error;
    }
    return "nothing";
  };
  expect(description("<p>moved</p>")).toContain("there is no such table");
  expect(description(table(["Symbol", "Security", "Branch"], [["ZORP", "Zorp", "x"]]))).toContain(
    "no column for sector, sub_industry",
  );
  expect(description(table(SP.slice(0, 4), [["Zorp Dynamics", "ZORP", "Energy", "Oil"]]))).toContain(
    'a row has the symbol "Zorp Dynamics"',
  );
  expect(description(table(SP.slice(0, 4), [["ZORP", "", "Energy", "Oil"]]))).toContain("ZORP has no name");
});
