// Links to the pages that are not about one company.
import { linkTo } from "./links.ts";

const PAGES = [
  ["/", "Service"],
  ["/sql", "SQL"],
] as const;

export function Navigation() {
  return (
    <nav aria-label="Pages">
      {PAGES.map(([path, name]) => (
        <a key={path} href={linkTo(path)} aria-current={location.pathname === path ? "page" : undefined}>
          {name}
        </a>
      ))}
      <a href="/docs">API reference</a>
    </nav>
  );
}
