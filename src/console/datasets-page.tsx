// The datasets of the lake: what each holds, how much, from when to when, and its columns.
import type { TableInfo as Table } from "../capabilities/database/schema.ts";
import { useAnswer } from "./answer.ts";
import type { Catalogue, ColumnDocs, DatasetDocs } from "./catalogue.ts";
import { size, whole } from "./cells.tsx";
import { minute } from "./format.ts";
import { type FillingJob, freshnessLine } from "./freshness.ts";
import { linkTo } from "./links.ts";
import { Answered, type ListColumn, Panel, Rows } from "./panel-parts.tsx";

interface Info {
  readonly tables: readonly Table[];
}

const columnsOf = (jobs: readonly FillingJob[]): readonly ListColumn<Table>[] => [
  {
    name: "dataset",
    cell: ({ name }) => ({ text: name, shown: <a href={`#${name}`}>{name}</a> }),
  },
  { name: "rows", isFigure: true, cell: ({ rows }) => whole(rows) },
  {
    name: "size",
    isFigure: true,
    isExtra: true,
    cell: ({ size_bytes }) => size(size_bytes),
  },
  { name: "files", isFigure: true, isExtra: true, cell: ({ files }) => whole(files) },
  {
    name: "freshness",
    isExtra: true,
    title: "Whether the jobs that keep it up to date have run as they were due",
    cell: ({ name }) => freshnessLine(name, jobs),
  },
  { name: "from", isExtra: true, cell: ({ first_date }) => first_date },
  { name: "to", isExtra: true, cell: ({ last_date }) => last_date },
  {
    name: "newest row known",
    title: "When the newest row became known, which may be long before it was stored",
    isExtra: true,
    cell: ({ last_updated }) => (last_updated === null ? null : minute(last_updated)),
  },
];

const DOCS: readonly ListColumn<ColumnDocs>[] = [
  { name: "column", cell: ({ name }) => name },
  { name: "type", isExtra: true, cell: ({ type, nullable }) => (nullable ? `${type}, or null` : type) },
  { name: "unit", isExtra: true, cell: ({ unit }) => unit },
  { name: "meaning", isExtra: true, cell: ({ description }) => description },
];

/** Says which of several rows of one key a dataset keeps. */
const KEEPS: Readonly<Record<string, string>> = {
  first: "The first good row of a key stays.",
  append: "Every distinct row of a key stays.",
};

function DatasetPart({ name, description, key, keeps, columns }: DatasetDocs) {
  return (
    <section class="wide dataset" id={name}>
      <h2>{name}</h2>
      <p>{description}</p>
      <p class="quiet">
        {key.length > 0 ? `Key: ${key.join(", ")}. ` : ""}
        {KEEPS[keeps] ?? ""}{" "}
        <a href={linkTo("/sql", { query: `SELECT * FROM ${name} LIMIT 100` })}>Query it</a>
      </p>
      <details>
        <summary>{columns.length} columns</summary>
        <Rows label={`Columns of ${name}`} columns={DOCS} rows={columns} />
      </details>
    </section>
  );
}

export function DatasetsPage() {
  const info = useAnswer<Info>("/database/info");
  const jobs = useAnswer<{ readonly data: readonly FillingJob[] }>("/scheduler/jobs");
  const catalogue = useAnswer<Catalogue>("/database/catalogue");
  return (
    <>
      <Panel id="datasets" title="What is stored" isTall>
        <Answered answer={info.value}>
          {({ tables }) => (
            <Answered answer={jobs.value}>
              {({ data }) => (
                <Rows
                  label="Datasets"
                  columns={columnsOf(data)}
                  rows={tables.filter(({ kind }) => kind === "dataset")}
                />
              )}
            </Answered>
          )}
        </Answered>
      </Panel>
      <Answered answer={catalogue.value}>
        {({ datasets }) => (
          <>
            {datasets.map((each) => (
              <DatasetPart {...each} />
            ))}
          </>
        )}
      </Answered>
    </>
  );
}
