// The parts of the SQL page: the field for the query, its answer, and the links that carry both.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import {
  REQUEST_URL_BYTES_MAX,
  SQL_ANSWER_BYTES_MAX,
  SQL_AT_ONCE_MAX,
  SQL_ROWS_MAX,
  SQL_SECONDS_MAX,
} from "../limits.ts";
import { RequestFailed } from "./api.ts";
import { type DataCell, DataTable } from "./data-table.tsx";
import { bytes, count } from "./format.ts";
import { clockOf, withParameters } from "./links.ts";
import { options } from "./panel-parts.tsx";
import { type Answer, type FileFormat, fileAddress, type Ran, runSql, saveFile } from "./run-sql.ts";
import { SqlCatalogue } from "./sql-catalogue.tsx";
import { FailureLine, StateLine } from "./state-line.tsx";

const FIRST_QUERY =
  "SELECT symbol, date, close, volume\nFROM bars(NULL)\nORDER BY date DESC, symbol\nLIMIT 100";
/** The longest address that a query goes into; the service takes no longer ones. */
const ADDRESS_CHARS_MAX = REQUEST_URL_BYTES_MAX - 1_000;
const LIMITS = [1_000, 10_000, SQL_ROWS_MAX];
const FIGURES = /^(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT|UBIGINT|UINTEGER|FLOAT|DOUBLE|DECIMAL)/;

type State =
  | { readonly at: "start" | "running" }
  | { readonly at: "failed"; readonly error: unknown }
  | { readonly at: "ready"; readonly ran: Ran; readonly query: string; readonly limit: number };

/** A value of a column; numbers that come as text, because they are long, are sorted as numbers. */
function cellOf(value: unknown, type: string): DataCell {
  if (value === null || value === undefined) return null;
  if (typeof value === "object") return JSON.stringify(value);
  return typeof value === "string" && FIGURES.test(type)
    ? { text: value, by: Number(value) }
    : (value as string | number | boolean);
}

function cellRows({ columns, data }: Answer): DataCell[][] {
  return data.map((row) => columns.map(({ name, type }) => cellOf(row[name], type)));
}

/** Returns the query and the limit of the page's address. */
function asked(): { query: string; limit: number } {
  const given = new URLSearchParams(location.search);
  const limit = LIMITS.find((each) => each === Number(given.get("limit"))) ?? 10_000;
  return { query: given.get("query") ?? "", limit };
}

function Failure({ error }: { error: unknown }) {
  if (!(error instanceof RequestFailed) || error.code === "") return <FailureLine error={error} />;
  const said = error.hint === "" ? error.message : error.message.slice(0, -error.hint.length).trim();
  return (
    <div class="state refused" role="alert">
      <p>
        <strong>{error.code}</strong>
      </p>
      <pre>{said}</pre>
      {error.hint === "" ? "" : <p>{error.hint}</p>}
    </div>
  );
}

function Files({
  query,
  limit,
  onFailure,
}: {
  query: string;
  limit: number;
  onFailure: (error: unknown) => void;
}) {
  const save = (event: Event, format: FileFormat) => {
    event.preventDefault();
    saveFile(query, limit, format).catch(onFailure);
  };
  return (
    <>
      {(["csv", "parquet"] as const).map((format) => (
        <a
          key={format}
          href={fileAddress(query, limit, format)}
          download={`query.${format}`}
          onClick={(event) => save(event, format)}
        >
          {format}
        </a>
      ))}
    </>
  );
}

function Result({
  state,
  onFailure,
}: {
  state: State & { at: "ready" };
  onFailure: (error: unknown) => void;
}) {
  const { ran, query, limit } = state;
  const { answer, version, asOf, milliseconds } = ran;
  const columns = answer.columns.map(({ name, type }) => ({
    name,
    isFigure: FIGURES.test(type),
    title: type,
  }));
  const address = withParameters({ query, limit: String(limit) });
  const isTooLong = address.length > ADDRESS_CHARS_MAX;
  return (
    <>
      <p id="result" role="status">
        {count(answer.count)} {answer.count === 1 ? "row" : "rows"}
        {answer.truncated ? " (there are more)" : ""} in {(milliseconds / 1_000).toFixed(2)} s
        {version === null ? "" : `, data version ${version}`}
        {asOf === null ? "" : `, as of ${asOf}`}.
      </p>
      <p class="links">
        <Files query={query} limit={limit} onFailure={onFailure} />
        {isTooLong ? <span class="quiet">The query is too long for a link.</span> : ""}
        {isTooLong ? (
          ""
        ) : (
          <a id="link" href={address}>
            Link to this query
          </a>
        )}
        {isTooLong || version === null ? (
          ""
        ) : (
          <a id="frozen" href={withParameters({ query, limit: String(limit), data_version: version })}>
            Link to this answer (data version {version})
          </a>
        )}
      </p>
      {answer.warnings.map((warning) => (
        <p key={warning} class="state">
          {warning}
        </p>
      ))}
      {answer.count === 0 ? (
        ""
      ) : (
        <DataTable label="Answer" columns={columns} rows={cellRows(answer)} isPart={answer.truncated} />
      )}
    </>
  );
}

