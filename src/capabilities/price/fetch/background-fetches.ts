// Fetches many symbols apart from the requests for them: a request waits a while, and fetching goes on after
// its answer.
import { AsyncLocalStorage } from "node:async_hooks";
import { PRICES_WAITING_MAX } from "../../../limits.ts";
import type { Services } from "../../../market/services.ts";
import { AsofError, Busy, NotRead, StorageUnavailable } from "../../../platform/errors.ts";
import { currentReading, type Reading, sharedReading } from "../../../platform/reading.ts";
import { withFairnessKey } from "../../../platform/upstream/fairness.ts";
import type { Fetched } from "../fetched.ts";
import type { WindowFetch } from "./fetch-window.ts";

/** Fetches under way at once, of all requests together: enough to keep the provider's pace. */
const AT_ONCE = 16;
const RETRY_AFTER_S = 60;

export type WindowToFetch = Omit<WindowFetch, "signal">;
type FetchWindow = (fetch: WindowFetch) => Promise<Fetched | null>;

/** The fetch of a window of one symbol, by whichever requests miss it. */
interface Fetch {
  readonly key: string;
  readonly window: WindowToFetch;
  /** The list in which it waits for its turn. */
  list: Map<string, Fetch>;
  readonly outcome: PromiseWithResolvers<Fetched | null>;
  /** The reading of the fetch: the version of the store that it sees. */
  readonly reading: Reading;
}

const windowKey = ({ symbol, window, source }: WindowToFetch) =>
  `${source.name} ${symbol} ${window.start} ${window.end}`;

/** Resolves like the fetch; rejects with the reason of `over` when that comes first. */
function awaitFetch({ outcome, reading }: Fetch, over: AbortSignal): Promise<Fetched | null> {
  const ended = Promise.withResolvers<Fetched | null>();
  const leave = () => ended.reject(over.reason);
  if (over.aborted) leave();
  over.addEventListener("abort", leave, { once: true });
  outcome.promise.then(ended.resolve, ended.reject);
  return ended.promise.finally(() => {
    over.removeEventListener("abort", leave);
    currentReading()?.absorb(reading);
  });
}

/** The fetches that one request waits for. */
export interface AwaitedFetches {
  /** Resolves like the fetch of this symbol; throws NotRead when it has not ended in time. */
  of(symbol: string): Promise<Fetched | null>;
  /** Stops waiting. */
  end(): void;
}

/** How long a request waits. */
interface Wait {
  readonly waitS: number;
  readonly signal: AbortSignal | undefined;
}

export class BackgroundFetches {
  readonly #stopping = new AbortController();
  readonly #fetches = new Map<string, Fetch>();
  /**
   * The waiting fetches, a list for each request. The lists take turns, so that no request waits for all of
   * another.
   */
  readonly #lists: Map<string, Fetch>[] = [];
  readonly #running = new Set<Promise<void>>();
  /** Runs work apart from the request that started it; all of it takes one turn among other requests. */
  readonly #apart = withFairnessKey(() => AsyncLocalStorage.snapshot());

  constructor(
    private readonly fetchWindow: FetchWindow,
    private readonly deps: Pick<Services, "clock" | "log">,
  ) {}

  isBusy(): boolean {
    return this.#fetches.size > 0;
  }

  /** Fetches windows of symbols, or joins their fetches; they go on whatever becomes of the request. */
  begin(windows: readonly WindowToFetch[], { waitS, signal }: Wait): AwaitedFetches {
    this.#stopping.signal.throwIfAborted();
    const list = new Map<string, Fetch>();
    const own = new Map(windows.map((window) => [window.symbol, this.#queue(window, list)]));
    this.#lists.push(list);
    const [over, timer] = [new AbortController(), new AbortController()];
    const ends = signal ? AbortSignal.any([timer.signal, signal]) : timer.signal;
    this.deps.clock.sleep(waitS * 1000, ends).then(
      () => over.abort(),
      () => over.abort(signal?.reason),
    );
    this.#fill();
    const of = async (symbol: string) => {
      const fetch = own.get(symbol);
      if (!fetch)
        throw new Busy("upstream_busy", `${PRICES_WAITING_MAX} symbols wait to be fetched already.`, {
          retryAfterS: RETRY_AFTER_S,
          hint: "Ask again later.",
        });
      try {
        return await awaitFetch(fetch, over.signal);
      } catch (error) {
        if (error !== over.signal.reason || signal?.aborted) throw error;
        const message = `${symbol} is not read yet: it is read in the background. Ask again for it.`;
        throw new NotRead(message, { ticker: symbol });
      }
    };
    return { of, end: () => timer.abort() };
  }

  /** Starts no further fetch and waits for those in progress. */
  async stop(): Promise<void> {
    const reason = new Error("the service is stopping");
    this.#stopping.abort(reason);
    this.#drop(reason);
    await Promise.all(this.#running);
  }

  /** Puts a fetch into the list, also one that waits in another request's; undefined when too many wait. */
  #queue(window: WindowToFetch, list: Map<string, Fetch>): Fetch | undefined {
    const key = windowKey(window);
    const known = this.#fetches.get(key);
    if (known) {
      if (known.list.delete(key)) list.set(key, known);
      known.list = list;
      return known;
    }
    if (this.#fetches.size >= PRICES_WAITING_MAX) return undefined;
    const outcome = Promise.withResolvers<Fetched | null>();
    outcome.promise.catch(() => {});
    const fetch: Fetch = { key, window, list, outcome, reading: sharedReading() };
    this.#fetches.set(key, fetch);
    list.set(key, fetch);
    return fetch;
  }

  #next(): Fetch | undefined {
    for (let list = this.#lists.shift(); list; list = this.#lists.shift()) {
      const [first] = list.values();
      if (!first) continue;
      list.delete(first.key);
      if (list.size > 0) this.#lists.push(list);
      return first;
    }
    return undefined;
  }

  #fill(): void {
    while (this.#running.size < AT_ONCE) {
      const fetch = this.#next();
      if (!fetch) return;
      this.#start(fetch);
    }
  }

  #start({ key, window, reading, outcome }: Fetch): void {
    const { signal } = this.#stopping;
    const work = this.#apart(() => reading.run(() => this.fetchWindow({ ...window, signal })))
      .then(outcome.resolve, (error: unknown) => {
        outcome.reject(error);
        this.#noteFailure(error);
      })
      .finally(() => {
        this.#fetches.delete(key);
        this.#running.delete(work);
        this.#fill();
      });
    this.#running.add(work);
  }

  /**
   * A provider's failure concerns one symbol; where the store fails, every other fetch would be for nothing
   * too.
   */
  #noteFailure(error: unknown): void {
    const isProviders = error instanceof AsofError && !(error instanceof StorageUnavailable);
    if (isProviders || this.#stopping.signal.aborted) return;
    const message = "prices are not fetched any further: they could not be stored";
    this.deps.log.error(message, { error, symbols: this.#fetches.size });
    this.#drop(error);
  }

  /** Gives up everything that waits. */
  #drop(reason: unknown): void {
    for (let fetch = this.#next(); fetch; fetch = this.#next()) {
      this.#fetches.delete(fetch.key);
      fetch.outcome.reject(reason);
    }
  }
}
