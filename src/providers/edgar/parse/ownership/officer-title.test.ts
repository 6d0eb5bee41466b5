// Titles as officers really write them, and what office each is.
import { describe, expect, test } from "bun:test";
import { officeOf } from "./officer-title.ts";

const office = (title: string, issuer = "Acme Corp") => {
  const { is_ceo, is_cfo, is_c_suite } = officeOf(title, issuer);
  return [is_ceo, is_cfo, is_c_suite];
};
const CEO = [true, false, true];
const CFO = [false, true, true];
const BOTH = [true, true, true];
const CHIEF = [false, false, true];
const NONE = [false, false, false];

describe("officeOf", () => {
  test.each([
    "CEO",
    "C.E.O.",
    "Chief Executive Officer",
    "CHIEF EXECUTIVE OFFICER",
    "President and CEO",
    "President & Chief Executive Off",
    "Chairman & CEO",
    "Chairman, Pres & CEO",
    "Co-CEO",
    "Co-Chief Executive Officer",
    "Interim CEO",
    "CEO (Interim)",
    "CEO and Director",
    "CEO, President",
    "CEO, Secretary & Director",
    "CEO/President",
    "Founder & CEO",
    "Principal Executive Officer",
    "CEO (Principal Executive Officer)",
    "CEO of Acme",
    "CEO of the Company",
    "Chief Executive Officer - Acme",
    "Acme CEO",
    "Former CFO; now CEO",
    "Executive Chair, CEO",
    "CEO and Portfolio Manager",
    "CEO, Corporate Secretary",
    "Chief Executive Officer, Presid",
    "Group CEO",
    "CEO of General Partner",
    "Chief Executive Officer*",
    "CEO (1)",
    "President and CEO (See Remarks)",
    "Chief Executive Oficer",
    "Cheif Exective Officer",
    "President & Chief Executive Of",
  ])("%s is the chief executive", (title) => {
    expect(office(title)[0]).toBe(true);
  });

  test.each([
    "CEO CCB",
    "CEO, Consumer & Community Bkg",
    "CEO, Corporate & Investment Bank",
    "CEO - Asset & Wealth Management",
    "CEO of Subsidiary",
    "CEO of Beta Bank",
    "Chief Executive Officer, Americas",
    "Optum CEO",
    "President & CEO, Optum",
    "President & CEO of Beta Bank",
    "Former CEO",
    "Former President and CEO",
    "Ex-CEO",
    "Retired Chief Executive Officer",
    "CEO Emeritus",
    "CEO (until 3/1/24)",
    "CEO-elect",
    "Incoming CEO",
    "Deputy CEO",
    "Office of the CEO",
    "Advisor to CEO",
    "Chief of Staff to CEO",
    "Executive Vice President",
    "Executive Officer",
    "Division CEO",
    "Bank CEO",
  ])("%s is not", (title) => {
    expect(office(title)[0]).toBe(false);
  });

  test.each([
    ["Chief Financial Officer", CFO],
    ["CFO", CFO],
    ["Senior Vice President, CFO", CFO],
    ["EVP, CFO & Treasurer", CFO],
    ["EVP & Chief Financial Officer", CFO],
    ["Exec. VP and Chief Financia", CFO],
    ["Exec VP and Chief Financial Of", CFO],
    ["Exec. VP & Chief Operating Of", CHIEF],
    ["CFO*", CFO],
    ["Chief Finance Officer", CFO],
    ["VP, Finance & CFO", CFO],
    ["Interim CFO", CFO],
    ["CFO and COO", CFO],
    ["Principal Financial Officer", CFO],
    ["Principal Financial and Accounting Officer", CFO],
    ["CEO & CFO", BOTH],
    ["CEO, CFO and Director", BOTH],
    ["Chief Executive Officer", CEO],
    ["Former CFO", NONE],
    ["CFO, Consumer Bank", NONE],
    ["Deputy CFO", NONE],
    ["VP Finance", NONE],
    ["Chief Operating Officer", CHIEF],
    ["COO", CHIEF],
    ["Chief Technology Officer", CHIEF],
    ["SVP, CLO & Secretary", CHIEF],
    ["SVP, GC and Secretary", CHIEF],
    ["Senior VP, GC, CAO & Secretary", CHIEF],
    ["Chief Accounting Officer", CHIEF],
    ["Chief People and Culture Officer", CHIEF],
    ["EVP, General Counsel", CHIEF],
    ["Deputy General Counsel", NONE],
    ["President", CHIEF],
    ["Vice President", NONE],
    ["Sr. Vice President", NONE],
    ["Senior V.P.", NONE],
    ["President, Americas", NONE],
    ["Head of Human Resources", NONE],
    ["Chairman of the Board", NONE],
    ["Executive Chairman", NONE],
    ["Director", NONE],
    ["Chief of Staff", NONE],
    ["Corporate Controller", NONE],
    ["", NONE],
  ])("%s", (title, expected) => {
    expect(office(title)).toEqual(expected);
  });

  test("a title that ends with Chief where the box ends is some chief's, unknown which", () => {
    expect(office("Senior Vice President and Chief")).toEqual([null, null, null]);
    expect(office("President, Treasurer and Chief")).toEqual([null, null, true]);
    expect(office("Chairman, President and Chief E")).toEqual([null, null, true]);
  });

  test.each([
    ["EVP, Chief Financial Officer a", CFO],
    ["Principal Executive Officer an", CEO],
    ["Principal Financial Officer &", CFO],
    ["Executive Vice President, Chie", [null, null, null]],
    ["Executive Vice President and C", [null, null, null]],
    ["Executive Vice President Chief", [null, null, null]],
    ["Exec. Vice President Chief Fin", CFO],
    ["Exec Vice President Chief Fina", [null, null, null]],
    ["President, CEO and Chief Finan", BOTH],
    ["President, CEO and Principal F", [true, null, true]],
    ["Chief Executive Officer of the", [null, false, null]],
    ["Chief Financial Officer, Corpo", [false, null, null]],
    ["EVP and Group CEO-VZ Business", NONE],
    ["Senior Vice President, Global ", NONE],
    ["Senior Vice President, Global P", NONE],
    ["Chief Executive Officer, Europe", NONE],
  ])("cut off at thirty characters: %s", (title, expected) => {
    expect(office(title)).toEqual(expected);
  });

  test("a name of the issuer is only the issuer's", () => {
    expect(office("CEO, Beta", "Acme Corp")).toEqual(NONE);
    expect(office("CEO, Beta", "Beta Holdings Inc")).toEqual(CEO);
  });
});
