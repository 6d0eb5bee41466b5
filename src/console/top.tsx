// The top of every page: search, clock, navigation, and the state of the server.
import { render } from "preact";
import { Clock, ClockLine } from "./clock.tsx";
import { watchConnection } from "./connection.ts";
import { ConnectionLine } from "./connection-line.tsx";
import { byId } from "./elements.ts";
import { linkTo } from "./links.ts";
import { Navigation } from "./navigation.tsx";
import { Search } from "./search.tsx";

function Top() {
  return (
    <>
      <header>
        <a class="brand" href={linkTo("/")}>
          Asof
        </a>
        <Search />
        <Clock />
        <Navigation />
      </header>
      <aside aria-label="What the page shows">
        <ConnectionLine />
        <ClockLine />
      </aside>
    </>
  );
}

/** Draws the top of the page and watches the server. */
export function showTop(): void {
  render(<Top />, byId("top"));
  watchConnection();
}