function Limits() {
  const { as_of, data_version } = clockOf();
  return (
    <p class="quiet">
      One SELECT in DuckDB's SQL. Ended after {SQL_SECONDS_MAX} s; at most {count(SQL_ROWS_MAX)} rows,{" "}
      {bytes(SQL_ANSWER_BYTES_MAX)}, {SQL_AT_ONCE_MAX} queries at once.{" "}
      {as_of === null
        ? "Everything known now is there; the clock above freezes every table."
        : `Every table has only what was known as of ${as_of}.`}
      {data_version === null ? "" : ` The store is read as it was at version ${data_version}.`}
    </p>
  );
}

/** Runs queries one at a time; the address of the page follows them. */
function useRun() {
  const state = useSignal<State>({ at: "start" });
  const running = useRef<AbortController | null>(null);
  const run = async (query: string, limit: number) => {
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    state.value = { at: "running" };
    try {
      const ran = await runSql(query, limit, own.signal);
      if (running.current === own) state.value = { at: "ready", ran, query, limit };
    } catch (error) {
      if (running.current === own)
        state.value = own.signal.aborted ? { at: "start" } : { at: "failed", error };
    } finally {
      document.body.dataset.ready = "true";
    }
  };
  return { state, run, stop: () => running.current?.abort() };
}

/** Puts a text at the place of the cursor of a field. */
function insert(field: HTMLTextAreaElement | null, text: string): void {
  if (!field) return;
  field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
  field.focus();
}

function RowsMax({ limit }: { limit: { value: number } }) {
  return (
    <label>
      Rows at most{" "}
      <select
        id="limit"
        value={String(limit.value)}
        onChange={({ currentTarget }) => {
          limit.value = Number(currentTarget.value);
        }}
      >
        {options(LIMITS.map((each) => [each, count(each)]))}
      </select>
    </label>
  );
}

function Form({
  field,
  limit,
  isRunning,
  onRun,
  onStop,
}: {
  field: { current: HTMLTextAreaElement | null };
  limit: { value: number };
  isRunning: boolean;
  onRun: () => void;
  onStop: () => void;
}) {
  return (
    <form
      class="query"
      onSubmit={(event) => {
        event.preventDefault();
        onRun();
      }}
    >
      <label for="query">Query</label>
      <textarea
        id="query"
        ref={field}
        rows={8}
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          onRun();
        }}
      />
      <p class="actions">
        <button type="submit" id="run">
          Run <kbd>Ctrl</kbd> <kbd>Enter</kbd>
        </button>
        <button type="button" id="stop" disabled={!isRunning} onClick={onStop}>
          Stop
        </button>
        <RowsMax limit={limit} />
      </p>
    </form>
  );
}

export function SqlPage() {
  const field = useRef<HTMLTextAreaElement>(null);
  const limit = useSignal(asked().limit);
  const { state, run, stop } = useRun();
  const show = () => {
    const given = asked();
    limit.value = given.limit;
    if (field.current) field.current.value = given.query || FIRST_QUERY;
    if (given.query !== "") void run(given.query, given.limit);
    else {
      stop();
      state.value = { at: "start" };
      document.body.dataset.ready = "true";
    }
  };
  useEffect(() => {
    show();
    window.addEventListener("popstate", show);
    return () => window.removeEventListener("popstate", show);
  }, []);
  const runTyped = () => {
    const query = field.current?.value.trim() ?? "";
    if (query === "") return;
    const address = withParameters({ query, limit: String(limit.value) });
    if (address.length <= ADDRESS_CHARS_MAX && address !== location.pathname + location.search)
      history.pushState(null, "", address);
    void run(query, limit.value);
  };
  const shown = state.value;
  const onFailure = (error: unknown) => {
    state.value = { at: "failed", error };
  };
  return (
    <>
      <h1>SQL</h1>
      <div class="beside">
        <section>
          <Form
            field={field}
            limit={limit}
            isRunning={shown.at === "running"}
            onRun={runTyped}
            onStop={stop}
          />
          <Limits />
          <div id="answer" aria-busy={shown.at === "running"}>
            {shown.at === "running" ? <StateLine state="loading" text="The query is running." /> : ""}
            {shown.at === "failed" ? <Failure error={shown.error} /> : ""}
            {shown.at === "ready" ? <Result state={shown} onFailure={onFailure} /> : ""}
          </div>
        </section>
        <section class="side" aria-label="Datasets and macros">
          <SqlCatalogue onName={(name) => insert(field.current, name)} />
        </section>
      </div>
    </>
  );
}
