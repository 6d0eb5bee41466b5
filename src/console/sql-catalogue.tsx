// The datasets and macros beside a query, with their columns. A chosen name goes into the query.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Catalogue, type ColumnDocs, fetchCatalogue } from "./catalogue.ts";
import { FailureLine, StateLine } from "./state-line.tsx";

function Columns({ columns, onName }: { columns: readonly ColumnDocs[]; onName: (name: string) => void }) {
  return (
    <ul class="columns">
      {columns.map(({ name, type, unit, description }) => (
        <li key={name}>
          <button type="button" class="name" title={description} onClick={() => onName(name)}>
            {name}
          </button>{" "}
          <span class="quiet">
            {type}
            {unit === null ? "" : `, ${unit}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

interface Entry {
  readonly name: string;
  /** The text that goes into a query. */
  readonly text: string;
  readonly description: string;
  readonly returns: string | null;
  readonly columns: readonly ColumnDocs[];
}

function Entries({
  title,
  entries,
  onName,
}: {
  title: string;
  entries: readonly Entry[];
  onName: (name: string) => void;
}) {
  return (
    <>
      <h2>
        {title} <span class="quiet">{entries.length}</span>
      </h2>
      {entries.map(({ name, text, description, returns, columns }) => (
        <details key={name} class="entry">
          <summary>{text}</summary>
          <p class="quiet">{description}</p>
          <p>
            <button type="button" onClick={() => onName(text)}>
              Put into the query
            </button>
          </p>
          {returns === null ? "" : <p>Gives {returns}.</p>}
          <Columns columns={columns} onName={onName} />
        </details>
      ))}
    </>
  );
}

const fits = (word: string, { name, columns }: Entry): boolean =>
  name.includes(word) || columns.some((column) => column.name.includes(word));

export function SqlCatalogue({ onName }: { onName: (name: string) => void }) {
  const catalogue = useSignal<Catalogue | null>(null);
  const failure = useSignal<unknown>(null);
  const word = useSignal("");
  useEffect(() => {
    fetchCatalogue().then(
      (found) => {
        catalogue.value = found;
      },
      (error: unknown) => {
        failure.value = error;
      },
    );
  }, [catalogue, failure]);
  if (failure.value !== null) return <FailureLine error={failure.value} />;
  if (catalogue.value === null) return <StateLine state="loading" />;
  const { datasets, macros } = catalogue.value;
  const tables = datasets.map((each) => ({ ...each, text: each.name, returns: null }));
  const calls = macros.map((each) => ({ ...each, text: each.call }));
  const shown = (entries: readonly Entry[]) => entries.filter((entry) => fits(word.value, entry));
  return (
    <>
      <input
        id="catalogue-word"
        type="search"
        placeholder="Name or column"
        aria-label="Filter by name or column"
        onInput={({ currentTarget }) => {
          word.value = currentTarget.value.trim().toLowerCase();
        }}
      />
      <Entries title="Datasets" entries={shown(tables)} onName={onName} />
      <Entries title="Macros" entries={shown(calls)} onName={onName} />
    </>
  );
}
