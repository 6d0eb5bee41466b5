// The pages about the store: its datasets, its versions, the ledger of changes, and the jobs that fill it.
import { type ComponentType, render } from "preact";
import { ChangesPage } from "./changes-page.tsx";
import { DatasetsPage } from "./datasets-page.tsx";
import { byId } from "./elements.ts";
import { JobsPage } from "./jobs-page.tsx";
import { linkTo } from "./links.ts";
import { NoSuchPage } from "./panel-parts.tsx";
import { Tabs } from "./tabs.tsx";
import { showTop } from "./top.tsx";
import { VersionsPage } from "./versions-page.tsx";

const PAGES: Readonly<Record<string, readonly [title: string, page: ComponentType]>> = {
  datasets: ["Datasets", DatasetsPage],
  versions: ["Versions", VersionsPage],
  changes: ["Changes", ChangesPage],
  jobs: ["Jobs", JobsPage],
};

const [, , name = ""] = location.pathname.split("/");
const [title, Page] = PAGES[name] ?? ["No such page", NoSuchPage];
showTop();
document.title = `${title} – Asof`;
render(
  <>
    <h1>{title}</h1>
    <Tabs
      label="Pages of the store"
      tabs={Object.entries(PAGES).map(([path, [each]]) => [path, each])}
      page={name}
      hrefOf={(path) => linkTo(`/data/${path}`)}
    />
    <div class="grid">
      <Page />
    </div>
  </>,
  byId("main"),
);
