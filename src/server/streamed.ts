// Marks a response whose body is a stream, for the edge: it is sent in turns and never collected. The mark is
// not sent.

const MARK = "x-internal-streamed";

export const markStreamed = (headers: Headers): void => headers.set(MARK, "1");

export const isStreamed = (headers: Headers): boolean => headers.has(MARK);

/** Whether the response was marked; removes the mark. */
export function takeStreamed(headers: Headers): boolean {
  const isMarked = isStreamed(headers);
  if (isMarked) headers.delete(MARK);
  return isMarked;
}
