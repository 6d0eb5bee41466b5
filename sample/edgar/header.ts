// The head of a submission in its two spellings, and the whole submission as one text.
import { documentsOf } from "./documents.ts";
import { type Filer, fileNumberOf, formerNamesOn, nameOn, padded } from "./filers.ts";
import { compact, type Filing, filmNumberOf, partiesOf, roleOf, shownAcceptance } from "./filing.ts";
import { fiscalYearEndOn } from "./fiscal.ts";
import { headerTitleOf } from "./titles.ts";

/** Since this date headers say EIN for what was IRS NUMBER. */
const EIN_FROM = "2025-01-01";

const row = (label: string, value: string, tabs = 2) => `\t\t${label}:${"\t".repeat(tabs)}${value}`;

/** How the header calls the parties. */
const TITLES: Readonly<Record<string, readonly [worded: string, tag: string]>> = {
  Filer: ["FILER:", "FILER"],
  Issuer: ["ISSUER:\t\t", "ISSUER"],
  Reporting: ["REPORTING-OWNER:\t", "REPORTING-OWNER"],
  Subject: ["SUBJECT COMPANY:\t", "SUBJECT-COMPANY"],
  "Filed by": ["FILED BY:\t\t", "FILED-BY"],
};
const titleOf = (filing: Filing, filer: Filer) =>
  TITLES[roleOf(filing, filer)] ?? (["FILER:", "FILER"] as const);
/** Owners come before whom they report on; a 13D's subject before who files it. */
const inHeader = (filing: Filing): readonly Filer[] => {
  const [first, ...others] = partiesOf(filing);
  return filing.content?.kind === "form" && first ? [...others, first] : partiesOf(filing);
};

/** A person: a name, a number, an address. */
function ownerBlock(filing: Filing, owner: Filer): string {
  const { place } = owner;
  const form = filing.content?.kind === "form";
  return [
    "",
    titleOf(filing, owner)[0],
    "",
    form ? "\tOWNER DATA:\t" : "\tCOMPANY DATA:\t",
    row("COMPANY CONFORMED NAME", owner.name, 3),
    row("CENTRAL INDEX KEY", padded(owner.cik), 3),
    "",
    "\tFILING VALUES:",
    row("FORM TYPE", filing.form),
    ...(form
      ? [
          row("SEC ACT", "1934 Act"),
          row("SEC FILE NUMBER", fileNumberOf(filing.filer), 1),
          row("FILM NUMBER", filmNumberOf(filing)),
        ]
      : []),
    "",
    form ? "\tMAIL ADDRESS:\t" : "\tBUSINESS ADDRESS:\t",
    row("STREET 1", place.street.toUpperCase()),
    row("CITY", place.city.toUpperCase(), 3),
    row("STATE", place.state, 3),
    row("ZIP", place.zip, 3),
  ].join("\n");
}

function filerBlock(filing: Filing, filer: Filer): string {
  if (filer.habit === "reporter") return ownerBlock(filing, filer);
  const { place, industry } = filer;
  const date = filing.filingDate;
  const office = industry.office ? [`\t\tORGANIZATION NAME:           \t${industry.office}`] : [];
  const sic = industry.sic
    ? [
        row(
          "STANDARD INDUSTRIAL CLASSIFICATION",
          `${industry.description.toUpperCase()} [${industry.sic}]`,
          1,
        ),
      ]
    : [];
  const address = [
    row("STREET 1", place.street.toUpperCase()),
    row("CITY", place.city.toUpperCase(), 3),
    row("STATE", place.state, 3),
    row("ZIP", place.zip, 3),
  ];
  const former = formerNamesOn(filer, date).flatMap(({ name, from }) => [
    "",
    "\tFORMER COMPANY:\t",
    row("FORMER CONFORMED NAME", name, 1),
    row("DATE OF NAME CHANGE", compact(from), 1),
  ]);
  return [
    "",
    titleOf(filing, filer)[0],
    "",
    "\tCOMPANY DATA:\t",
    row("COMPANY CONFORMED NAME", nameOn(filer, date), 3),
    row("CENTRAL INDEX KEY", padded(filer.cik), 3),
    ...sic,
    ...office,
    row(date >= EIN_FROM ? "EIN" : "IRS NUMBER", "000000000", 4),
    row("STATE OF INCORPORATION", filer.incorporated, 3),
    row("FISCAL YEAR END", fiscalYearEndOn(filer, filing.filingDate), 3),
    // An issuer files nothing itself.
    ...(filing.content?.kind === "form"
      ? []
      : [
          "",
          "\tFILING VALUES:",
          row("FORM TYPE", filing.form),
          row("SEC ACT", "1934 Act"),
          row("SEC FILE NUMBER", fileNumberOf(filer), 1),
          row("FILM NUMBER", filmNumberOf(filing)),
        ]),
    "",
    "\tBUSINESS ADDRESS:\t",
    ...address,
    row("BUSINESS PHONE", "(000) 555-0100"),
    "",
    "\tMAIL ADDRESS:\t",
    ...address,
    ...former,
  ].join("\n");
}

