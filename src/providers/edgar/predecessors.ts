// CIKs that continue another: a company that re-domiciles or reorganises gets a new CIK without its history.
// Pure data.

/** New CIK → the one before it. EDGAR links none of these itself. */
const PREDECESSORS: ReadonlyMap<string, string> = new Map([
  // Alphabet since 2015 ← Google.
  ["0001652044", "0001288776"],
  // Marvell Technology, Inc. since 2021 ← Marvell Technology Group, Bermuda.
  ["0001835632", "0001058057"],
]);

/** Returns the CIKs before `cik` (ten digits), newest first. Almost all companies have none. */
export function predecessorsOf(cik: string): readonly string[] {
  const before = PREDECESSORS.get(cik);
  return before ? [before, ...predecessorsOf(before)] : [];
}
