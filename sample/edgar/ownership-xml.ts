// Writes Forms 3, 4 and 5: XML in the schema of its day, or text before 2003.
import { nameOn, padded } from "./filers.ts";
import type { Filing } from "./filing.ts";
import { BOX_FROM, type FormFiling, type FormLine, type Reporter } from "./ownership-filings.ts";
import { asMarkup } from "./wording.ts";

const leaf = (name: string, value: string | null | undefined, note?: string): string => {
  const reported = value === null || value === undefined ? "" : `\n<value>${value}</value>`;
  return `<${name}>${reported}${note ? `\n<footnoteId id="${note}"/>` : ""}\n</${name}>`;
};

function schemaOf({ form, filingDate }: Filing): string {
  if (form.startsWith("3")) return "X0206";
  if (filingDate < BOX_FROM) return "X0306";
  return filingDate < "2024-01-01" ? "X0407" : "X0508";
}

function lineXml(line: FormLine, { oddity }: FormFiling): string {
  const { table, date = "", code, price, way = "A", nature, how } = line;
  const kind = code === undefined ? "Holding" : "Transaction";
  const day = oddity === "zoned" ? `${date}-05:00` : date;
  const coding =
    code === undefined || oddity === "uncoded"
      ? []
      : [
          `<transactionCoding>\n<transactionFormType>4</transactionFormType>\n<transactionCode>${code}</transactionCode>\n<equitySwapInvolved>0</equitySwapInvolved>\n</transactionCoding>`,
        ];
  const amounts =
    code === undefined
      ? []
      : [
          `<transactionAmounts>\n${leaf("transactionShares", line.shares)}\n${leaf("transactionPricePerShare", price, line.priceNote)}\n${leaf("transactionAcquiredDisposedCode", way)}\n</transactionAmounts>`,
        ];
  const option =
    table === "derivative"
      ? `<underlyingSecurity>\n${leaf("underlyingSecurityTitle", "Common Stock")}\n${leaf("underlyingSecurityShares", line.shares ?? line.after)}\n</underlyingSecurity>\n`
      : "";
  return [
    `<${table}${kind}>`,
    leaf("securityTitle", line.title, line.titleNote),
    ...(table === "derivative" ? [leaf("conversionOrExercisePrice", "0")] : []),
    ...(code === undefined ? [] : [leaf("transactionDate", day)]),
    ...coding,
    ...amounts,
    `${option}<postTransactionAmounts>\n${leaf("sharesOwnedFollowingTransaction", line.after)}\n</postTransactionAmounts>`,
    `<ownershipNature>\n${leaf("directOrIndirectOwnership", nature)}${how ? `\n${leaf("natureOfOwnership", how)}` : ""}\n</ownershipNature>`,
    `</${table}${kind}>`,
  ].join("\n");
}

const flag = (name: string, ticked: boolean | undefined, modern: boolean): string =>
  `<${name}>${modern ? String(ticked === true) : ticked ? "1" : "0"}</${name}>`;

function ownerXml({ filer, director, officer, tenPercent, title }: Reporter, modern: boolean): string {
  return `<reportingOwner>
<reportingOwnerId>
<rptOwnerCik>${padded(filer.cik)}</rptOwnerCik>
<rptOwnerName>${asMarkup(filer.name)}</rptOwnerName>
</reportingOwnerId>
<reportingOwnerAddress>
<rptOwnerStreet1>${filer.place.street.toUpperCase()}</rptOwnerStreet1>
<rptOwnerCity>${filer.place.city.toUpperCase()}</rptOwnerCity>
<rptOwnerState>${filer.place.state}</rptOwnerState>
<rptOwnerZipCode>${filer.place.zip}</rptOwnerZipCode>
</reportingOwnerAddress>
<reportingOwnerRelationship>
${flag("isDirector", director, modern)}
${flag("isOfficer", officer, modern)}
${flag("isTenPercentOwner", tenPercent, modern)}
<isOther>${modern ? "false" : "0"}</isOther>
${title ? `<officerTitle>${asMarkup(title)}</officerTitle>` : "<officerTitle></officerTitle>"}
</reportingOwnerRelationship>
</reportingOwner>`;
}

function formText(filing: Filing, content: FormFiling): string {
  const [owner] = content.reporters;
  return `UNITED STATES SECURITIES AND EXCHANGE COMMISSION
WASHINGTON, D.C. 20549
FORM ${filing.form}
STATEMENT OF CHANGES IN BENEFICIAL OWNERSHIP
1. Name and Address of Reporting Person
   ${owner?.filer.name ?? ""}
2. Issuer Name and Ticker or Trading Symbol
   ${nameOn(filing.filer, filing.filingDate)} (${filing.filer.symbol})
${content.lines.map((line) => `   ${line.title} | ${line.date} | ${line.code} | ${line.shares} | ${line.way} | ${line.price} | ${line.after} | ${line.nature}`).join("\n")}
SIGNATURE OF REPORTING PERSON
   /s/ ${owner?.filer.name ?? ""}
`;
}

/** The form as filed. */
export function formOf(filing: Filing, content: FormFiling): string {
  if (content.oddity === "text") return formText(filing, content);
  const { filer, form, filingDate, period } = filing;
  const modern = filingDate >= BOX_FROM;
  const table = (name: FormLine["table"]): string[] => {
    const lines = content.lines.filter((line) => line.table === name).map((line) => lineXml(line, content));
    return lines.length === 0 ? [] : [`<${name}Table>`, ...lines, `</${name}Table>`];
  };
  const notes = (content.footnotes ?? []).map(
    (text, i) => `<footnote id="F${i + 1}">${asMarkup(text)}</footnote>`,
  );
  const name = asMarkup(nameOn(filer, filingDate));
  const xml = [
    `<?xml version="1.0"?>`,
    "<ownershipDocument>",
    `<schemaVersion>${schemaOf(filing)}</schemaVersion>`,
    `<documentType>${form}</documentType>`,
    `<periodOfReport>${content.oddity === "zoned" ? `${period}-05:00` : period}</periodOfReport>`,
    ...(content.original ? [`<dateOfOriginalSubmission>${content.original}</dateOfOriginalSubmission>`] : []),
    ...(form.startsWith("3")
      ? [`<noSecuritiesOwned>${content.lines.length === 0 ? 1 : 0}</noSecuritiesOwned>`]
      : []),
    `<notSubjectToSection16>${modern ? "false" : "0"}</notSubjectToSection16>`,
    `<issuer>\n<issuerCik>${padded(filer.cik)}</issuerCik>\n<issuerName>${name}</issuerName>\n<issuerTradingSymbol>${filer.symbol}</issuerTradingSymbol>\n</issuer>`,
    ...content.reporters.map((reporter) => ownerXml(reporter, modern)),
    ...(modern && !form.startsWith("3") ? [`<aff10b5One>${content.planned ? 1 : 0}</aff10b5One>`] : []),
    ...table("nonDerivative"),
    ...table("derivative"),
    `<footnotes>${notes.join("\n")}</footnotes>`,
    `<remarks>${asMarkup(content.remarks ?? "")}${content.oddity === "broken" ? "Gadzook & Sons" : ""}</remarks>`,
    ...content.reporters.map(
      ({ filer: owner }) =>
        `<ownerSignature>\n<signatureName>/s/ ${asMarkup(owner.name)}</signatureName>\n<signatureDate>${filingDate}</signatureDate>\n</ownerSignature>`,
    ),
    "</ownershipDocument>",
  ];
  return `${xml.join("\n")}\n`;
}
