// The SQL page: a query, its answer, and what there is to query.
import { render } from "preact";
import { byId } from "./elements.ts";
import { SqlPage } from "./sql-page.tsx";
import { showTop } from "./top.tsx";

showTop();
render(<SqlPage />, byId("main"));
