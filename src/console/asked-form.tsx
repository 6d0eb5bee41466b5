// Fields above a list: what they hold is in the address of the page, so that a link reproduces the list.
import { type Signal, useSignal } from "@preact/signals";
import { withParameters } from "./links.ts";

export interface AskedField {
  readonly name: string;
  readonly label: string;
  /** The value of the request where the address has none. */
  readonly usual: string;
  /** A date has a last day; words are offered as a choice. */
  readonly last?: string;
  readonly words?: readonly (readonly [value: string, shown: string])[];
  readonly pattern?: string;
  readonly placeholder?: string;
}

export type AskedValues = Readonly<Record<string, string>>;

/** Returns the address's values, and a field's usual value where the address has none. */
export function useAsked(fields: readonly AskedField[]): Signal<AskedValues> {
  const query = new URLSearchParams(location.search);
  return useSignal<AskedValues>(
    Object.fromEntries(
      fields.map(({ name, usual, last }) => {
        const given = query.get(name) ?? usual;
        return [name, last !== undefined && given > last ? last : given];
      }),
    ),
  );
}

const idOf = (name: string): string => `asked-${name}`;

function Field({ field, value }: { field: AskedField; value: string }) {
  const { name, last, words, pattern, placeholder } = field;
  if (words)
    return (
      <select id={idOf(name)} name={name}>
        {words.map(([each, shown]) => (
          <option key={each} value={each} selected={each === value}>
            {shown}
          </option>
        ))}
      </select>
    );
  if (last !== undefined)
    return <input id={idOf(name)} name={name} type="date" max={last} required defaultValue={value} />;
  return (
    <input id={idOf(name)} name={name} pattern={pattern} placeholder={placeholder} defaultValue={value} />
  );
}

/** The fields with a button; the list is asked again when they are sent. */
export function AskedForm({ fields, asked }: { fields: readonly AskedField[]; asked: Signal<AskedValues> }) {
  return (
    <form
      class="actions"
      onSubmit={(event) => {
        event.preventDefault();
        const data = new FormData(event.currentTarget);
        const next = Object.fromEntries(
          fields.map(({ name }) => [name, String(data.get(name) ?? "").trim()]),
        );
        asked.value = next;
        const shown = fields.map(({ name, usual }) => [
          name,
          next[name] === usual ? null : (next[name] ?? null),
        ]);
        history.replaceState(null, "", withParameters(Object.fromEntries(shown)));
      }}
    >
      {fields.map((field) => (
        <label key={field.name} for={idOf(field.name)}>
          {field.label} <Field field={field} value={asked.value[field.name] ?? ""} />
        </label>
      ))}
      <button type="submit">Show</button>
    </form>
  );
}
