// The page of one filing: what it reports, and its documents as text.
import { render } from "preact";
import { byId } from "./elements.ts";
import { FilingPage } from "./filing-page.tsx";
import { showTop } from "./top.tsx";

showTop();
render(<FilingPage />, byId("main"));
