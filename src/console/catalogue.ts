// The tables and macros that SQL can read, as the service describes them.
import type { Catalogue } from "../capabilities/database/schema.ts";
import { fetchJson } from "./api.ts";

export type { Catalogue };
export type DatasetDocs = Catalogue["datasets"][number];
export type ColumnDocs = DatasetDocs["columns"][number];
export type MacroDocs = Catalogue["macros"][number];

export const fetchCatalogue = (): Promise<Catalogue> => fetchJson<Catalogue>("/database/catalogue");
