// Panels as components: a heading, the state of what is in it, and lists as tables that are read page by
// page.
import type { ComponentChildren } from "preact";
import type { Answer } from "./answer.ts";
import { CsvButton } from "./csv-button.tsx";
import { type DataCell, type DataColumn, DataTable } from "./data-table.tsx";
import { count } from "./format.ts";
import { useList } from "./list.ts";
import { FailureLine, StateLine } from "./state-line.tsx";
import { inWords, stateOfEmpty } from "./states.ts";

/** The options of a choice: each value, and what is shown of it. */
export const options = (
  pairs: readonly (readonly [value: string | number, shown: string])[],
  chosen?: string,
) =>
  pairs.map(([value, shown]) => (
    <option key={value} value={value} selected={chosen === undefined ? undefined : value === chosen}>
      {shown}
    </option>
  ));

const WARNINGS_MAX = 8;

export function Panel({
  id,
  title,
  isTall = false,
  children,
}: {
  id: string;
  title: string;
  /** Its table fills a screen: it keeps that room while it loads, so that the panels below do not jump. */
  isTall?: boolean;
  children: ComponentChildren;
}) {
  return (
    <section id={id} class={isTall ? "wide tall" : "wide"}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** Stands for a page whose address has no page. */
export function NoSuchPage() {
  document.body.dataset.ready = "true";
  return <StateLine state="empty" text="There is no page at this address." />;
}

/** Shows an answer once it is there; before that and where it failed, its state. */
export function Answered<T>({
  answer,
  children,
}: {
  answer: Answer<T>;
  children: (body: T) => ComponentChildren;
}) {
  if (answer.at === "loading") return <StateLine state="loading" />;
  if (answer.at === "failed") return <FailureLine error={answer.error} />;
  return <>{children(answer.body)}</>;
}

/** Warnings of an answer. */
export function Warnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <ul class="notes">
      {warnings.slice(0, WARNINGS_MAX).map((warning) => (
        <li key={warning}>{inWords(warning)}</li>
      ))}
      {warnings.length > WARNINGS_MAX ? (
        <li>{count(warnings.length - WARNINGS_MAX)} more warnings.</li>
      ) : null}
    </ul>
  );
}

export interface ListColumn<T> extends DataColumn {
  cell(row: T): DataCell;
}

/** A cell of a table of figures: a dash where the value is unknown. */
const orDash = (cell: DataCell | undefined): DataCell =>
  cell === null || cell === undefined || cell === "" ? { text: "–", by: null } : cell;

/** Rows as a table. */
export function Rows<T>({
  label,
  columns,
  rows,
  isPart = false,
}: {
  label: string;
  columns: readonly ListColumn<T>[];
  rows: readonly T[];
  /** Whether the service has more rows than these. */
  isPart?: boolean;
}) {
  const cells = rows.map((row) => columns.map((column) => orDash(column.cell(row))));
  return <DataTable label={label} columns={columns} rows={cells} isPart={isPart} />;
}

/** A list of the service as a table. `path` has a query; null: not known yet what to ask. */
export function ListTable<T>({
  label,
  path,
  columns,
  empty,
}: {
  label: string;
  path: string | null;
  columns: readonly ListColumn<T>[];
  /** Said where the list is empty. */
  empty: string;
}) {
  const { list, more } = useList<T>(path);
  const { at, rows, pages, total, hasMore, warnings, error } = list.value;
  return (
    <>
      {at === "loading" ? <StateLine state="loading" /> : null}
      {at === "failed" ? <FailureLine error={error} /> : null}
      {at === "ready" && rows.length === 0 ? <StateLine state={stateOfEmpty(warnings)} text={empty} /> : null}
      {/* Above the table: the tab key comes to it before the links of all rows. */}
      {rows.length > 0 ? (
        <p class="actions quiet">
          <span class="shown">
            {total === null || total === rows.length
              ? `${count(rows.length)} rows`
              : `${count(rows.length)} of ${count(total)} rows`}
          </span>
          {hasMore && at !== "loading" ? (
            <button type="button" onClick={more}>
              Show more
            </button>
          ) : null}
          {path === null ? null : (
            <CsvButton path={path} label={label} note={hasMore || pages > 1 ? "of the first page" : ""} />
          )}
        </p>
      ) : null}
      {rows.length > 0 ? <Rows label={label} columns={columns} rows={rows} isPart={hasMore} /> : null}
      <Warnings warnings={warnings} />
    </>
  );
}
