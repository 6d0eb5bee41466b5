// How articles are scored for a company.
import { expect, test } from "bun:test";
import { ACCEPTED_MIN, type FoundBy, scoreOf, searchWords, similarity } from "./score.ts";

const score = (
  title: string,
  name: string | null,
  foundBy: FoundBy = "search",
  description: string | null = "American technology company",
  is_disambiguation = false,
) => scoreOf({ title, description, is_disambiguation, foundBy }, name).score;

test("court cases score 0.05 however they were found", () => {
  for (const title of [
    "Zorp v. Kronk",
    "Zorp v Kronk",
    "Zorp vs. Kronk",
    "Zorp Dynamics Inc. v. Kronk Industries",
  ])
    for (const by of ["cik", "ticker", "search"] as const)
      expect(score(title, "Zorp Dynamics Inc.", by)).toBe(0.05);
  expect(score("Zorp V", "Zorp V Inc.")).toBeGreaterThan(ACCEPTED_MIN);
  expect(score("V. F. Corporation", "V F CORP")).toBeGreaterThan(ACCEPTED_MIN);
});

test("disambiguation pages and lists score low", () => {
  expect(score("Zorp", "Zorp Inc.", "search", "Topics referred to by the same term", true)).toBe(0.05);
  expect(score("List of Zorp products", "Zorp")).toBe(0.1);
});

test("the company's own article is accepted, its namesakes are not", () => {
  expect(score("Zorp Dynamics", "ZORP DYNAMICS INC")).toBe(0.9);
  expect(score("Zorp", "Zorp Inc.", "search", "Species of invented bird")).toBeLessThan(ACCEPTED_MIN);
  expect(score("Zorp Robotics", "Zorp Dynamics Inc.")).toBeLessThan(ACCEPTED_MIN);
  expect(score("Something else", "Zorp Dynamics Inc.")).toBeLessThan(0.4);
});

test("CIK scores above ticker, ticker above search; a ticker with a different name is not enough", () => {
  const name = "Zorp Dynamics Inc.";
  expect(score("Zorp Dynamics", name, "cik")).toBe(0.99);
  expect(score("Wholly renamed", name, "cik")).toBe(0.95);
  expect(score("Zorp Dynamics", name, "ticker")).toBe(0.94);
  expect(score("Wholly renamed", name, "ticker")).toBeLessThan(ACCEPTED_MIN);
  expect(score("Zorp Dynamics", name, "search", null)).toBeLessThan(score("Zorp Dynamics", name));
});

test("legal forms, punctuation and accents do not affect similarity", () => {
  expect(similarity("ZÖRP & SONS, INC.", "Zorp & Sons")).toBe(1);
  expect(similarity("Quibble Holdings Inc. Class A", "Quibble Holdings")).toBe(1);
  expect(similarity("Gap Inc", "Gap (clothing retailer)")).toBe(1);
  expect(similarity("", "Zorp")).toBe(0);
  expect(searchWords("The Zorp Group Holdings, Inc.")).toBe("zorp");
  expect(searchWords("Holdings Inc.")).toBe("holdings inc");
});
