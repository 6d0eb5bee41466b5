// The top of every page: search, clock, navigation, and the state of the server.
import { render } from "preact";
import { Clock, ClockLine } from "./clock.tsx";
import { isGone, isSample, lastAnswer, watchConnection } from "./connection.ts";
import { byId } from "./elements.ts";
import { minute } from "./format.ts";
import { linkTo } from "./links.ts";
import { Search } from "./search.tsx";
import { chooseTheme, chosenTheme, THEMES, type Theme } from "./theme.ts";

function ConnectionLine() {
  const last = lastAnswer.value;
  return (
    <>
      <p id="mode" class="mode" role="note" hidden={!isSample.value}>
        {isSample.value ? "Sample market: every company and figure here is fictional." : ""}
      </p>
      <p id="connection" class="connection" role="status" hidden={!isGone.value}>
        <strong>The server does not answer.</strong>
        {last === null
          ? ""
          : ` Its last answer was at ${minute(last.at)}${last.clock === "browser" ? ", by this browser's clock" : ""}.`}
      </p>
    </>
  );
}

const NAMES: Readonly<Record<Theme, string>> = { system: "As the system", light: "Light", dark: "Dark" };

function ThemeChoice() {
  return (
    <select
      id="theme"
      aria-label="Light or dark"
      onChange={({ currentTarget }) => {
        const theme = THEMES.find((each) => each === currentTarget.value);
        if (theme) chooseTheme(theme);
      }}
    >
      {THEMES.map((each) => (
        <option key={each} value={each} selected={each === chosenTheme()}>
          {NAMES[each]}
        </option>
      ))}
    </select>
  );
}

/** The address of a page, its name, and what the addresses of its neighbours begin with. */
const PAGES = [
  ["/", "Service", "/"],
  ["/market/movers", "Market", "/market/"],
  ["/data/datasets", "Data", "/data/"],
  ["/sql", "SQL", "/sql"],
] as const;

const isAt = (start: string): boolean =>
  start.length > 1 && start.endsWith("/") ? location.pathname.startsWith(start) : location.pathname === start;

function Navigation() {
  return (
    <nav aria-label="Pages">
      {PAGES.map(([path, name, start]) => (
        <a key={path} href={linkTo(path)} aria-current={isAt(start) ? "page" : undefined}>
          {name}
        </a>
      ))}
      <a href="/docs">API reference</a>
      <ThemeChoice />
    </nav>
  );
}

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
