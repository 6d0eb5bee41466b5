// Ownership filings written as the regulator serves them: whole submissions of Forms 3 to 5 and Schedules 13D
// and 13G.

export interface MadeIssuer {
  /** Ten digits. */
  readonly cik: string;
  readonly name: string;
  readonly symbol: string;
}

export interface MadeOwner {
  readonly cik: string;
  readonly name: string;
  readonly is_director?: boolean;
  readonly is_ten_percent_owner?: boolean;
  /** An officer with this title. */
  readonly title?: string;
}

export interface MadeTrade {
  readonly date: string;
  readonly code: string;
  readonly shares: number;
  readonly price?: number;
  /** Held after it. */
  readonly after: number;
  /** Default: A, but D for codes S, F and D. */
  readonly direction?: "A" | "D";
  readonly security?: string;
  readonly derivative?: boolean;
}

interface Made {
  readonly accession: string;
  /** New York's clock: 2026-09-08T16:46:18. */
  readonly accepted: string;
  readonly filed: string;
  readonly issuer: MadeIssuer;
}

export interface FilingForm extends Made {
  readonly kind: "form";
  /** 4, 4/A, … */
  readonly form: string;
  readonly owners: readonly MadeOwner[];
  readonly trades: readonly MadeTrade[];
  /** Of an amendment: when the original was filed. */
  readonly original?: string;
  /** In place of the document. */
  readonly document?: string;
}

export interface MadeSchedule extends Made {
  readonly kind: "schedule";
  readonly form: "SCHEDULE 13D" | "SCHEDULE 13D/A" | "SCHEDULE 13G" | "SCHEDULE 13G/A";
  readonly filers: readonly { readonly cik: string; readonly name: string }[];
  readonly persons: readonly { readonly name: string; readonly shares: number; readonly pct: number }[];
  readonly event: string;
  readonly document?: string;
}

export type MadeFiling = FilingForm | MadeSchedule;

const DISPOSALS = new Set(["S", "F", "D"]);
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const leaf = (name: string, value: string | number | undefined) =>
  value === undefined ? `<${name}/>` : `<${name}><value>${escaped(String(value))}</value></${name}>`;

function tradeXml(trade: MadeTrade): string {
  const { date, code, shares, price, after, security = "Common Stock", derivative = false } = trade;
  const direction = trade.direction ?? (DISPOSALS.has(code) ? "D" : "A");
  const name = derivative ? "derivativeTransaction" : "nonDerivativeTransaction";
  return `<${name}>${leaf("securityTitle", security)}${derivative ? leaf("conversionOrExercisePrice", 1) : ""}${leaf("transactionDate", date)}
<transactionCoding><transactionFormType>4</transactionFormType><transactionCode>${code}</transactionCode><equitySwapInvolved>0</equitySwapInvolved></transactionCoding>
<transactionAmounts>${leaf("transactionShares", shares)}${price === undefined ? '<transactionPricePerShare><footnoteId id="F1"/></transactionPricePerShare>' : leaf("transactionPricePerShare", price)}${leaf("transactionAcquiredDisposedCode", direction)}</transactionAmounts>
${derivative ? `<underlyingSecurity>${leaf("underlyingSecurityTitle", "Common Stock")}${leaf("underlyingSecurityShares", shares)}</underlyingSecurity>` : ""}
<postTransactionAmounts>${leaf("sharesOwnedFollowingTransaction", after)}</postTransactionAmounts>
<ownershipNature>${leaf("directOrIndirectOwnership", "D")}</ownershipNature></${name}>`;
}

function ownerXml({ cik, name, is_director, is_ten_percent_owner, title }: MadeOwner): string {
  const box = (on: boolean | undefined) => (on ? "1" : "0");
  return `<reportingOwner><reportingOwnerId><rptOwnerCik>${cik}</rptOwnerCik><rptOwnerName>${escaped(name)}</rptOwnerName></reportingOwnerId>
<reportingOwnerRelationship><isDirector>${box(is_director)}</isDirector><isOfficer>${box(title !== undefined)}</isOfficer><isTenPercentOwner>${box(is_ten_percent_owner)}</isTenPercentOwner><isOther>0</isOther>${title === undefined ? "" : `<officerTitle>${escaped(title)}</officerTitle>`}</reportingOwnerRelationship></reportingOwner>`;
}

