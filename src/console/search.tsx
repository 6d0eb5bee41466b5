// Search with completion over tickers and names: `/` focuses it, arrows choose, enter opens.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { fetchJson, type List, pathOf } from "./api.ts";
import { tickerLink } from "./links.ts";

interface Listing {
  readonly ticker: string;
  readonly name: string | null;
  readonly exchange: string | null;
  readonly is_active: boolean | null;
}

const SHOWN_MAX = 8;
const PAUSE_MS = 120;

/** Finds listings as of the shown date. A registry that cannot be read gives no completion; a ticker opens without it. */
async function find(text: string): Promise<readonly Listing[]> {
  const asOf = new URLSearchParams(location.search).get("as_of");
  const query = { q: text, limit: SHOWN_MAX, as_of: asOf };
  return (await fetchJson<List<Listing>>(pathOf("/universe/registry", query)).catch(() => ({ data: [] })))
    .data;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

/** Focuses the field at `/`, unless something is being typed. */
function useSlash(field: { readonly current: HTMLInputElement | null }): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
      event.preventDefault();
      field.current?.focus();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [field]);
}

/** The found listings, the chosen one (-1: the text as typed) and what changes them. */
function useCompletion() {
  const found = useSignal<readonly Listing[]>([]);
  const chosen = useSignal(-1);
  const timer = useRef(0);
  const close = () => {
    clearTimeout(timer.current);
    found.value = [];
    chosen.value = -1;
  };
  const change = (text: string) => {
    close();
    if (text === "") return;
    timer.current = window.setTimeout(async () => {
      const mine = timer.current;
      const listings = await find(text);
      if (mine === timer.current) found.value = listings;
    }, PAUSE_MS);
  };
  const move = (step: number) => {
    const places = found.value.length + 1;
    chosen.value = ((chosen.value + 1 + step + places) % places) - 1;
  };
  return { found, chosen, close, change, move };
}

const open = (ticker: string) => {
  location.href = tickerLink(ticker);
};

export function Search() {
  const field = useRef<HTMLInputElement>(null);
  useSlash(field);
  const { found, chosen, close, change, move } = useCompletion();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      move(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Escape") close();
    else if (event.key === "Enter") {
      event.preventDefault();
      const ticker = found.value[chosen.value]?.ticker ?? field.current?.value.trim() ?? "";
      if (ticker !== "") open(ticker);
    }
  };
  return (
    <search class="search">
      <input
        id="search"
        ref={field}
        type="search"
        placeholder="Ticker or name ( / )"
        aria-label="Ticker or name"
        // biome-ignore lint/a11y/noRedundantRoles: without the attribute `list` the role would be that of a search field
        role="combobox"
        list={undefined}
        aria-expanded={found.value.length > 0}
        aria-controls="found"
        aria-autocomplete="list"
        aria-activedescendant={chosen.value < 0 ? undefined : `found-${chosen.value}`}
        autocomplete="off"
        spellcheck={false}
        maxLength={60}
        onInput={(event) => change(event.currentTarget.value.trim())}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      <div id="found" role="listbox" aria-label="Listings" hidden={found.value.length === 0}>
        {found.value.map(({ ticker, name, exchange, is_active }, i) => (
          <div
            key={ticker}
            id={`found-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === chosen.value}
            // Before the field loses the focus, which closes the list.
            onMouseDown={() => open(ticker)}
          >
            <strong>{ticker}</strong> {name ?? ""}{" "}
            <span class="quiet">
              {exchange ?? ""}
              {is_active === false ? ", delisted" : ""}
            </span>
          </div>
        ))}
      </div>
    </search>
  );
}
