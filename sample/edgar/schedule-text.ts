// Writes Schedules 13D and 13G: the two structured forms since 18 December 2024, pages with cover tables
// before it.
import { keyOf } from "../randomness.ts";
import { type Filer, nameOn, padded } from "./filers.ts";
import type { Filing } from "./filing.ts";
import { type ScheduleFiling, type SchedulePerson, STRUCTURED_FROM } from "./ownership-filings.ts";
import { asMarkup, longDate } from "./wording.ts";

/** Nine characters that belong to no security. */
export const cusipOf = (filer: Filer): string =>
  `Z${String(keyOf(0, `cusip ${filer.cik}`) % 10_000_000).padStart(7, "0")}9`;

const usDate = (date: string): string => `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)}`;
const INVESTMENT =
  "The Reporting Persons acquired the Common Stock for investment purposes. They may buy or sell at any time. Except as set forth herein, none of the Reporting Persons has any present plans which relate to or would result in the matters set forth in subparagraphs (a) - (j) of Item 4 of Schedule 13D.";

const address = ({ place }: Filer): string =>
  `<com:street1>${place.street}</com:street1><com:city>${place.city}</com:city><com:stateOrCountry>${place.state}</com:stateOrCountry><com:zipCode>${place.zip}</com:zipCode>`;

function head(filing: Filing, content: ScheduleFiling): string {
  const previous = content.previous
    ? `<previousAccessionNumber>${content.previous}</previousAccessionNumber>\n`
    : "";
  return `<headerData>
<submissionType>${filing.form}</submissionType>
${previous}<filerInfo><filer><filerCredentials><cik>${padded(content.holder.cik)}</cik><ccc>XXXXXXXX</ccc></filerCredentials></filer><liveTestFlag>LIVE</liveTestFlag></filerInfo>
</headerData>`;
}

const amendmentNo = ({ amendment }: ScheduleFiling): string =>
  amendment === undefined ? "" : `<amendmentNo>${amendment}</amendmentNo>\n`;

const powers = ({ shares }: SchedulePerson): string =>
  `<soleVotingPower>0</soleVotingPower><sharedVotingPower>${shares}</sharedVotingPower><soleDispositivePower>0</soleDispositivePower><sharedDispositivePower>${shares}</sharedDispositivePower>`;

