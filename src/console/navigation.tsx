// Links to the pages that are not about one company.
import { linkTo } from "./links.ts";
import { ThemeChoice } from "./theme-choice.tsx";

/** The address of a page, its name, and what the addresses of its neighbours begin with. */
const PAGES = [
  ["/", "Service", "/"],
  ["/market/movers", "Market", "/market/"],
  ["/data/datasets", "Data", "/data/"],
  ["/sql", "SQL", "/sql"],
] as const;

const isAt = (start: string): boolean =>
  start.length > 1 && start.endsWith("/") ? location.pathname.startsWith(start) : location.pathname === start;

export function Navigation() {
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
