// The tables and macros that SQL can read, as the service describes them.
import { fetchJson } from "./api.ts";

export interface ColumnDocs {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly unit: string | null;
  readonly description: string;
}
export interface DatasetDocs {
  readonly name: string;
  readonly description: string;
  readonly key: readonly string[];
  readonly keeps: string;
  readonly columns: readonly ColumnDocs[];
}
export interface MacroDocs {
  readonly name: string;
  readonly call: string;
  readonly description: string;
  readonly returns: string | null;
  readonly columns: readonly ColumnDocs[];
}
export interface Catalogue {
  readonly datasets: readonly DatasetDocs[];
  readonly macros: readonly MacroDocs[];
}

export const fetchCatalogue = (): Promise<Catalogue> => fetchJson<Catalogue>("/database/catalogue");
