// From which day on the stored splits and dividends of a symbol are complete.
import { columnsOf, dataset, type Macro } from "../platform/lake/dataset.ts";

export const actionCoverage = dataset({
  name: "action_coverage",
  description:
    "From which day on the corporate actions of a symbol are complete, up to the newest basis of its bars. A bar can be shown on the basis of an earlier day only when every action between that day and its own basis is stored. Read it through complete_actions(): the earliest from_date of a symbol counts, for dividends none up to an incomplete_through.",
  columns: {
    symbol: { type: "VARCHAR", description: "Symbol in its canonical spelling." },
    from_date: {
      type: "DATE",
      description:
        "Every action with an ex date from this day to the newest basis of the symbol's bars is stored.",
    },
    incomplete_through: {
      type: "DATE",
      nullable: true,
      description:
        "Set where adjusted closes include dividends that the symbol's list lacks, as after a renaming: other rows say nothing of dividends up to this day. Else null.",
    },
    known_at: { type: "TIMESTAMPTZ", description: "When the actions were fetched." },
    source: { type: "VARCHAR", description: "The provider that reported them." },
  },
  key: ["symbol", "from_date"],
  partition: { by: "none" },
  sort: ["symbol", "from_date"],
  fill: "append",
  changes: { computed: true, countsBefore: true },
});

/**
 * The one reading of `action_coverage`: from which day on a symbol's splits are complete, and its dividends.
 */
export const completeActions: Macro = {
  name: "complete_actions",
  kind: "table",
  parameters: [],
  description:
    "The day from which on every corporate action of a symbol is stored, up to the newest basis of its bars: the earliest from_date of its action_coverage. Of dividends the day after its newest incomplete_through, where that is later.",
  columns: {
    ...columnsOf(actionCoverage, "symbol"),
    from_date: {
      type: "DATE",
      description: "Every split with an ex date from this day to the newest basis of the bars is stored.",
    },
    dividends_from: {
      type: "DATE",
      description: "The same of dividends and capital gains: this day or a later one.",
    },
  },
  body: (metadata) => {
    const isWithdrawn = metadata.range(actionCoverage, "incomplete_through") !== null;
    const dividends = isWithdrawn
      ? "greatest(min(from_date), max(incomplete_through) + 1)"
      : "min(from_date)";
    return `SELECT symbol, min(from_date) AS from_date, ${dividends} AS dividends_from
    FROM action_coverage GROUP BY symbol`;
  },
};
