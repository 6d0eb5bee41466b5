// Handmade Schedules 13D and 13G: both structured forms, and pages and plain text before December 2024.
import { describe, expect, test } from "bun:test";
import { type BeneficialSchedule, isUnread } from "../../ownership-records.ts";
import { parseBeneficial } from "./beneficial.ts";
import { intentOf } from "./beneficial-intent.ts";

function parse(source: string, form = "SC 13D"): BeneficialSchedule {
  const read = parseBeneficial(source, form);
  if (isUnread(read)) throw new Error(`${read.failed}: ${read.message}`);
  return read;
}
const codes = (read: BeneficialSchedule) => read.warnings.map(({ code }) => code);

const personD = (name: string, shares: string, percent: string, more = "") =>
  `<reportingPersonInfo><reportingPersonCIK>0000001234</reportingPersonCIK><reportingPersonName>${name}</reportingPersonName>${more}<aggregateAmountOwned>${shares}</aggregateAmountOwned><percentOfClass>${percent}</percentOfClass><typeOfReportingPerson>IN</typeOfReportingPerson><typeOfReportingPerson>HC</typeOfReportingPerson></reportingPersonInfo>`;
const scheduleD = (
  persons: string,
  more: { purpose?: string; fall?: string; cover?: string; type?: string } = {},
) =>
  `<?xml version="1.0"?><edgarSubmission xmlns="http://www.sec.gov/edgar/schedule13D"><headerData><submissionType>${more.type ?? "SCHEDULE 13D/A"}</submissionType><previousAccessionNumber>0000001234-25-000001</previousAccessionNumber></headerData><formData><coverPageHeader><amendmentNo>3</amendmentNo><securitiesClassTitle>Common</securitiesClassTitle><dateOfEvent>01/21/2025</dateOfEvent><issuerInfo><issuerCIK>320193</issuerCIK>${more.cover ?? "<issuerCUSIP>037833100</issuerCUSIP>"}<issuerName>Acme &amp; Sons</issuerName></issuerInfo></coverPageHeader><reportingPersons>${persons}</reportingPersons><items1To7><item1><issuerName>Acme</issuerName></item1><item4><transactionPurpose>${more.purpose ?? "Held for investment."}</transactionPurpose></item4><item5><date5PercentOwnership>${more.fall ?? "Not applicable."}</date5PercentOwnership></item5></items1To7></formData></edgarSubmission>`;
const personG = (name: string, shares: string, percent: string) =>
  `<coverPageHeaderReportingPersonDetails><reportingPersonName>${name}</reportingPersonName><memberGroup>b</memberGroup><reportingPersonBeneficiallyOwnedAggregateNumberOfShares>${shares}</reportingPersonBeneficiallyOwnedAggregateNumberOfShares>${percent === "" ? "" : `<classPercent>${percent}</classPercent>`}</coverPageHeaderReportingPersonDetails>`;
const scheduleG = (persons: string, items: string) =>
  `<edgarSubmission xmlns="http://www.sec.gov/edgar/schedule13g"><headerData><submissionType>SCHEDULE 13G/A</submissionType></headerData><formData><coverPageHeader><eventDateRequiresFilingThisStatement>03/31/2026</eventDateRequiresFilingThisStatement><issuerInfo><issuerCik>0000320193</issuerCik><issuerName>Acme</issuerName><issuerCusips><issuerCusipNumber>037833100</issuerCusipNumber><issuerCusipNumber>037833209</issuerCusipNumber></issuerCusips></issuerInfo></coverPageHeader>${persons}<items>${items}</items></formData></edgarSubmission>`;

