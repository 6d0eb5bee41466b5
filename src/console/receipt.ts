// The receipt of a reported figure: its value in full, the report it comes from, and that report's document.
import type { FilingDocuments as Documents } from "../capabilities/filings/schema.ts";
import type { Source } from "../capabilities/financial/schema-rows.ts";
import { fetchJson, pathOf } from "./api.ts";
import { byId, type Cell, element } from "./elements.ts";
import { minute, reported } from "./format.ts";
import { failureLine } from "./states.ts";

export type { Source };

/** A figure of a statement with what its row says of it. */
export interface Figure {
  readonly title: string;
  readonly value: number;
  /** For example 2025 Q3, to 2025-09-30. */
  readonly period: string;
  readonly accession_number: string;
  readonly form: string;
  readonly filed_date: string;
  readonly known_at: string | null;
  /** The splits before this day are counted in share counts and figures per share. */
  readonly split_basis: string | null;
  /** Absent where the service names no source of the figure; the row's own report then stands for it. */
  readonly source?: Source | undefined;
}

/** The company whose figures are shown, and the as-of date. */
export interface Filer {
  readonly ticker: string;
  readonly cik: string | null;
  readonly asOf: string | null;
}

const outside = (url: string, text: string) =>
  element("a", { href: url, rel: "noreferrer", target: "_blank" }, text);

const indexPage = (accession: string, cik: string | null): Cell =>
  cik === null
    ? accession
    : outside(
        `https://www.sec.gov/Archives/edgar/data/${Number(cik)}/${accession.replaceAll("-", "")}/${accession}-index.htm`,
        accession,
      );

/**
 * Puts a link to the report's own document into `place`, once the list of the filing's documents is there.
 */
async function linkDocument(
  place: HTMLElement,
  accession: string,
  form: string,
  filer: Filer,
): Promise<void> {
  const query = { accession_number: accession, ticker: filer.ticker, as_of: filer.asOf };
  try {
    const { documents } = await fetchJson<Documents>(pathOf("/filings/documents", query));
    const report =
      documents.find(({ type }) => type === form) ?? documents.find(({ sequence }) => sequence === 1);
    if (report === undefined) place.replaceChildren("The filing's list does not name it.");
    else place.replaceChildren(outside(report.url, report.filename ?? form));
  } catch (error) {
    place.replaceChildren(failureLine(error));
  }
}

/** Which splits a share count or a figure per share counts; null for other figures. */
function shareBasis({ source, split_basis }: Figure): string | null {
  const stated = source?.split_basis ?? null;
  if (stated === null) return null;
  const factor = source?.split_factor ?? 1;
  return factor === 1
    ? `splits before ${stated} are counted`
    : `adjusted by ${factor}:1 for splits from ${stated} to ${split_basis ?? "now"}; the report states it without them`;
}

/** Opens the dialog with the receipt of a figure. */
export function showReceipt(figure: Figure, filer: Filer): void {
  const { source } = figure;
  const accession = source?.accession_number ?? figure.accession_number;
  const form = source?.form ?? figure.form;
  const report = element("dd", { id: "receipt-document" }, "Loading…");
  const basis = shareBasis(figure);
  const pairs: [string, Cell][] = [
    ["Value", reported(figure.value, source?.unit ?? "(unit not stated)")],
    ["Period", figure.period],
    ...(basis === null ? [] : [["Share basis", basis] as [string, Cell]]),
    ["Tag", source?.tag ?? "–"],
    ["Filing", indexPage(accession, filer.cik)],
    ["Form", form],
    ["Filed", source?.filed_date ?? figure.filed_date],
    ["Known from", minute(source?.known_at ?? figure.known_at)],
  ];
  const close = element("button", { type: "button" }, "Close");
  const dialog = byId<HTMLDialogElement>("receipt");
  close.addEventListener("click", () => dialog.close());
  dialog.replaceChildren(
    element("h2", { id: "receipt-title" }, figure.title),
    element(
      "dl",
      {},
      ...pairs.flatMap(([name, value]) => [
        element("dt", {}, name),
        element("dd", {}, value as Node | string),
      ]),
      element("dt", {}, "Document"),
      report,
    ),
    close,
  );
  dialog.setAttribute("aria-labelledby", "receipt-title");
  dialog.showModal();
  void linkDocument(report, accession, form, filer);
}
