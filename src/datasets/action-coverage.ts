// From which day on the stored splits and dividends of a symbol are complete.
import { dataset } from "../platform/lake/dataset.ts";

export const actionCoverage = dataset({
  name: "action_coverage",
  description:
    "From which day on the corporate actions of a symbol are complete, up to the newest basis of its bars. A bar can be shown on the basis of an earlier day only when every action between that day and its own basis is stored. The earliest from_date of a symbol counts.",
  columns: {
    symbol: { type: "VARCHAR", description: "Symbol in its canonical spelling." },
    from_date: {
      type: "DATE",
      description:
        "Every action with an ex date from this day to the newest basis of the symbol's bars is stored.",
    },
    known_at: { type: "TIMESTAMPTZ", description: "When the actions were fetched." },
    source: { type: "VARCHAR", description: "The provider that reported them." },
  },
  key: ["symbol", "from_date"],
  partition: { by: "none" },
  sort: ["symbol", "from_date"],
  fill: "append",
});
