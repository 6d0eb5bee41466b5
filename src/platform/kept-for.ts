// A value that takes time to make, kept for a while: all callers of that time have the same one.

/** Gives what `make` made less than `ms` ago, or makes it. What failed is made again at the next call. */
export function keptFor<T>(ms: number, nowMs: () => number, make: () => Promise<T>): () => Promise<T> {
  let kept: { readonly atMs: number; readonly value: Promise<T> } | undefined;
  return () => {
    const now = nowMs();
    if (kept && now >= kept.atMs && now - kept.atMs < ms) return kept.value;
    const mine = { atMs: now, value: make() };
    kept = mine;
    mine.value.catch(() => {
      if (kept === mine) kept = undefined;
    });
    return mine.value;
  };
}