describe("structured 13D", () => {
  test("field by field; of joint persons the most, never the sum", () => {
    const read = parse(scheduleD(personD("A", "7824100.00", "8.5") + personD("B", "2435000", "9.9%")));
    expect(read).toMatchObject({
      form_type: "SCHEDULE 13D/A",
      schedule: "13D",
      is_structured: true,
      is_amendment: true,
      amendment_number: 3,
      previous_accession_number: "0000001234-25-000001",
      issuer: { cik: "0000320193", name: "Acme & Sons" },
      cusips: ["037833100"],
      event_date: "2025-01-21",
      shares_owned: 7_824_100,
      ownership_pct: 9.9,
      is_exit: false,
      is_activist: false,
      activist_reason: null,
      purpose: "Held for investment.",
    });
    expect(read.persons.map(({ types, cik }) => [cik, types])).toEqual([
      ["0000001234", ["IN", "HC"]],
      ["0000001234", ["IN", "HC"]],
    ]);
  });

  test("more than all of a class is discarded, the rest stays", () => {
    const read = parse(scheduleD(personD("A", "100", "121") + personD("B", "100", "12.1")));
    expect(read.persons.map((one) => one.ownership_pct)).toEqual([null, 12.1]);
    expect([read.ownership_pct, codes(read)]).toEqual([12.1, ["impossible_percent"]]);
    expect(parse(scheduleD(personD("A", "100", "100"))).ownership_pct).toBe(100);
  });

  test.each([
    ["0", "0", "Not applicable.", true],
    ["100", "4.1", "Not applicable.", false],
    [
      "100",
      "4.1",
      "On January 21, 2025 they ceased to be the beneficial owners of more than five percent.",
      true,
    ],
    ["100", "4.1", "01/21/2025", true],
    ["100", "7", "The Reporting Persons have not ceased to hold five percent.", false],
    ["100", "7", "N/A", false],
    ["100", "7", "None", false],
  ])("%s shares, %s %%, %p: an exit is %p", (shares, percent, fall, expected) => {
    expect(parse(scheduleD(personD("A", shares, percent), { fall })).is_exit).toBe(expected);
  });

  test("of joint persons one has fallen, another has not: no exit", () => {
    const fall = "On January 21, 2025 Fund A ceased to be the beneficial owner of more than five percent.";
    const read = parse(scheduleD(personD("A", "10", "0.4") + personD("B", "300", "12"), { fall }));
    expect([read.ownership_pct, read.is_exit]).toEqual([12, false]);
    expect(parse(scheduleD(personD("A", "10", "5"), { fall })).is_exit).toBe(true);
    expect(parse(scheduleD(personD("A", "10", "N/A"), { fall })).is_exit).toBe(true);
  });

  test("CUSIPs flat or wrapped, a person without CIK, an empty Item 4", () => {
    const cover = "<issuerCusips><issuerCusipNumber>81221k108</issuerCusipNumber></issuerCusips>";
    const read = parse(
      scheduleD(personD("A", "1", "5", "<reportingPersonNoCIK>Y</reportingPersonNoCIK>"), {
        cover,
        purpose: "Not applicable.",
      }),
    );
    expect([read.cusips, read.persons[0]?.cik, read.purpose, read.is_activist]).toEqual([
      ["81221K108"],
      null,
      null,
      null,
    ]);
  });
});

describe("structured 13G", () => {
  test("every CUSIP, never activist; Item 4 gives what the cover leaves out", () => {
    const items =
      "<item4><amountBeneficiallyOwned>1200</amountBeneficiallyOwned><classPercent>5.08</classPercent></item4><item5><classOwnership5PercentOrLess>N</classOwnership5PercentOrLess></item5>";
    const read = parse(scheduleG(personG("A", "1200", ""), items), "SC 13G");
    expect(read).toMatchObject({
      schedule: "13G",
      cusips: ["037833100", "037833209"],
      event_date: "2026-03-31",
      shares_owned: 1_200,
      ownership_pct: 5.08,
      is_activist: false,
      is_exit: false,
      purpose: null,
    });
    expect(read.persons[0]).toMatchObject({ ownership_pct: 5.08, member_of_group: "b", cik: null });
  });

  test("the box of Item 5 is an exit", () => {
    const items = "<item5><classOwnership5PercentOrLess>Y</classOwnership5PercentOrLess></item5>";
    expect(parse(scheduleG(personG("A", "900", "4.2"), items), "SC 13G")).toMatchObject({
      is_exit: true,
      ownership_pct: 4.2,
    });
    expect(parse(scheduleG(personG("A", "900", "7.2"), items), "SC 13G").is_exit).toBe(false);
  });

  test("a person may have a number, in an element of another name than in a 13D", () => {
    const person = (more: string) =>
      parse(scheduleG(personG("A", "900", "7.2").replace("<memberGroup>", `${more}<memberGroup>`), ""))
        .persons[0]?.cik;
    expect(person("<reportingCik>0001234567</reportingCik>")).toBe("0001234567");
    expect(
      person(
        "<reportingCik>0001234567</reportingCik><reportingCikNotPresentInEdgarFlag>Y</reportingCikNotPresentInEdgarFlag>",
      ),
    ).toBeNull();
  });
});

