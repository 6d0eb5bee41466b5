// The file of a company's facts as it is after a later report that corrects it.

/** The report that corrects. */
export const RESTATING = "0000999999-26-000002";

/** A figure in the file of a company's facts. */
type Fact = Readonly<Record<string, unknown>> & { readonly val: number };
interface FactsFile {
  readonly facts: Readonly<Record<string, Readonly<Record<string, { units: Record<string, Fact[]> }>>>>;
}

/** The file of a company's facts after a later report that doubles the newest figure of each line. */
export function restated(file: FactsFile): FactsFile {
  for (const lines of Object.values(file.facts))
    for (const { units } of Object.values(lines))
      for (const figures of Object.values(units)) {
        const newest = figures.at(-1);
        if (!newest) continue;
        const { frame: _, ...figure } = newest;
        figures.push({
          ...figure,
          val: newest.val * 2,
          accn: RESTATING,
          form: "10-K/A",
          filed: "2026-11-20",
        });
      }
  return file;
}
