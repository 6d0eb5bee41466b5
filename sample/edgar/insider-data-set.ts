// The quarterly data sets of Forms 3, 4 and 5: the same filings as tables, tab by tab, zipped.
import { LRUCache } from "lru-cache";
import { dateOf, dayOf } from "../sessions.ts";
import type { Reply } from "../wire.ts";
import { zipOf } from "../zip.ts";
import { nameOn, padded } from "./filers.ts";
import type { Filing } from "./filing.ts";
import { BOX_FROM, type FormFiling, type FormLine, XML_FROM } from "./ownership-filings.ts";
import type { Register } from "./register.ts";

const FIRST_YEAR = 2006;
/** Days after the end of a quarter on which its data set comes out. */
const LAG_DAYS = 12;
const FILE = /^\/files\/structureddata\/data\/insider-transactions-data-sets\/(\d{4})q([1-4])_form345\.zip$/;

type Row = Readonly<Record<string, string>>;
interface Made {
  readonly filing: Filing;
  readonly content: FormFiling;
}

const MONTHS = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(" ");
/** `02-JAN-2025`. */
const worded = (date: string): string =>
  date ? `${date.slice(8)}-${MONTHS[Number(date.slice(5, 7)) - 1]}-${date.slice(0, 4)}` : "";

const HEADS: Readonly<Record<string, string>> = {
  SUBMISSION:
    "ACCESSION_NUMBER FILING_DATE PERIOD_OF_REPORT DATE_OF_ORIG_SUB NO_SECURITIES_OWNED NOT_SUBJECT_SEC16 FORM3_HOLDINGS_REPORTED FORM4_TRANS_REPORTED DOCUMENT_TYPE ISSUERCIK ISSUERNAME ISSUERTRADINGSYMBOL REMARKS AFF10B5ONE",
  REPORTINGOWNER:
    "ACCESSION_NUMBER RPTOWNERCIK RPTOWNERNAME RPTOWNER_RELATIONSHIP RPTOWNER_TITLE RPTOWNER_TXT RPTOWNER_STREET1 RPTOWNER_STREET2 RPTOWNER_CITY RPTOWNER_STATE RPTOWNER_ZIPCODE RPTOWNER_STATE_DESC FILE_NUMBER",
  NONDERIV_TRANS:
    "ACCESSION_NUMBER NONDERIV_TRANS_SK SECURITY_TITLE SECURITY_TITLE_FN TRANS_DATE TRANS_DATE_FN DEEMED_EXECUTION_DATE DEEMED_EXECUTION_DATE_FN TRANS_FORM_TYPE TRANS_CODE EQUITY_SWAP_INVOLVED EQUITY_SWAP_TRANS_CD_FN TRANS_TIMELINESS TRANS_TIMELINESS_FN TRANS_SHARES TRANS_SHARES_FN TRANS_PRICEPERSHARE TRANS_PRICEPERSHARE_FN TRANS_ACQUIRED_DISP_CD TRANS_ACQUIRED_DISP_CD_FN SHRS_OWND_FOLWNG_TRANS SHRS_OWND_FOLWNG_TRANS_FN VALU_OWND_FOLWNG_TRANS VALU_OWND_FOLWNG_TRANS_FN DIRECT_INDIRECT_OWNERSHIP DIRECT_INDIRECT_OWNERSHIP_FN NATURE_OF_OWNERSHIP NATURE_OF_OWNERSHIP_FN",
  NONDERIV_HOLDING:
    "ACCESSION_NUMBER NONDERIV_HOLDING_SK SECURITY_TITLE SECURITY_TITLE_FN TRANS_FORM_TYPE SHRS_OWND_FOLWNG_TRANS SHRS_OWND_FOLWNG_TRANS_FN VALU_OWND_FOLWNG_TRANS VALU_OWND_FOLWNG_TRANS_FN DIRECT_INDIRECT_OWNERSHIP DIRECT_INDIRECT_OWNERSHIP_FN NATURE_OF_OWNERSHIP NATURE_OF_OWNERSHIP_FN",
  DERIV_TRANS:
    "ACCESSION_NUMBER DERIV_TRANS_SK SECURITY_TITLE SECURITY_TITLE_FN CONV_EXERCISE_PRICE CONV_EXERCISE_PRICE_FN TRANS_DATE TRANS_DATE_FN DEEMED_EXECUTION_DATE DEEMED_EXECUTION_DATE_FN TRANS_FORM_TYPE TRANS_CODE EQUITY_SWAP_INVOLVED EQUITY_SWAP_TRANS_CD_FN TRANS_TIMELINESS TRANS_TIMELINESS_FN TRANS_SHARES TRANS_SHARES_FN TRANS_TOTAL_VALUE TRANS_TOTAL_VALUE_FN TRANS_PRICEPERSHARE TRANS_PRICEPERSHARE_FN TRANS_ACQUIRED_DISP_CD TRANS_ACQUIRED_DISP_CD_FN EXCERCISE_DATE EXCERCISE_DATE_FN EXPIRATION_DATE EXPIRATION_DATE_FN UNDLYNG_SEC_TITLE UNDLYNG_SEC_TITLE_FN UNDLYNG_SEC_SHARES UNDLYNG_SEC_SHARES_FN UNDLYNG_SEC_VALUE UNDLYNG_SEC_VALUE_FN SHRS_OWND_FOLWNG_TRANS SHRS_OWND_FOLWNG_TRANS_FN VALU_OWND_FOLWNG_TRANS VALU_OWND_FOLWNG_TRANS_FN DIRECT_INDIRECT_OWNERSHIP DIRECT_INDIRECT_OWNERSHIP_FN NATURE_OF_OWNERSHIP NATURE_OF_OWNERSHIP_FN",
  DERIV_HOLDING:
    "ACCESSION_NUMBER DERIV_HOLDING_SK SECURITY_TITLE SECURITY_TITLE_FN CONV_EXERCISE_PRICE CONV_EXERCISE_PRICE_FN SHRS_OWND_FOLWNG_TRANS SHRS_OWND_FOLWNG_TRANS_FN DIRECT_INDIRECT_OWNERSHIP DIRECT_INDIRECT_OWNERSHIP_FN NATURE_OF_OWNERSHIP NATURE_OF_OWNERSHIP_FN",
  FOOTNOTES: "ACCESSION_NUMBER FOOTNOTE_ID FOOTNOTE_TXT",
  OWNER_SIGNATURE: "ACCESSION_NUMBER OWNERSIGNATURENAME OWNERSIGNATUREDATE",
};

