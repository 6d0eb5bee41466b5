// Turns of the event loop: how long work leaves room for other requests.

/** Resolves after one turn of the event loop: requests that arrived meanwhile are answered first. */
export const yieldToEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve));
