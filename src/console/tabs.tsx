// Links between pages that belong together.

/** Path below the pages' common one, and name. */
export type Tab = readonly [path: string, name: string];

/** `page` is the path of the shown one. */
export function Tabs({
  label,
  tabs,
  page,
  hrefOf,
}: {
  label: string;
  tabs: readonly Tab[];
  page: string;
  hrefOf: (path: string) => string;
}) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(([path, name]) => (
        <a key={path} href={hrefOf(path)} aria-current={path === page ? "page" : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}