function tableOf(name: string, rows: readonly Row[]): { name: string; text: string } {
  const columns = (HEADS[name] ?? "").split(" ");
  const lines = rows.map((row) => columns.map((column) => row[column] ?? "").join("\t"));
  return { name: `${name}.tsv`, text: `${[columns.join("\t"), ...lines].join("\n")}\n` };
}

function submissionRow({ filing, content }: Made): Row {
  const { accession, filingDate, period, form, filer } = filing;
  return {
    ACCESSION_NUMBER: accession,
    FILING_DATE: worded(filingDate),
    PERIOD_OF_REPORT: worded(period),
    DATE_OF_ORIG_SUB: worded(content.original ?? ""),
    NO_SECURITIES_OWNED: form.startsWith("3") && content.lines.length === 0 ? "1" : "",
    NOT_SUBJECT_SEC16: "0",
    DOCUMENT_TYPE: form,
    ISSUERCIK: padded(filer.cik),
    ISSUERNAME: nameOn(filer, filingDate),
    ISSUERTRADINGSYMBOL: filer.symbol,
    REMARKS: `${content.remarks ?? ""}${content.oddity === "broken" ? "Gadzook & Sons" : ""}`,
    AFF10B5ONE: filingDate < BOX_FROM || form.startsWith("3") ? "" : content.planned ? "1" : "0",
  };
}

const ownerRows = ({ filing, content }: Made): Row[] =>
  content.reporters.map(({ filer, director, officer, tenPercent, title }) => ({
    ACCESSION_NUMBER: filing.accession,
    RPTOWNERCIK: padded(filer.cik),
    RPTOWNERNAME: filer.name,
    RPTOWNER_RELATIONSHIP: [director && "Director", officer && "Officer", tenPercent && "TenPercentOwner"]
      .filter(Boolean)
      .join(","),
    RPTOWNER_TITLE: title ?? "",
    RPTOWNER_CITY: filer.place.city.toUpperCase(),
    RPTOWNER_STATE: filer.place.state,
  }));

/** The table a line stands in: `NONDERIV_TRANS`, … */
const placeOf = ({ table, code }: FormLine): string =>
  `${table === "derivative" ? "DERIV" : "NONDERIV"}_${code === undefined ? "HOLDING" : "TRANS"}`;

