// Renders the statements of a filing of the data sets as EDGAR does: the list of reports, and one page for
// each statement.
import type { NeededReport, Presentations } from "../../src/capabilities/financial/presentations.ts";
import { type FakeReply, fakeEdgar, missing } from "../support/fake-edgar.ts";
import type { PresentedFiling, PresentedLine, StatementCode } from "./fsds.ts";

const NAMES: Readonly<Record<StatementCode, string>> = {
  BS: "CONSOLIDATED BALANCE SHEETS",
  IS: "CONSOLIDATED STATEMENTS OF INCOME",
  CF: "CONSOLIDATED STATEMENTS OF CASH FLOWS",
};

const filesOf = (filing: PresentedFiling): [code: StatementCode, file: string, lines: PresentedLine[]][] =>
  [...filing.statements].flatMap(([code, lines]) =>
    [
      ...Map.groupBy(
        lines.filter((line) => !line.isParenthetical),
        ({ file }) => file,
      ),
    ].map(([file, own]) => [code, file, own] as [StatementCode, string, PresentedLine[]]),
  );

function summaryOf(filing: PresentedFiling): string {
  const reports = filesOf(filing).map(([code, file]) => {
    const element = file.endsWith(".xml") ? "XmlFileName" : "HtmlFileName";
    return `<Report><${element}>${file}</${element}><LongName>0001 - Statement - ${NAMES[code]}</LongName><ShortName>${NAMES[code]}</ShortName></Report>`;
  });
  return `<?xml version="1.0"?><FilingSummary><MyReports>${reports.join("")}</MyReports></FilingSummary>`;
}

function pageOf(file: string, lines: readonly PresentedLine[]): string {
  if (file.endsWith(".xml"))
    return `<InstanceReport><Rows>${lines.map(({ element }) => `<Row><ElementName>${element}</ElementName><IsSegmentTitle>false</IsSegmentTitle></Row>`).join("")}</Rows></InstanceReport>`;
  return `<html><table class="report">${lines.map(({ element }) => `<tr class="re"><td class="pl"><a onclick="top.Show.showAR( this, 'defref_${element}', window );">x</a></td></tr>`).join("")}</table></html>`;
}

/** Returns EDGAR's answer for a file of a filing. */
export type Renderings = (filing: PresentedFiling, file: string) => FakeReply;

export const rendered: Renderings = (filing, file) => {
  if (file === "FilingSummary.xml") return { body: summaryOf(filing) };
  const page = filesOf(filing).find(([, name]) => name === file);
  return page ? { body: pageOf(file, page[2]) } : missing(404);
};
export const notRendered: Renderings = () => missing(404);

/** Reads what reports present with the provider itself, from such an EDGAR. */
export async function readPresentations(
  needed: readonly NeededReport[],
  filings: ReadonlyMap<string, PresentedFiling>,
  renderings: Renderings,
): Promise<Presentations> {
  const undashed = new Map(
    [...filings].map(([accession, filing]) => [accession.replaceAll("-", ""), filing]),
  );
  const { provider } = fakeEdgar(({ pathname }) => {
    const [file = "", folder = ""] = pathname.split("/").reverse();
    const filing = undashed.get(folder);
    return filing ? renderings(filing, file) : missing(404);
  });
  const found = needed.map(async ({ accession_number, cik }) => {
    const tags = await provider.cashFlowElements({ accession_number, cik });
    const presentation = tags
      ? { kind: "presented" as const, tags: new Set(tags) }
      : { kind: "none" as const };
    return [accession_number, presentation] as const;
  });
  return new Map(await Promise.all(found));
}
