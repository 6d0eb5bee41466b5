// docs/catalogue.md, made of the datasets and macros themselves: every table, column and unit.
import { DATASETS, MACROS } from "../src/datasets/index.ts";
import { type Columns, type Dataset, type Macro, storedColumns } from "../src/platform/lake/dataset.ts";

const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");

function partitionWords({ partition }: Dataset): string {
  if (partition.by === "none") return "one folder";
  const above = partition.and === undefined ? "" : `one folder a value of \`${partition.and}\`, in it `;
  return `${above}one folder a ${partition.by} of \`${partition.column}\``;
}

const columnTable = (columns: Columns): string => `| column | type | may be null | unit | meaning |
|---|---|---|---|---|
${Object.entries(columns)
  .map(([name, { type, nullable, unit, description }]) =>
    [`| \`${name}\``, type, nullable ? "yes" : "", unit ?? "", `${cell(description)} |`].join(" | "),
  )
  .join("\n")}
`;

function datasetPart(dataset: Dataset): string {
  const { name, description, key, fill } = dataset;
  const kept =
    fill === "first"
      ? "the first good row of a key stays"
      : "every distinct row of a key is kept, with its `known_at`";
  return `### ${name}

${description}

Key: ${key.map((each) => `\`${each}\``).join(", ")}; ${kept}. Files: ${partitionWords(dataset)}, sorted by ${dataset.sort.map((each) => `\`${each}\``).join(", ")}.

${columnTable(storedColumns(dataset))}`;
}

const callOf = ({ name, parameters }: Macro) => `\`${name}(${parameters.join(", ")})\``;

function macroPart(macro: Macro): string {
  const returned =
    macro.kind === "table"
      ? columnTable(macro.columns)
      : `Returns ${macro.returns.type}${macro.returns.unit ? `, ${macro.returns.unit}` : ""}.\n`;
  return `### ${macro.name}()

${callOf(macro)}: ${macro.description}

${returned}`;
}

/** The page as text. */
export const cataloguePage = (): string => `# The catalogue, column by column

Made by \`bun run cli catalogue\`; a test holds it against the code. Open it with
\`duckdb -readonly data/catalog.duckdb\` while the service runs, or read the Parquet files as they lie.

It works where the data folder is copied, moved or mounted elsewhere, with DuckDB 1.5 and 2.0: opened directly, it finds the
files beside itself. A program that attaches it there names the folder first:

\`\`\`sql
SET VARIABLE asof_data = '/mnt/data';
ATTACH '/mnt/data/catalog.duckdb' AS market (READ_ONLY);  -- asof itself is a keyword of DuckDB
USE market;                                               -- the macros need it
\`\`\`

Without the variable an attached catalogue looks where the service published it. In Python, \`pyasof.lake("/mnt/data")\` does all of it.
Keep the name \`catalog.duckdb\`, and copy it with the folder \`lake\`.

A connection shows the lake as it was published when the catalogue was opened: open it again for what was stored since. The service
publishes what it stores some seconds later.

DATE is a New York session or calendar day, TIMESTAMPTZ is UTC. \`as_of\` is a date (the end of that day in New York), an
instant, or NULL for everything known. Named arguments: \`bars(as_of := '2026-06-01')\`.

## Macros

In SQL: \`DESCRIBE FROM bars()\` gives the columns of a macro with their types,
\`SELECT function_name, comment FROM duckdb_functions() WHERE NOT internal\` what each macro is, and
\`SELECT column_name, comment FROM duckdb_columns() WHERE table_name = 'bars_daily'\` the meaning of a dataset's columns.

${MACROS.map(macroPart).join("\n")}
## Datasets

${DATASETS.map(datasetPart).join("\n")}`;
