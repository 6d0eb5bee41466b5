import { describe, expect, test } from "bun:test";
import {
  eraOfNumbers,
  isItem,
  itemEra,
  itemEventType,
  itemOfTitle,
  itemTitle,
  modernItem,
} from "./eightk-items.ts";

describe("items of Form 8-K", () => {
  test("change their numbers on 2004-08-23", () => {
    expect(itemEra("2004-08-22")).toBe("legacy");
    expect(itemEra("2004-08-23")).toBe("modern");
    expect(eraOfNumbers(["5", "7"])).toBe("legacy");
    expect(eraOfNumbers(["2.02"])).toBe("modern");
    expect(eraOfNumbers([])).toBeNull();
  });

  test.each([
    ["1.01", "material_agreement"],
    ["1.02", "agreement_terminated"],
    ["1.03", "bankruptcy"],
    ["1.04", "mine_safety"],
    ["1.05", "cybersecurity_incident"],
    ["2.01", "acquisition_disposition"],
    ["2.02", "earnings_results"],
    ["2.03", "debt_obligation"],
    ["2.04", "obligation_acceleration"],
    ["2.05", "exit_costs"],
    ["2.06", "impairment"],
    ["3.01", "delisting_notice"],
    ["3.02", "unregistered_sale"],
    ["3.03", "holder_rights_change"],
    ["4.01", "auditor_change"],
    ["4.02", "non_reliance"],
    ["5.01", "control_change"],
    ["5.02", "management_change"],
    ["5.03", "bylaws_change"],
    ["5.04", "benefit_plan_blackout"],
    ["5.05", "ethics_code"],
    ["5.06", "shell_status"],
    ["5.07", "shareholder_vote"],
    ["5.08", "director_nomination"],
    ["6.01", "asset_backed"],
    ["6.05", "asset_backed"],
    ["7.01", "regulation_fd"],
    ["8.01", "other_event"],
    ["9.01", null],
    ["1", "legacy_1"],
    ["12", "legacy_12"],
    ["2.07", null],
    ["13", null],
    ["__proto__", null],
  ])("%s is %s", (number, event_type) => {
    expect(itemEventType(number)).toBe(event_type);
  });

  test("those of old have a place today", () => {
    const today = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "2.02", "2.07"].map(
      modernItem,
    );
    expect(today).toEqual([
      "5.01",
      "2.01",
      "1.03",
      "4.01",
      "8.01",
      "5.02",
      "9.01",
      "5.03",
      "7.01",
      null,
      null,
      "2.02",
      "2.02",
      null,
    ]);
    expect(["0", "13", "2.07", "5.2", "10.01", "1.1"].filter(isItem)).toEqual([]);
    expect(itemTitle("5.06")).toBe("Change in Shell Company Status");
  });

  test.each([
    ["Other Events", "modern", "8.01"],
    ["Other events", "legacy", "5"],
    ["Financial Statements and Exhibits", "modern", "9.01"],
    ["FINANCIAL STATEMENTS & EXHIBITS", "legacy", "7"],
    // As headers print it: a colon for a semicolon, and cut at 140 characters.
    [
      "Departure of Directors or Certain Officers; Election of Directors; Appointment of Certain Officers: Compensatory Arrangements of",
      "modern",
      "5.02",
    ],
    [
      "Departure of Directors or Principal Officers; Election of Directors; Appointment of Principal Officers",
      "modern",
      "5.02",
    ],
    [
      "Creation of a Direct Financial Obligation or an Obligation under an Off-Balance Sheet Arrangement of a Registrant",
      "modern",
      "2.03",
    ],
    ["Material Cybersecurity Incidents", "modern", "1.05"],
    ["Material Cybersecurity Incidents", "legacy", null],
    ["Changes in Registrant's Certifying Accountant", "legacy", "4"],
    ["Material", "modern", null],
    ["Other Events of Note", "modern", null],
    ["", "modern", null],
  ] as const)("the title %p in the %s era is %p", (title, era, number) => {
    expect(itemOfTitle(title, era)).toBe(number);
  });
});