const ASCII = `                       SECURITIES AND EXCHANGE COMMISSION
                                 SCHEDULE 13D
                    Under the Securities Exchange Act of 1934
                              (Amendment No. 4)*

                                 ACME CORPORATION
                                (Name of Issuer)

                          Common Stock, $.01 par value
                         (Title of Class of Securities)

                                   123456 10 7
                                 (CUSIP Number)

                                 March 3, 1998
             (Date of Event which Requires Filing of this Statement)

CUSIP No. 123456 10 7                 13D                     Page 2 of 9 Pages
-----------------------------------------------------------------------------
  1  NAME OF REPORTING PERSON
     S.S. OR I.R.S. IDENTIFICATION NO. OF ABOVE PERSON

     Gadzook Partners, L.P.      13-1234567
-----------------------------------------------------------------------------
  2  CHECK THE APPROPRIATE BOX IF A MEMBER OF A GROUP*               (a)  [ ]
                                                                     (b)  [X]
-----------------------------------------------------------------------------
  3  SEC USE ONLY
-----------------------------------------------------------------------------
  4  SOURCE OF FUNDS*
     WC
-----------------------------------------------------------------------------
  6  CITIZENSHIP OR PLACE OF ORGANIZATION
     Delaware
-----------------------------------------------------------------------------
               7  SOLE VOTING POWER
   NUMBER OF      0
   SHARES      ------------------------------------------------------------
               8  SHARED VOTING POWER
                  1,234,567
               ------------------------------------------------------------
               9  SOLE DISPOSITIVE POWER
                  0
               ------------------------------------------------------------
              10  SHARED DISPOSITIVE POWER
                  1,234,567
-----------------------------------------------------------------------------
 11  AGGREGATE AMOUNT BENEFICIALLY OWNED BY EACH REPORTING PERSON
     1,234,567 (see Item 5)
-----------------------------------------------------------------------------
 12  CHECK BOX IF THE AGGREGATE AMOUNT IN ROW (11) EXCLUDES CERTAIN SHARES* [ ]
-----------------------------------------------------------------------------
 13  PERCENT OF CLASS REPRESENTED BY AMOUNT IN ROW (11)
     9.8%
-----------------------------------------------------------------------------
 14  TYPE OF REPORTING PERSON*
     PN
-----------------------------------------------------------------------------

CUSIP No. 123456 10 7                 13D                     Page 3 of 9 Pages
  1  NAME OF REPORTING PERSON
     Odo Gadzook
  2  CHECK THE APPROPRIATE BOX IF A MEMBER OF A GROUP*               (a)  [X]
                                                                     (b)  [ ]
 11  AGGREGATE AMOUNT BENEFICIALLY OWNED BY EACH REPORTING PERSON
     1,300,000
 13  PERCENT OF CLASS REPRESENTED BY AMOUNT IN ROW (11)
     10.3
 14  TYPE OF REPORTING PERSON*
     IN

Item 1.  Security and Issuer.

     Common stock of Acme.

Item 4.  Purpose of Transaction.

     The Reporting Persons delivered a letter to the Board of Directors of the
Issuer proposing a merger.

Item 5.  Interest in Securities of the Issuer.

     (e) Not applicable.
`;

/** A cover page on less than five percent. */
const FALLEN = ASCII.replace("9.8%", "3.8%").replace("10.3", "4.3");

