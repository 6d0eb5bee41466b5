// Who belongs together: what one request or job has under way at once is one party wherever many wait for one thing.
import { AsyncLocalStorage } from "node:async_hooks";

const parties = new AsyncLocalStorage<object>();

/** Runs `work` as one party; inside of one it stays part of that. */
export const withFairnessKey = <T>(work: () => T): T => (parties.getStore() ? work() : parties.run({}, work));

/** The party of whoever asks; undefined for one who came alone. */
export const fairnessKey = (): object | undefined => parties.getStore();