/** `<SEC-HEADER>` to `</SEC-HEADER>` in words, as whole submissions have it. */
export function wordedHeader(filing: Filing): string {
  const accepted = shownAcceptance(filing);
  const date = compact(filing.filingDate);
  return [
    `<SEC-HEADER>${filing.accession}.hdr.sgml : ${date}`,
    ...(accepted ? [`<ACCEPTANCE-DATETIME>${accepted.replaceAll(/\D/g, "")}`] : []),
    `ACCESSION NUMBER:\t\t${filing.accession}`,
    `CONFORMED SUBMISSION TYPE:\t${filing.form}`,
    // Upstream's count is often off by one: it counts what it does not hand out.
    `PUBLIC DOCUMENT COUNT:\t\t${documentsOf(filing).length + (filing.layout === "inline" ? 1 : 0)}`,
    ...(filing.period ? [`CONFORMED PERIOD OF REPORT:\t${compact(filing.period)}`] : []),
    ...filing.items.map((item) => `ITEM INFORMATION:\t\t${headerTitleOf(item)}`),
    `FILED AS OF DATE:\t\t${date}`,
    `DATE AS OF CHANGE:\t\t${date}`,
    ...inHeader(filing).map((filer) => filerBlock(filing, filer)),
    "</SEC-HEADER>",
  ].join("\n");
}

function ownerTags(filing: Filing, owner: Filer): string[] {
  const { place } = owner;
  const [, tag] = titleOf(filing, owner);
  const data = filing.content?.kind === "form" ? "OWNER-DATA" : "COMPANY-DATA";
  return [
    `<${tag}>`,
    `<${data}>`,
    `<CONFORMED-NAME>${owner.name}`,
    `<CIK>${padded(owner.cik)}`,
    `</${data}>`,
    "<FILING-VALUES>",
    `<FORM-TYPE>${filing.form}`,
    "<ACT>34",
    `<FILE-NUMBER>${fileNumberOf(filing.filer)}`,
    `<FILM-NUMBER>${filmNumberOf(filing)}`,
    "</FILING-VALUES>",
    "<MAIL-ADDRESS>",
    `<STREET1>${place.street.toUpperCase()}`,
    `<CITY>${place.city.toUpperCase()}`,
    `<STATE>${place.state}`,
    `<ZIP>${place.zip}`,
    "</MAIL-ADDRESS>",
    `</${tag}>`,
  ];
}

