// A filing's folder: index pages, headers, the whole submission, each document alone.
import type { Reply } from "../wire.ts";
import { type Document, documentsOf, isXmlDocument, renderingOf } from "./documents.ts";
import { type Filer, fileNumberOf, nameOn, padded } from "./filers.ts";
import {
  compact,
  type Filing,
  filmNumberOf,
  partiesOf,
  roleOf,
  shownAcceptance,
  undashed,
} from "./filing.ts";
import { fiscalYearEndOn } from "./fiscal.ts";
import { sizeOf, submissionText, taggedHeader, wordedHeader } from "./header.ts";
import { renderedFile } from "./rendered-statements.ts";
import { headerTitleOf } from "./titles.ts";
import { asMarkup } from "./wording.ts";

const TYPES: Readonly<Record<string, string>> = {
  htm: "text/html",
  html: "text/html",
  txt: "text/plain",
  xml: "text/xml",
  json: "application/json",
  sgml: "text/plain",
};

const file = (name: string, body: string): Reply => ({
  status: 200,
  headers: {
    "content-type": TYPES[name.split(".").at(-1) ?? ""] ?? "application/octet-stream",
    server: "AmazonS3",
  },
  body,
});

/** The documents that can be had one by one: the oldest filings have them in the whole submission alone. */
const namedOf = (filing: Filing) => documentsOf(filing).filter(({ name }) => name !== "");

const folderOf = (cik: number, filing: Filing) => `/Archives/edgar/data/${cik}/${undashed(filing.accession)}`;

/** The moment as pages write it: `2026-03-06 16:46:18`; midnight stands for unknown. */
const acceptedText = (filing: Filing) =>
  (shownAcceptance(filing) ?? `${filing.filingDate}T00:00:00`).replace("T", " ");

const info = (head: string, text: string) =>
  `         <div class="infoHead">${head}</div>\n         <div class="info">${text}</div>\n`;
const group = (inside: string) => `      <div class="formGrouping">\n${inside}      </div>\n`;

function documentRow(
  folder: string,
  { sequence, type, name, description, text }: Document,
  inline: boolean,
): string {
  const href = inline ? `/ix?doc=${folder}/${name}` : `${folder}/${name}`;
  const mark = inline ? ` &nbsp;&nbsp;<span style="color: green">iXBRL</span>` : "";
  const cells = [
    String(sequence),
    asMarkup(description),
    `<a href="${href}">${name}</a>${mark}`,
    type,
    String(Buffer.byteLength(text())),
  ];
  return `         <tr${sequence % 2 === 0 ? ' class="evenRow"' : ""}>\n${cells.map((cell) => `            <td scope="row">${cell}</td>\n`).join("")}         </tr>\n`;
}

/** A page in place of an XML document: the row before its own, without a size. */
function renderingRow(folder: string, { sequence, type, name, description }: Document): string {
  const page = name.replace(/\.xml$/, ".html");
  const cells = [
    String(sequence),
    asMarkup(description),
    `<a href="${folder}/${name}">${page}</a>`,
    type,
    "&nbsp;",
  ];
  return `         <tr>\n${cells.map((cell) => `            <td scope="row">${cell}</td>\n`).join("")}         </tr>\n`;
}

function filerDiv(filing: Filing, filer: Filer): string {
  const { place, industry } = filer;
  const address = `      <span class="mailerAddress">${place.street.toUpperCase()}</span>\n      <span class="mailerAddress">\n${place.city.toUpperCase()}       <span class="mailerAddress">${place.state}</span>\n${place.zip}      </span>\n`;
  const sic = industry.sic
    ? `<br /><acronym title="Standard Industrial Code">SIC</acronym>: <b><a href="/cgi-bin/browse-edgar?action=getcompany&amp;SIC=${industry.sic}&amp;owner=include">${industry.sic}</a></b> ${asMarkup(industry.description)}<br />(CF Office: ${asMarkup(industry.office)})`
    : "";
  return `<div class="filerDiv">
   <div class="mailer">Mailing Address\n${address}   </div>
   <div class="mailer">Business Address\n${address}      <span class="mailerAddress">0005550100</span>\n   </div>
<div class="companyInfo">
  <span class="companyName">${asMarkup(nameOn(filer, filing.filingDate))} (${roleOf(filing, filer)})
 <acronym title="Central Index Key">CIK</acronym>: <a href="/cgi-bin/browse-edgar?CIK=${padded(filer.cik)}&amp;action=getcompany">${padded(filer.cik)} (see all company filings)</a></span>
<p class="identInfo"><acronym title="Internal Revenue Service Number">EIN.</acronym>: <strong>000000000</strong> | State of Incorp.: <strong>${filer.incorporated}</strong> | Fiscal Year End: <strong>${fiscalYearEndOn(filer, filing.filingDate)}</strong><br />Type: <strong>${filing.form}</strong> | Act: <strong>34</strong> | File No.: <a href="/cgi-bin/browse-edgar?filenum=${fileNumberOf(filer)}&amp;action=getcompany"><strong>${fileNumberOf(filer)}</strong></a> | Film No.: <strong>${filmNumberOf(filing)}</strong>${sic}</p>
</div>
<div class="clear"></div>
</div>
`;
}

