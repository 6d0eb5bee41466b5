// The page of an address that has none.
import { render } from "preact";
import { byId } from "./elements.ts";
import { linkTo } from "./links.ts";
import { NoSuchPage } from "./panel-parts.tsx";
import { showTop } from "./top.tsx";

showTop();
render(
  <>
    <h1>No such page</h1>
    <div class="grid">
      <section class="wide">
        <NoSuchPage />
        <p>
          The address is <code>{location.pathname}</code>. Search for a company above, or begin with{" "}
          <a href={linkTo("/")}>the state of the service</a> or{" "}
          <a href={linkTo("/market/movers")}>the market</a>.
        </p>
      </section>
    </div>
  </>,
  byId("main"),
);
