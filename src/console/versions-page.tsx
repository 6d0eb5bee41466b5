// The versions of the store, newest first, and the names that were given to them.

import { useSignal } from "@preact/signals";
import type { Version } from "../capabilities/versions/schema.ts";
import { ask, pathOf } from "./api.ts";
import { count, minute } from "./format.ts";
import { withParameters } from "./links.ts";
import { type ListColumn, ListTable, Panel } from "./panel-parts.tsx";
import { FailureLine } from "./state-line.tsx";

const PAGE_ROWS = 500;

/** Describes the rows that a commit wrote; null where they were not noted. */
function writtenBy({ rows }: Version): string | null {
  if (rows === null) return null;
  const parts = Object.entries(rows).map(([dataset, each]) => `${dataset} ${count(each)}`);
  return parts.length === 0 ? "no row" : parts.join(", ");
}

const COLUMNS: readonly ListColumn<Version>[] = [
  {
    name: "version",
    title: "Leads to the page as of this version",
    cell: ({ data_version }) => {
      const text = String(data_version);
      return { text, shown: <a href={withParameters({ data_version: text })}>{text}</a> };
    },
  },
  { name: "stored", cell: ({ recorded_at }) => (recorded_at === null ? null : minute(recorded_at)) },
  {
    name: "names",
    isExtra: true,
    cell: ({ names }) =>
      names.map(({ name, note }) => (note === null ? name : `${name} (${note})`)).join(", ") || null,
  },
  { name: "rows that it wrote", isExtra: true, cell: writtenBy },
];

const fieldOf = (form: HTMLFormElement, name: string): string =>
  (form.elements.namedItem(name) as HTMLInputElement).value.trim();

function NameForm({ onNamed }: { onNamed: () => void }) {
  const failure = useSignal<unknown>(null);
  const name = async (form: HTMLFormElement) => {
    const version = fieldOf(form, "version");
    const note = fieldOf(form, "note");
    try {
      await ask("/versions/admin/names", {
        body: {
          name: fieldOf(form, "name"),
          ...(version === "" ? {} : { data_version: Number(version) }),
          ...(note === "" ? {} : { note }),
        },
      });
      failure.value = null;
      form.reset();
      onNamed();
    } catch (error) {
      failure.value = error;
    }
  };
  return (
    <form
      id="give-name"
      class="actions"
      onSubmit={(event) => {
        event.preventDefault();
        void name(event.currentTarget);
      }}
    >
      <label>
        Name <input name="name" required pattern="[a-z][a-z0-9._\-]{0,63}" placeholder="q3-paper" />
      </label>
      <label>
        Version <input name="version" inputMode="numeric" pattern="[0-9]{0,15}" placeholder="newest" />
      </label>
      <label>
        Note <input name="note" maxLength={1_000} />
      </label>
      <button type="submit">Give the name</button>
      {failure.value === null ? null : <FailureLine error={failure.value} />}
    </form>
  );
}

export function VersionsPage() {
  const named = useSignal(false);
  const round = useSignal(0);
  return (
    <Panel id="versions" title="Versions of the store">
      <p>
        Every commit is a version. The same request with <code>data_version</code> gives the same rows again.
        A name keeps a version easy to find.
      </p>
      <NameForm
        onNamed={() => {
          round.value += 1;
        }}
      />
      <p class="actions">
        <label>
          <input
            id="named"
            type="checkbox"
            checked={named.value}
            onChange={({ currentTarget }) => {
              named.value = currentTarget.checked;
            }}
          />{" "}
          Only those with a name
        </label>
      </p>
      <ListTable
        key={round.value}
        label="Versions"
        path={pathOf("/versions", { named: named.value ? true : null, limit: PAGE_ROWS })}
        columns={COLUMNS}
        empty="No version has a name."
      />
    </Panel>
  );
}