function scheduleD(filing: Filing, content: ScheduleFiling): string {
  const { filer, filingDate } = filing;
  const name = asMarkup(nameOn(filer, filingDate));
  const persons = content.persons.map(
    (person) => `<reportingPersonInfo>
${person.cik ? `<reportingPersonCIK>${padded(person.cik)}</reportingPersonCIK>` : "<reportingPersonNoCIK>Y</reportingPersonNoCIK>"}
<reportingPersonName>${asMarkup(person.name)}</reportingPersonName>
<fundType>WC</fundType><citizenshipOrOrganization>DE</citizenshipOrOrganization>
${powers(person)}
<aggregateAmountOwned>${person.shares}.00</aggregateAmountOwned><isAggregateExcludeShares>N</isAggregateExcludeShares>
<percentOfClass>${person.percent}</percentOfClass><typeOfReportingPerson>${person.type}</typeOfReportingPerson>
</reportingPersonInfo>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?><edgarSubmission xmlns="http://www.sec.gov/edgar/schedule13D" xmlns:com="http://www.sec.gov/edgar/common">
${head(filing, content)}
<formData>
<coverPageHeader>
${amendmentNo(content)}<securitiesClassTitle>Common Stock</securitiesClassTitle><dateOfEvent>${usDate(content.eventDate)}</dateOfEvent><previouslyFiledFlag>false</previouslyFiledFlag>
<issuerInfo><issuerCIK>${padded(filer.cik)}</issuerCIK><issuerCUSIP>${cusipOf(filer)}</issuerCUSIP><issuerName>${name}</issuerName><address>${address(filer)}</address></issuerInfo>
</coverPageHeader>
<reportingPersons>
${persons.join("\n")}
</reportingPersons>
<items1To7>
<item1><securityTitle>Common Stock</securityTitle><issuerName>${name}</issuerName><issuerPrincipalAddress>${address(filer)}</issuerPrincipalAddress></item1>
<item4><transactionPurpose>${asMarkup(content.purpose ?? INVESTMENT)}</transactionPurpose></item4>
<item5><percentageOfClassSecurities>See the cover pages.</percentageOfClassSecurities><date5PercentOwnership>${content.fell ? `On ${usDate(content.eventDate)} the Reporting Persons ceased to be the beneficial owners of more than five percent.` : "Not applicable."}</date5PercentOwnership></item5>
</items1To7>
<signatureInfo><signaturePerson><signatureReportingPerson>${asMarkup(content.holder.name)}</signatureReportingPerson><signatureDetails><signature>/s/ Odo Gadzook</signature><title>Member</title><date>${usDate(filingDate)}</date></signatureDetails></signaturePerson></signatureInfo>
</formData>
</edgarSubmission>
`;
}

function scheduleG(filing: Filing, content: ScheduleFiling): string {
  const { filer, filingDate } = filing;
  const name = asMarkup(nameOn(filer, filingDate));
  const persons = content.persons.map(
    (person) => `<coverPageHeaderReportingPersonDetails>
<reportingPersonName>${asMarkup(person.name)}</reportingPersonName><citizenshipOrOrganization>DE</citizenshipOrOrganization>
<reportingPersonBeneficiallyOwnedNumberOfShares>${powers(person)}</reportingPersonBeneficiallyOwnedNumberOfShares>
<reportingPersonBeneficiallyOwnedAggregateNumberOfShares>${person.shares}</reportingPersonBeneficiallyOwnedAggregateNumberOfShares>
<classPercent>${person.percent}</classPercent><typeOfReportingPerson>${person.type}</typeOfReportingPerson>
</coverPageHeaderReportingPersonDetails>`,
  );
  const [lead] = content.persons;
  return `<?xml version="1.0" encoding="UTF-8"?><edgarSubmission xmlns="http://www.sec.gov/edgar/schedule13g" xmlns:com="http://www.sec.gov/edgar/common">
<schemaVersion>X0202</schemaVersion>
${head(filing, content)}
<formData>
<coverPageHeader>
${amendmentNo(content)}<securitiesClassTitle>Common Stock</securitiesClassTitle><eventDateRequiresFilingThisStatement>${usDate(content.eventDate)}</eventDateRequiresFilingThisStatement>
<issuerInfo><issuerCik>${padded(filer.cik)}</issuerCik><issuerName>${name}</issuerName><issuerCusips><issuerCusipNumber>${cusipOf(filer)}</issuerCusipNumber></issuerCusips><issuerPrincipalExecutiveOfficeAddress>${address(filer)}</issuerPrincipalExecutiveOfficeAddress></issuerInfo>
<designateRulesPursuantThisScheduleFiled><designateRulePursuantThisScheduleFiled>Rule 13d-1(${content.rule ?? "b"})</designateRulePursuantThisScheduleFiled></designateRulesPursuantThisScheduleFiled>
</coverPageHeader>
${persons.join("\n")}
<items>
<item4><amountBeneficiallyOwned>${lead?.shares ?? 0}</amountBeneficiallyOwned><classPercent>${lead?.percent ?? "0"}</classPercent></item4>
<item5>${content.fell ? "<notApplicableFlag>N</notApplicableFlag><classOwnership5PercentOrLess>Y</classOwnership5PercentOrLess>" : "<notApplicableFlag>Y</notApplicableFlag>"}</item5>
<item10><notApplicableFlag>N</notApplicableFlag><certifications>Held in the ordinary course of business.</certifications></item10>
</items>
<signatureInformation><reportingPersonName>${asMarkup(content.holder.name)}</reportingPersonName><signatureDetails><signature>/s/ Odo Gadzook</signature><title>Member</title><date>${usDate(filingDate)}</date></signatureDetails></signatureInformation>
</formData>
</edgarSubmission>
`;
}

const cell = (label: string, value: string): string => `<tr><td>${label}</td><td>${value}</td></tr>\n`;

function coverTable(person: SchedulePerson, isD: boolean): string {
  const row = (n: number, label: string, value: string) =>
    cell(String(isD ? n + 2 : n), `${label}<br><br>${value}`);
  const count = person.shares === 0 ? "-0-" : person.shares.toLocaleString("en-US");
  return `<table>
${cell("1", `NAMES OF REPORTING PERSONS<br><br>${asMarkup(person.name)}`)}${cell("2", "CHECK THE APPROPRIATE BOX IF A MEMBER OF A GROUP<br>(a) &#9744;<br>(b) &#9746;")}${cell("3", "SEC USE ONLY")}${isD ? cell("4", "SOURCE OF FUNDS<br><br>WC") : ""}${cell(isD ? "6" : "4", "CITIZENSHIP OR PLACE OF ORGANIZATION<br><br>Delaware")}</table>
<table>
${row(5, "SOLE VOTING POWER", "0")}${row(6, "SHARED VOTING POWER", count)}${row(7, "SOLE DISPOSITIVE POWER", "0")}${row(8, "SHARED DISPOSITIVE POWER", count)}</table>
<table>
${row(9, "AGGREGATE AMOUNT BENEFICIALLY OWNED BY EACH REPORTING PERSON", count)}${row(10, `CHECK BOX IF THE AGGREGATE AMOUNT IN ROW (${isD ? 11 : 9}) EXCLUDES CERTAIN SHARES`, "&#9744;")}${row(11, `PERCENT OF CLASS REPRESENTED BY AMOUNT IN ROW (${isD ? 11 : 9})`, `${person.percent}%`)}${row(12, "TYPE OF REPORTING PERSON", person.type)}</table>
`;
}

function page(filing: Filing, content: ScheduleFiling): string {
  const { filer, filingDate } = filing;
  const isD = filing.form.includes("13D");
  const name = asMarkup(nameOn(filer, filingDate).toUpperCase());
  const rules = ["b", "c", "d"]
    .map((rule) => `<p>${rule === (content.rule ?? "b") ? "&#9746;" : "&#9744;"} Rule 13d-1(${rule})</p>`)
    .join("\n");
  const amendment = content.amendment === undefined ? "" : `<p>(Amendment No. ${content.amendment})</p>`;
  const items = isD
    ? `<p>Item 4. Purpose of Transaction.</p>\n<p>${asMarkup(content.purpose ?? INVESTMENT)}</p>\n<p>Item 5. Interest in Securities of the Issuer.</p>\n<p>See the cover pages.</p>`
    : `<p>Item 4. Ownership.</p>\n<p>See the cover pages.</p>\n<p>Item 5. Ownership of Five Percent or Less of a Class.</p>\n<p>If this statement is being filed to report the fact that as of the date hereof the reporting person has ceased to be the beneficial owner of more than five percent of the class of securities, check the following ${content.fell ? "&#9746;" : "&#9744;"}.</p>`;
  return `<html><head><title>Schedule</title></head><body>
<p>UNITED STATES<br>SECURITIES AND EXCHANGE COMMISSION<br>Washington, D.C. 20549</p>
<p>SCHEDULE 13${isD ? "D" : "G"}</p>${amendment}
<p>${name}<br>(Name of Issuer)</p>
<p>Common Stock<br>(Title of Class of Securities)</p>
<p>${cusipOf(filer)}<br>(CUSIP Number)</p>
<p>${longDate(content.eventDate)}<br>(Date of Event Which Requires Filing of this Statement)</p>
${isD ? "" : rules}
${content.persons.map((person) => `<p>CUSIP No. ${cusipOf(filer)}</p>\n${coverTable(person, isD)}`).join("\n")}
<p>Item 1. Security and Issuer.</p>
<p>${name}</p>
${items}
<p>SIGNATURE</p>
<p>${longDate(filingDate)}</p>
</body></html>
`;
}

/** The schedule as filed. */
export function scheduleText(filing: Filing, content: ScheduleFiling): string {
  if (filing.filingDate < STRUCTURED_FROM) return page(filing, content);
  return filing.form.includes("13D") ? scheduleD(filing, content) : scheduleG(filing, content);
}
