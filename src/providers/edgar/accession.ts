// Reads names of filings, filers and files strictly. Every part of a path at EDGAR is checked here first.
// Pure.
import { InvalidRequest } from "../../platform/errors.ts";

const ACCESSION = /^(\d{10})-?(\d{2})-?(\d{6})$/;
const CIK = /^(?:CIK)?0*([1-9]\d{0,9})$/i;
/**
 * EDGAR's own file names have letters, digits, `.`, `-` and `_`, so neither a separator nor a `%` is
 * possible. Two dots within a name (`acme.inc..txt`) are harmless; only a name of dots alone would leave the
 * folder, and none may start with a dot.
 */
const FILE_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;

const shown = (text: string): string => JSON.stringify(text.slice(0, 60));

/** Returns `0000320193-26-000010` from the dashed or the undashed form; null for other text. */
export function readAccession(text: string): string | null {
  const [, agent, year, number] = ACCESSION.exec(text.trim()) ?? [];
  return agent && year && number ? `${agent}-${year}-${number}` : null;
}

/** Like readAccession, but throws InvalidRequest `bad_request`. */
export function accessionNumber(text: string): string {
  const accession = readAccession(text);
  if (accession) return accession;
  throw new InvalidRequest("bad_request", `${shown(text)} is not an accession number`, {
    hint: "Write it as 0000320193-26-000010 or as its 18 digits.",
  });
}

/** The form in paths: eighteen digits. */
export const undashed = (accession: string): string => accession.replaceAll("-", "");

/**
 * Returns ten digits from a number or text, padded or not, with or without `CIK`; null when it is not a CIK.
 */
export function readCik(value: string | number): string | null {
  const digits = CIK.exec(String(value).trim())?.[1];
  return digits ? digits.padStart(10, "0") : null;
}

/** Like readCik, but throws InvalidRequest `bad_request`. */
export function cikOf(value: string | number): string {
  const cik = readCik(value);
  if (cik) return cik;
  throw new InvalidRequest("bad_request", `${shown(String(value))} is not a CIK`, {
    hint: "A CIK is a number of one to ten digits, such as 320193.",
  });
}

/** True when `name` can be a file of a filing. A name that could lead out of the folder cannot. */
export const isFileName = (name: string): boolean => FILE_NAME.test(name);

/** Returns `name`. Throws InvalidRequest `bad_request` unless it can be a file of a filing. */
export function fileName(name: string): string {
  if (isFileName(name)) return name;
  throw new InvalidRequest("bad_request", `${shown(name)} is not a file name of a filing`, {
    hint: "Take the filename from the list of the filing's documents.",
  });
}
