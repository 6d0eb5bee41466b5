// Sorted tables: TanStack Table over Preact's signals. A component that reads a table's rows is drawn again
// when the order changes.
import { batch, computed, effect, type ReadonlySignal, signal, untracked } from "@preact/signals";
import {
  type ColumnDef,
  constructTable,
  createSortedRowModel,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
} from "@tanstack/table-core";
import type { TableReactivityBindings } from "@tanstack/table-core/reactivity";

/**
 * The value by which a row is sorted in one column; undefined: unknown, which stands last in either
 * direction.
 */
export type SortValue = number | string | boolean | undefined;

type Observed<T> = ((value: T) => void) | { next?: (value: T) => void };

/** A signal in the shape that the library reads. */
const readable = <T>(source: ReadonlySignal<T>) => ({
  get: () => source.value,
  subscribe(observer: Observed<T>) {
    const next = typeof observer === "function" ? observer : (value: T) => observer.next?.(value);
    return { unsubscribe: effect(() => next(source.value)) };
  },
});

function writable<T>(initial: T) {
  const source = signal(initial);
  return {
    ...readable(source),
    set(next: T | ((before: T) => T)) {
      source.value = typeof next === "function" ? (next as (before: T) => T)(source.peek()) : next;
    },
  };
}

const SIGNALS: TableReactivityBindings = {
  createOptionsStore: false,
  wrapExternalAtoms: false,
  addSubscription: () => {},
  createWritableAtom: writable,
  createReadonlyAtom: (compute) => readable(computed(compute)),
  untrack: untracked,
  batch,
  schedule: queueMicrotask,
};

const features = tableFeatures({
  coreReactivityFeature: SIGNALS,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
});

/** Texts with numbers in them stand in the order of the numbers. */
const COLLATOR = new Intl.Collator("en", { numeric: true });

export function compareValues(a: SortValue, b: SortValue): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return COLLATOR.compare(String(a), String(b));
}

export const unsorted = () => writable<SortingState>([]);

export type Sorting = ReturnType<typeof unsorted>;

/** A table of `width` columns, which are named by their places. `valueAt` says what a row is sorted by. */
export function sortedTable<T>(
  rows: readonly T[],
  width: number,
  valueAt: (row: T, column: number) => SortValue,
  sorting: Sorting,
) {
  const columns = Array.from(
    { length: width },
    (_, at): ColumnDef<typeof features, T & object> => ({
      id: String(at),
      accessorFn: (row) => valueAt(row, at),
      sortUndefined: "last",
      sortDescFirst: false,
      sortFn: (a, b, id) => compareValues(a.getValue(id), b.getValue(id)),
    }),
  );
  return constructTable({
    features,
    columns,
    data: rows as readonly (T & object)[],
    atoms: { sorting },
  });
}

export type SortedTable<T> = ReturnType<typeof sortedTable<T>>;
