// Names of filings, filers and files: read strictly, so that whatever became part of a path came through here. Pure.
import { InvalidRequest } from "../../platform/errors.ts";

const ACCESSION = /^(\d{10})-?(\d{2})-?(\d{6})$/;
const CIK = /^(?:CIK)?0*([1-9]\d{0,9})$/i;
/**
 * EDGAR's own names are letters, digits, `.`, `-`, `_`; neither a separator nor a `%` can be written with these. Two dots
 * within one (`acme.inc..txt`) lead nowhere: only a name that is nothing but dots would.
 */
const FILE_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;

const shown = (text: string): string => JSON.stringify(text.slice(0, 60));

/** `0000320193-26-000010` from the dashed or the undashed form; null when it is neither. */
export function readAccession(text: string): string | null {
  const [, agent, year, number] = ACCESSION.exec(text.trim()) ?? [];
  return agent && year && number ? `${agent}-${year}-${number}` : null;
}

/** As readAccession. Throws InvalidRequest `bad_request`. */
export function accessionNumber(text: string): string {
  const accession = readAccession(text);
  if (accession) return accession;
  throw new InvalidRequest("bad_request", `${shown(text)} is no accession number`, {
    hint: "write it as 0000320193-26-000010 or as its 18 digits",
  });
}

/** Eighteen digits: the form in paths. */
export const undashed = (accession: string): string => accession.replaceAll("-", "");

/** Ten digits from a number or text, padded or not, with or without `CIK`; null when it is none. */
export function readCik(value: string | number): string | null {
  const digits = CIK.exec(String(value).trim())?.[1];
  return digits ? digits.padStart(10, "0") : null;
}

/** As readCik. Throws InvalidRequest `bad_request`. */
export function cikOf(value: string | number): string {
  const cik = readCik(value);
  if (cik) return cik;
  throw new InvalidRequest("bad_request", `${shown(String(value))} is no CIK`, {
    hint: "a CIK is a number of one to ten digits, such as 320193",
  });
}

/** Whether `name` can be a file of a filing; nothing that could lead out of its folder can. */
export const isFileName = (name: string): boolean => FILE_NAME.test(name);

/** `name` itself. Throws InvalidRequest `bad_request` unless it can be a file of a filing. */
export function fileName(name: string): string {
  if (isFileName(name)) return name;
  throw new InvalidRequest("bad_request", `${shown(name)} is no file name of a filing`, {
    hint: "take the filename from the list of the filing's documents",
  });
}