describe("cover pages before December 2024", () => {
  test("plain text of the 1990s", () => {
    const read = parse(ASCII, "SC 13D/A");
    expect(read).toMatchObject({
      form_type: "SC 13D/A",
      is_structured: false,
      is_amendment: true,
      amendment_number: 4,
      issuer: { cik: null, name: "ACME CORPORATION" },
      cusips: ["123456107"],
      class_title: "Common Stock, $.01 par value",
      event_date: "1998-03-03",
      shares_owned: 1_300_000,
      ownership_pct: 10.3,
      is_exit: false,
      is_activist: true,
    });
    expect(
      read.persons.map(({ name, shares_owned, ownership_pct, types, member_of_group }) => [
        name,
        shares_owned,
        ownership_pct,
        types,
        member_of_group,
      ]),
    ).toEqual([
      ["Gadzook Partners, L.P.", 1_234_567, 9.8, ["PN"], "b"],
      ["Odo Gadzook", 1_300_000, 10.3, ["IN"], "a"],
    ]);
    expect(read.persons[0]).toMatchObject({
      shared_voting: 1_234_567,
      sole_voting: 0,
      citizenship: "Delaware",
    });
    expect(read.purpose).toStartWith("The Reporting Persons delivered a letter");
  });

  test.each([
    ["1,234,567 (see Item 5)", "-0-", 0],
    ["1,234,567 (see Item 5)", "None", 0],
    ["1,234,567 (see Item 5)", "See Item 5", null],
    ["1,234,567 (see Item 5)", "(1) 2,000,000", 2_000_000],
  ])("%s as %s", (before, after, expected) => {
    expect(parse(ASCII.replace(before, after)).persons[0]?.shares_owned).toBe(expected);
  });

  test.each([
    ["9.8%", "0.0%", 0],
    ["9.8%", "less than 5%", null],
    ["9.8%", "9.8% of 12,600,000 shares", 9.8],
    ["9.8%", "Based on 12,600,000 shares, 9.8%", 9.8],
    ["9.8%", "130%", null],
    ["9.8%", ".9%", 0.9],
  ])("%s as %s", (before, after, expected) => {
    expect(parse(ASCII.replace(before, after)).persons[0]?.ownership_pct).toBe(expected);
  });

  test.each([
    ["check the following [X].", true],
    ["check the following [ ].", false],
    ["check the following \u2612.", true],
    ["check the following \u2610.", false],
  ])("a 13G with %s: exit is %p", (box, expected) => {
    const text = FALLEN.replaceAll("13D", "13G").replace(
      "(e) Not applicable.",
      `If this statement is being filed to report the fact that as of the date hereof the reporting person has ceased to be the beneficial owner of more than five percent of the class of securities, ${box}`,
    );
    expect(parse(text, "SC 13G/A").is_exit).toBe(expected);
  });

  test("a 13D that states the fall in words; one that only asks for the date", () => {
    const said = FALLEN.replace(
      "(e) Not applicable.",
      "(e) On March 3, 1998, the Reporting Persons ceased to be the beneficial owners of more than five percent of the Common Stock.",
    );
    expect(parse(said).is_exit).toBe(true);
    const asked = FALLEN.replace(
      "(e) Not applicable.",
      "(e) State the date on which the reporting person ceased to be the beneficial owner of more than five percent: not applicable.",
    );
    expect(parse(asked).is_exit).toBe(false);
  });
});

describe("what is none", () => {
  test.each([
    ["", "SC 13D", "no_cover_page"],
    ["Item 4. Purpose.", "SC 13D", "no_cover_page"],
    [ASCII, "10-K", "not_this_form"],
    [`<!DOCTYPE x>${scheduleD(personD("A", "1", "5"))}`, "SC 13D", "forbidden_declaration"],
    [scheduleD(personD("A", "1", "5")).slice(0, -40), "SC 13D", "truncated"],
    [scheduleD(""), "SC 13D", "malformed"],
    [scheduleD(personD("A", "1", "5"), { type: "13F-HR" }), "13F-HR", "not_this_form"],
  ])("%#", (source, form, failed) => {
    expect(parseBeneficial(source, form)).toMatchObject({ failed });
  });
});

describe("intent", () => {
  test.each([
    "On December 31st, 2024, the Reporting Persons sent a letter to the Board of Directors.",
    "The Reporting Persons intend to nominate three directors at the annual meeting.",
    "On May 1 the Reporting Persons entered into a Cooperation Agreement with the Issuer.",
    "The Reporting Persons urged the Board to explore a sale of the Issuer.",
    "The Fund has submitted a notice of nomination of two candidates.",
    "The Reporting Persons have engaged in discussions with the Board regarding strategy and capital allocation.",
    "The purpose of the acquisition is to acquire control of the Issuer.",
    "The Reporting Persons are calling for the replacement of management.",
    "They submitted a non-binding proposal to acquire all outstanding shares.",
    "The Reporting Persons filed a preliminary proxy statement. They commenced a proxy solicitation.",
  ])("%s", (text) => {
    expect(intentOf(`The shares were acquired for investment. ${text} They may buy more.`).is_activist).toBe(
      true,
    );
  });

  test.each([
    "The Reporting Persons acquired the Common Stock for investment purposes.",
    "The Reporting Persons may engage in discussions with management and the Board, and may seek board representation.",
    "None of the Reporting Persons has any plans or proposals which relate to a change in the present board of directors.",
    "The shares were not acquired with the purpose or effect of changing or influencing control of the Issuer.",
    "The Reporting Persons reserve the right to nominate directors in the future.",
    "The Reporting Persons do not intend to seek control.",
    "Depending on market conditions they could propose a sale of the Issuer.",
    "Mr. Gadzook is a director of the Issuer.",
  ])("not: %s", (text) => {
    expect(intentOf(text)).toEqual({ is_activist: false, reason: null });
  });
});
