// The filings of a company, newest first, with a filter by form and the regulator's full-text search.

import { useSignal } from "@preact/signals";
import type { FilingSummary as Filing } from "../capabilities/filings/schema.ts";
import { underClock } from "./answer.ts";
import { filedCell } from "./cells.tsx";
import { withParameters } from "./links.ts";
import { type ListColumn, ListTable, options, Panel } from "./panel-parts.tsx";

/** Kinds of filings, each with all its forms: the service matches forms exactly. */
const KINDS: readonly (readonly [name: string, forms: string])[] = [
  ["All forms", ""],
  ["Annual reports", "10-K,10-K/A,10-KT,20-F,20-F/A,40-F,40-F/A"],
  ["Quarterly reports", "10-Q,10-Q/A,10-QT"],
  ["Current reports", "8-K,8-K/A,6-K,6-K/A"],
  ["Insiders", "3,3/A,4,4/A,5,5/A,144"],
  [
    "Large holders",
    "SCHEDULE 13D,SCHEDULE 13D/A,SCHEDULE 13G,SCHEDULE 13G/A,SC 13D,SC 13D/A,SC 13G,SC 13G/A",
  ],
  ["Proxy statements", "DEF 14A,DEFA14A,PRE 14A"],
  ["Funds", "NPORT-P,NPORT-P/A"],
];

const PAGE_ROWS = 500;

const columnsFor = (ticker: string): readonly ListColumn<Filing>[] => [
  { name: "known from", cell: (row) => filedCell(row, ticker) },
  { name: "form", cell: ({ form_type }) => form_type },
  { name: "items", isExtra: true, cell: ({ items }) => items?.join(", ") ?? null },
  { name: "filed", isExtra: true, cell: ({ filing_date }) => filing_date },
  { name: "period", isExtra: true, cell: ({ report_date }) => report_date },
  { name: "filer", isExtra: true, cell: ({ company_name }) => company_name },
  { name: "accession", isExtra: true, cell: ({ accession_number }) => accession_number },
];

interface Asked {
  readonly forms: string;
  readonly words: string;
}

function askedOf(search: string): Asked {
  const query = new URLSearchParams(search);
  return { forms: query.get("form_type") ?? "", words: query.get("q") ?? "" };
}

/** The field of forms: the kinds, and the given forms where they are none of these. */
function FormSelect({ forms, onChange }: { forms: string; onChange: (forms: string) => void }) {
  const isKind = KINDS.some(([, each]) => each === forms);
  return (
    <label>
      Forms{" "}
      <select id="forms" value={forms} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {isKind ? null : <option value={forms}>{forms}</option>}
        {options(KINDS.map(([name, each]) => [each, name]))}
      </select>
    </label>
  );
}

export function FilingsPage({ ticker }: { ticker: string }) {
  const asked = useSignal(askedOf(location.search));
  const show = (next: Asked) => {
    asked.value = next;
    history.replaceState(null, "", withParameters({ form_type: next.forms || null, q: next.words || null }));
  };
  const { forms, words } = asked.value;
  const path = underClock("/filings/search", {
    ticker,
    form_type: forms,
    q: words,
    limit: PAGE_ROWS,
  });
  return (
    <Panel id="filings" title="Filings">
      <form
        class="actions"
        onSubmit={(event) => {
          event.preventDefault();
          const field = event.currentTarget.elements.namedItem("q") as HTMLInputElement;
          show({ forms, words: field.value.trim() });
        }}
      >
        <FormSelect forms={forms} onChange={(next) => show({ forms: next, words })} />
        <label>
          Words in documents{" "}
          <input
            id="words"
            name="q"
            type="search"
            maxLength={300}
            placeholder={'"stock split"'}
            defaultValue={words}
          />
        </label>
        <button type="submit">Search</button>
      </form>
      <ListTable
        label="Filings"
        path={path}
        columns={columnsFor(ticker)}
        empty={
          words === ""
            ? "No filings of these forms were public."
            : "No document of these forms has these words."
        }
      />
    </Panel>
  );
}
