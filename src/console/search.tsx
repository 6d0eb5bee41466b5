// Search with completion over tickers and names: `/` focuses it, arrows choose, enter opens.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { tickerLink } from "./links.ts";
import { findListings, type Listing } from "./listings.ts";
import { FailureLine, StateLine } from "./state-line.tsx";
import { stateOfEmpty } from "./states.ts";
import { capitals, isTicker } from "./ticker-path.ts";

const PAUSE_MS = 120;

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

/** The note below the field where no listing is shown: none matches, or why none could be looked for. */
type Note =
  | { readonly kind: "none"; readonly state: ReturnType<typeof stateOfEmpty> }
  | { readonly kind: "failure"; readonly error: unknown };

/** The found listings, the chosen one (-1: the text as typed) and what changes them. */
function useCompletion() {
  const found = useSignal<readonly Listing[]>([]);
  const note = useSignal<Note | null>(null);
  const chosen = useSignal(-1);
  const timer = useRef(0);
  const close = () => {
    clearTimeout(timer.current);
    timer.current = 0;
    found.value = [];
    note.value = null;
    chosen.value = -1;
  };
  /** Shows the listings of a text, after a pause in which it may change. */
  const look = async (text: string, pauseMs: number) => {
    close();
    if (text === "") return;
    await new Promise<void>((resolve) => {
      timer.current = window.setTimeout(resolve, pauseMs);
    });
    const mine = timer.current;
    const answer = await findListings(text).catch((error: unknown) => ({ error }));
    if (mine !== timer.current) return;
    if ("error" in answer) note.value = { kind: "failure", error: answer.error };
    else if (answer.data.length === 0)
      note.value = { kind: "none", state: stateOfEmpty(answer.warnings ?? []) };
    else found.value = answer.data;
  };
  const move = (step: number) => {
    const places = found.value.length + 1;
    chosen.value = ((chosen.value + 1 + step + places) % places) - 1;
  };
  return { found, note, chosen, close, look, move };
}

/** A ticker opens without completion too. */
function NoteLine({ note }: { note: Note }) {
  if (note.kind === "failure") return <FailureLine error={note.error} />;
  const text =
    note.state === "empty"
      ? "No ticker and no name matches."
      : "The list of companies is not there. Enter opens what is typed as a ticker.";
  return <StateLine state={note.state} text={text} />;
}

/** The longest text that is a ticker rather than a name. */
const TICKER_CHARS = 5;

/** Whether a text that is sent without a choice means itself as a ticker, not the beginning of a name. */
// "zorpx" opens a ticker's page; "zorp dynamics" and "zorpdy" search.
const isMeant = (text: string, found: readonly Listing[]): boolean =>
  isTicker(text) &&
  (text.length <= TICKER_CHARS || found.some(({ ticker }) => ticker === text.toUpperCase()));

const open = (ticker: string) => {
  location.href = tickerLink(capitals(ticker));
};

function FoundListings({ found, chosen }: { found: readonly Listing[]; chosen: number }) {
  return (
    <div id="found" role="listbox" aria-label="Listings" hidden={found.length === 0}>
      {found.map(({ ticker, name, exchange, is_active }, i) => (
        <div
          key={ticker}
          id={`found-${i}`}
          role="option"
          tabIndex={-1}
          aria-selected={i === chosen}
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
  );
}

export function Search() {
  const field = useRef<HTMLInputElement>(null);
  useSlash(field);
  const { found, note, chosen, close, look, move } = useCompletion();
  /**
   * Opens the chosen listing, the text as a ticker, or the first listing of a name, which may not be there
   * yet.
   */
  const enter = async (text: string) => {
    const listing = found.value[chosen.value];
    if (listing) return open(listing.ticker);
    if (isMeant(text, found.value)) return open(text);
    if (found.value.length === 0) await look(text, 0);
    const [first] = found.value;
    if (first) open(isMeant(text, found.value) ? text : first.ticker);
    else if (isTicker(text)) open(text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      move(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Escape") close();
    else if (event.key === "Enter") {
      event.preventDefault();
      void enter(field.current?.value.trim() ?? "");
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
        // Without the attribute `list` the role would be that of a search field.
        // biome-ignore lint/a11y/noRedundantRoles: see above
        role="combobox"
        list={undefined}
        aria-expanded={found.value.length > 0}
        aria-controls="found"
        aria-autocomplete="list"
        aria-activedescendant={chosen.value < 0 ? undefined : `found-${chosen.value}`}
        autocomplete="off"
        spellcheck={false}
        maxLength={60}
        onInput={(event) => void look(event.currentTarget.value.trim(), PAUSE_MS)}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      <FoundListings found={found.value} chosen={chosen.value} />
      <div id="found-note" role="status" hidden={note.value === null}>
        {note.value === null ? null : <NoteLine note={note.value} />}
      </div>
    </search>
  );
}