function filerTags(filing: Filing, filer: Filer): string[] {
  if (filer.habit === "reporter") return ownerTags(filing, filer);
  const { place, industry } = filer;
  const [, tag] = titleOf(filing, filer);
  const address = [
    `<STREET1>${place.street.toUpperCase()}`,
    `<CITY>${place.city.toUpperCase()}`,
    `<STATE>${place.state}`,
    `<ZIP>${place.zip}`,
  ];
  return [
    `<${tag}>`,
    "<COMPANY-DATA>",
    `<CONFORMED-NAME>${nameOn(filer, filing.filingDate)}`,
    `<CIK>${padded(filer.cik)}`,
    ...(industry.sic ? [`<ASSIGNED-SIC>${industry.sic}`, `<ORGANIZATION-NAME>${industry.office}`] : []),
    "<IRS-NUMBER>000000000",
    `<STATE-OF-INCORPORATION>${filer.incorporated}`,
    `<FISCAL-YEAR-END>${fiscalYearEndOn(filer, filing.filingDate)}`,
    "</COMPANY-DATA>",
    "<FILING-VALUES>",
    `<FORM-TYPE>${filing.form}`,
    "<ACT>34",
    `<FILE-NUMBER>${fileNumberOf(filer)}`,
    `<FILM-NUMBER>${filmNumberOf(filing)}`,
    "</FILING-VALUES>",
    "<BUSINESS-ADDRESS>",
    ...address,
    "<PHONE>(000) 555-0100",
    "</BUSINESS-ADDRESS>",
    "<MAIL-ADDRESS>",
    ...address,
    "</MAIL-ADDRESS>",
    ...formerNamesOn(filer, filing.filingDate).flatMap(({ name, from }) => [
      "<FORMER-COMPANY>",
      `<FORMER-CONFORMED-NAME>${name}`,
      `<DATE-CHANGED>${compact(from)}`,
      "</FORMER-COMPANY>",
    ]),
    `</${tag}>`,
  ];
}

/**
 * Writes the header in tags, as `.hdr.sgml` and the comment of `-index-headers.html` have it: item numbers,
 * not titles.
 */
export function taggedHeader(filing: Filing): string {
  const accepted = shownAcceptance(filing);
  const date = compact(filing.filingDate);
  return [
    `<SEC-HEADER>${filing.accession}.hdr.sgml : ${date}`,
    ...(accepted ? [`<ACCEPTANCE-DATETIME>${accepted.replaceAll(/\D/g, "")}`] : []),
    `<ACCESSION-NUMBER>${filing.accession}`,
    `<TYPE>${filing.form}`,
    `<PUBLIC-DOCUMENT-COUNT>${documentsOf(filing).length + (filing.layout === "inline" ? 1 : 0)}`,
    ...(filing.period ? [`<PERIOD>${compact(filing.period)}`] : []),
    ...filing.items.map((item) => `<ITEMS>${item}`),
    `<FILING-DATE>${date}`,
    `<DATE-OF-FILING-DATE-CHANGE>${date}`,
    ...inHeader(filing).flatMap((filer) => filerTags(filing, filer)),
    "</SEC-HEADER>",
  ].join("\n");
}

/** The whole submission; one that was cut short lacks every closing tag after the cut. */
export function submissionText(filing: Filing): string {
  const head = `<SEC-DOCUMENT>${filing.accession}.txt : ${compact(filing.filingDate)}\n${wordedHeader(filing)}\n`;
  const cut = filing.layout === "truncated";
  const documents = documentsOf(filing).map(({ type, sequence, name, description, text }) => {
    const start = `<DOCUMENT>\n<TYPE>${type}\n<SEQUENCE>${sequence}\n${name ? `<FILENAME>${name}\n` : ""}<DESCRIPTION>${description}\n<TEXT>\n`;
    const wrapper = name.endsWith(".xml")
      ? "XML"
      : filing.layout === "inline" && sequence === 1
        ? "XBRL"
        : null;
    const body = wrapper ? `<${wrapper}>\n${text()}</${wrapper}>\n` : text();
    return `${start}${body}${cut ? "" : "</TEXT>\n</DOCUMENT>\n"}`;
  });
  return `${head}${documents.join("")}${cut ? "" : "</SEC-DOCUMENT>\n"}`;
}

const sizes = new WeakMap<Filing, number>();

/** Bytes of the whole submission; written once to be counted. */
export function sizeOf(filing: Filing): number {
  const known = sizes.get(filing) ?? Buffer.byteLength(submissionText(filing));
  sizes.set(filing, known);
  return known;
}