function lineRow({ filing, content }: Made, line: FormLine, key: number): Row {
  const { date, code, shares, price, way = "A", after, nature, how } = line;
  return {
    ACCESSION_NUMBER: filing.accession,
    [`${placeOf(line)}_SK`]: String(key),
    SECURITY_TITLE: line.title,
    SECURITY_TITLE_FN: line.titleNote ?? "",
    TRANS_DATE: worded(date ?? ""),
    TRANS_FORM_TYPE: code === undefined || content.oddity === "uncoded" ? "" : "4",
    TRANS_CODE: content.oddity === "uncoded" ? "" : (code ?? ""),
    EQUITY_SWAP_INVOLVED: code === undefined || content.oddity === "uncoded" ? "" : "0",
    TRANS_SHARES: shares ?? "",
    TRANS_PRICEPERSHARE: price ?? "",
    TRANS_PRICEPERSHARE_FN: line.priceNote ?? "",
    TRANS_ACQUIRED_DISP_CD: code === undefined ? "" : way,
    CONV_EXERCISE_PRICE: line.table === "derivative" ? "0" : "",
    UNDLYNG_SEC_TITLE: line.table === "derivative" ? "Common Stock" : "",
    UNDLYNG_SEC_SHARES: line.table === "derivative" ? (shares ?? after) : "",
    SHRS_OWND_FOLWNG_TRANS: after,
    DIRECT_INDIRECT_OWNERSHIP: nature,
    NATURE_OF_OWNERSHIP: how ?? "",
  };
}

function tablesOf(filings: readonly Made[]) {
  let key = 0;
  const lines = filings.flatMap((made) =>
    made.content.lines.map((line) => ({ place: placeOf(line), row: lineRow(made, line, ++key) })),
  );
  const placed = (place: string) => lines.filter((one) => one.place === place).map((one) => one.row);
  const each = (rows: (made: Made) => Row[]) => filings.flatMap(rows);
  return [
    tableOf("SUBMISSION", filings.map(submissionRow)),
    tableOf("REPORTINGOWNER", each(ownerRows)),
    ...["NONDERIV_TRANS", "NONDERIV_HOLDING", "DERIV_TRANS", "DERIV_HOLDING"].map((place) =>
      tableOf(place, placed(place)),
    ),
    tableOf(
      "FOOTNOTES",
      each(({ filing, content }) =>
        (content.footnotes ?? []).map((text, i) => ({
          ACCESSION_NUMBER: filing.accession,
          FOOTNOTE_ID: `F${i + 1}`,
          FOOTNOTE_TXT: text,
        })),
      ),
    ),
    tableOf(
      "OWNER_SIGNATURE",
      each(({ filing, content }) =>
        content.reporters.map(({ filer }) => ({
          ACCESSION_NUMBER: filing.accession,
          OWNERSIGNATURENAME: `/s/ ${filer.name}`,
          OWNERSIGNATUREDATE: worded(filing.filingDate),
        })),
      ),
    ),
  ];
}

const QUARTERS_MAX = 2;

/** Gives the data set at a path; null for another path, and before it has come out. */
export function createInsiderDataSets(register: Register): (path: string) => Reply | null {
  const made = new LRUCache<string, Uint8Array>({ max: QUARTERS_MAX });
  return (path) => {
    const [, year = "", quarter = ""] = FILE.exec(path) ?? [];
    if (!year || Number(year) < FIRST_YEAR) return null;
    const month = 3 * Number(quarter) - 2;
    const start = `${year}-${String(month).padStart(2, "0")}-01`;
    const end = dateOf(Date.UTC(Number(year), month + 2, 1) / 86_400_000 - 1);
    if (dayOf(register.today()) < dayOf(end) + LAG_DAYS) return null;
    const bytes =
      made.get(path) ??
      zipOf(
        tablesOf(
          register
            .filedBetween(start, end)
            .flatMap((filing) =>
              filing.content?.kind === "form" && filing.filingDate >= XML_FROM
                ? [{ filing, content: filing.content }]
                : [],
            ),
        ),
      );
    made.set(path, bytes);
    return {
      status: 200,
      headers: { "content-type": "application/zip", server: "AmazonS3" },
      body: "",
      bytes,
    };
  };
}