function formXml({ form, issuer, owners, trades, filed, original }: FilingForm): string {
  const table = (derivative: boolean) =>
    trades
      .filter((trade) => (trade.derivative ?? false) === derivative)
      .map(tradeXml)
      .join("\n");
  return `<?xml version="1.0"?>
<ownershipDocument><schemaVersion>X0508</schemaVersion><documentType>${form}</documentType>
<periodOfReport>${trades[0]?.date ?? filed}</periodOfReport>${original ? `<dateOfOriginalSubmission>${original}</dateOfOriginalSubmission>` : ""}
<issuer><issuerCik>${issuer.cik}</issuerCik><issuerName>${escaped(issuer.name)}</issuerName><issuerTradingSymbol>${issuer.symbol}</issuerTradingSymbol></issuer>
${owners.map(ownerXml).join("\n")}
<aff10b5One>0</aff10b5One>
<nonDerivativeTable>${table(false)}</nonDerivativeTable><derivativeTable>${table(true)}</derivativeTable>
<footnotes><footnote id="F1">No price.</footnote></footnotes>
<ownerSignature><signatureName>/s/ X</signatureName><signatureDate>${filed}</signatureDate></ownerSignature>
</ownershipDocument>`;
}

const usDay = (date: string) => `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)}`;

function schedule13gXml({ form, issuer, persons, event }: MadeSchedule): string {
  const each = persons.map(
    ({
      name,
      shares,
      pct,
    }) => `<coverPageHeaderReportingPersonDetails><reportingPersonName>${escaped(name)}</reportingPersonName><citizenshipOrOrganization>DE</citizenshipOrOrganization>
<reportingPersonBeneficiallyOwnedNumberOfShares><soleVotingPower>${shares}.00</soleVotingPower><sharedVotingPower>0.00</sharedVotingPower><soleDispositivePower>${shares}.00</soleDispositivePower><sharedDispositivePower>0.00</sharedDispositivePower></reportingPersonBeneficiallyOwnedNumberOfShares>
<reportingPersonBeneficiallyOwnedAggregateNumberOfShares>${shares}.00</reportingPersonBeneficiallyOwnedAggregateNumberOfShares><classPercent>${pct}</classPercent><typeOfReportingPerson>IA</typeOfReportingPerson></coverPageHeaderReportingPersonDetails>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?><edgarSubmission xmlns="http://www.sec.gov/edgar/schedule13g"><headerData><submissionType>${form}</submissionType></headerData>
<formData><coverPageHeader><securitiesClassTitle>Common Stock</securitiesClassTitle><eventDateRequiresFilingThisStatement>${usDay(event)}</eventDateRequiresFilingThisStatement>
<issuerInfo><issuerCik>${issuer.cik}</issuerCik><issuerName>${escaped(issuer.name)}</issuerName><issuerCusip>000000101</issuerCusip></issuerInfo>
<designateRulesPursuantThisScheduleFiled><designateRulePursuantThisScheduleFiled>Rule 13d-1(b)</designateRulePursuantThisScheduleFiled></designateRulesPursuantThisScheduleFiled></coverPageHeader>
${each.join("\n")}</formData></edgarSubmission>`;
}

function schedule13dXml({ form, issuer, persons, event }: MadeSchedule): string {
  const each = persons.map(
    ({
      name,
      shares,
      pct,
    }) => `<reportingPersonInfo><reportingPersonName>${escaped(name)}</reportingPersonName><memberOfGroup>a</memberOfGroup><fundType>OO</fundType><citizenshipOrOrganization>DE</citizenshipOrOrganization>
<soleVotingPower>${shares}.00</soleVotingPower><sharedVotingPower>0.00</sharedVotingPower><soleDispositivePower>${shares}.00</soleDispositivePower><sharedDispositivePower>0.00</sharedDispositivePower>
<aggregateAmountOwned>${shares}.00</aggregateAmountOwned><percentOfClass>${pct}</percentOfClass><typeOfReportingPerson>PN</typeOfReportingPerson></reportingPersonInfo>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?><edgarSubmission xmlns="http://www.sec.gov/edgar/schedule13D"><headerData><submissionType>${form}</submissionType></headerData>
<formData><coverPageHeader><securitiesClassTitle>Common Stock</securitiesClassTitle><dateOfEvent>${usDay(event)}</dateOfEvent>
<issuerInfo><issuerCIK>${issuer.cik}</issuerCIK><issuerCUSIP>000000101</issuerCUSIP><issuerName>${escaped(issuer.name)}</issuerName></issuerInfo></coverPageHeader>
<reportingPersons>${each.join("\n")}</reportingPersons>
<items1To7><item4><transactionPurpose>The persons delivered a letter to the board and intend to nominate directors.</transactionPurpose></item4></items1To7></formData></edgarSubmission>`;
}

const documentOf = (filing: MadeFiling): string => {
  if (filing.document !== undefined) return filing.document;
  if (filing.kind === "form") return formXml(filing);
  return filing.form.includes("13G") ? schedule13gXml(filing) : schedule13dXml(filing);
};

const digits = (text: string) => text.replaceAll(/\D/g, "");

function partyText(role: string, cik: string, name: string, form: string, number: string): string {
  return `${role}:\n\n\tCOMPANY DATA:\n\t\tCOMPANY CONFORMED NAME:\t\t\t${name}\n\t\tCENTRAL INDEX KEY:\t\t\t${cik}\n\n\tFILING VALUES:\n\t\tFORM TYPE:\t\t${form}\n${number}`;
}

function partiesText(filing: MadeFiling): string {
  const { issuer, form } = filing;
  if (filing.kind === "form")
    return [
      ...filing.owners.map(({ cik, name }) =>
        partyText(
          "REPORTING-OWNER",
          cik,
          name,
          form,
          "\t\tSEC ACT:\t\t1934 Act\n\t\tSEC FILE NUMBER:\t001-00001\n",
        ),
      ),
      partyText("ISSUER", issuer.cik, issuer.name, form, ""),
    ].join("\n");
  return [
    partyText(
      "SUBJECT COMPANY",
      issuer.cik,
      issuer.name,
      form,
      "\t\tSEC ACT:\t\t1934 Act\n\t\tSEC FILE NUMBER:\t005-00001\n",
    ),
    ...filing.filers.map(({ cik, name }) => partyText("FILED BY", cik, name, form, "")),
  ].join("\n");
}

/** The whole submission, as `<accession>.txt`. */
export function submissionOf(filing: MadeFiling): string {
  const { accession, form, accepted, filed } = filing;
  return `<SEC-DOCUMENT>${accession}.txt : ${digits(filed)}
<SEC-HEADER>${accession}.hdr.sgml : ${digits(filed)}
<ACCEPTANCE-DATETIME>${digits(accepted)}
ACCESSION NUMBER:		${accession}
CONFORMED SUBMISSION TYPE:	${form}
PUBLIC DOCUMENT COUNT:		1
FILED AS OF DATE:		${digits(filed)}
DATE AS OF CHANGE:		${digits(filed)}

${partiesText(filing)}
</SEC-HEADER>
<DOCUMENT>
<TYPE>${form}
<SEQUENCE>1
<FILENAME>primary_doc.xml
<TEXT>
<XML>
${documentOf(filing)}
</XML>
</TEXT>
</DOCUMENT>
</SEC-DOCUMENT>
`;
}

/** Who is a party: in whose list it stands, and as what. */
export function partiesOf(filing: MadeFiling): { cik: string; name: string; is_issuer: boolean }[] {
  const others = filing.kind === "form" ? filing.owners : filing.filers;
  return [
    { cik: filing.issuer.cik, name: filing.issuer.name, is_issuer: true },
    ...others.map(({ cik, name }) => ({ cik, name, is_issuer: false })),
  ];
}