/** The cells of the row for the complete submission. */
const submissionCells = (folder: string, filing: Filing): string[] => [
  "&nbsp;",
  "Complete submission text file",
  `<a href="${folder}/${filing.accession}.txt">${filing.accession}.txt</a>`,
  "&nbsp;",
  String(sizeOf(filing)),
];

/** `-index.html`: the filing detail page. */
function indexPage(cik: number, filing: Filing): string {
  const folder = folderOf(cik, filing);
  const documents = namedOf(filing);
  const items = filing.items.map((item) => `Item ${item}: ${asMarkup(headerTitleOf(item))}<br />\n`).join("");
  const kind = filing.form.startsWith("8-K") ? "Current report: " : "";
  const heads = ["Seq", "Description", "Document", "Type", "Size"]
    .map((head) => `            <th scope="col">${head}</th>\n`)
    .join("");
  const rows = documents.map(
    (document) =>
      (isXmlDocument(document) ? renderingRow(`${folder}/${renderingOf(filing)}`, document) : "") +
      documentRow(folder, document, filing.layout === "inline" && document.sequence === 1),
  );
  const whole = submissionCells(folder, filing);
  return `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">
<html xmlns="http://www.w3.org/1999/xhtml">
<head>
<meta http-equiv="Content-Type" content="text/html; charset=utf-8" />
<title>EDGAR Filing Documents for ${filing.accession}</title>
</head>
<body>
<div id="contentDiv">
<!-- START FILING DIV -->
<div class="formDiv">
   <div id="formHeader">
      <div id="formName">
         <strong>Form ${filing.form}</strong> - ${kind}
      </div>
      <div id="secNum">
         <strong><acronym title="Securities and Exchange Commission">SEC</acronym> Accession <acronym title="Number">No.</acronym></strong> ${filing.accession}
      </div>
   </div>
   <div class="formContent">
${group(info("Filing Date", filing.filingDate) + info("Accepted", acceptedText(filing)) + info("Documents", String(documents.length)))}${filing.period ? group(info("Period of Report", filing.period)) : ""}${items ? group(info("Items", items)) : ""}      <div style="clear:both"></div>
<!-- END FILING DIV -->
<!-- START DOCUMENT DIV -->
  </div>
    </div>
<div class="formDiv">
   <div>
      <p>Document Format Files</p>
      <table class="tableFile" summary="Document Format Files">
         <tr>
${heads}         </tr>
${rows.join("")}         <tr>
${whole.map((cell) => `            <td scope="row">${cell}</td>\n`).join("")}         </tr>
      </table>
   </div>
</div>
<!-- END DOCUMENT DIV -->
<!-- START FILER DIV -->
${partiesOf(filing)
  .map((filer) => filerDiv(filing, filer))
  .join("")}<!-- END FILER DIV -->
</div>
</body></html>
`;
}

/** `-index-headers.html`: tags in a comment, words in a `<PRE>`. */
function headersPage(filing: Filing): string {
  const documents = namedOf(filing).map(
    ({ type, sequence, name, description }) =>
      `&lt;DOCUMENT&gt;\n&lt;TYPE&gt;${type}\n&lt;SEQUENCE&gt;${sequence}\n&lt;FILENAME&gt;${name}\n&lt;DESCRIPTION&gt;${asMarkup(description)}\n&lt;TEXT&gt;\n<a href="${name}">Document ${sequence} - file: ${name}</a><br>\n&lt;/DOCUMENT&gt;\n`,
  );
  return `<HTML><HEAD><TITLE>SEC EDGAR Submission ${filing.accession}</TITLE>
<!--
${taggedHeader(filing)}
-->
</HEAD><BODY>
<PRE>&lt;SEC-DOCUMENT&gt;${filing.accession}-index.html : ${compact(filing.filingDate)}
${asMarkup(wordedHeader(filing))}
${documents.join("")}&lt;/SEC-DOCUMENT&gt;</PRE></BODY></HTML>
`;
}

function listing(cik: number, filing: Filing): string {
  const entry = (name: string, size: string) => ({
    "last-modified": acceptedText(filing),
    name,
    type: "text.gif",
    size,
  });
  const made = ["-index-headers.html", "-index.html", ".txt"].map((end) =>
    entry(`${filing.accession}${end}`, ""),
  );
  const item = [
    ...made,
    ...namedOf(filing).map(({ name, text }) => entry(name, String(Buffer.byteLength(text())))),
  ];
  return JSON.stringify({
    directory: { item, name: folderOf(cik, filing), "parent-dir": `/Archives/edgar/data/${cik}` },
  });
}

/** A file of the folder under one of the filing's CIKs; null when it has no such file. */
export function folderFile(cik: number, filing: Filing, name: string): Reply | null {
  const rest = name.startsWith(filing.accession) ? name.slice(filing.accession.length) : null;
  if (rest === "-index.html" || rest === "-index.htm") return file("index.html", indexPage(cik, filing));
  if (rest === "-index-headers.html") return file("headers.html", headersPage(filing));
  if (rest === ".hdr.sgml") return file("header.sgml", `${taggedHeader(filing)}\n`);
  if (rest === ".txt") return file("submission.txt", submissionText(filing));
  if (name === "index.json") return file("index.json", listing(cik, filing));
  const document = namedOf(filing).find((one) => one.name === name);
  const body = document?.text() ?? renderedFile(filing, name);
  return body === null ? null : file(name, body);
}
