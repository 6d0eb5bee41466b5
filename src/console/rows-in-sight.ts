// Which rows of a long table are in the page: those in sight and some around them.
import { useSignal } from "@preact/signals";
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type VirtualItem,
  Virtualizer,
} from "@tanstack/virtual-core";
import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";

const SPARE_ROWS = 12;

export interface RowsInSight {
  readonly items: readonly VirtualItem[];
  /** The height of the rows above and below, which are not in the page. */
  readonly above: number;
  readonly below: number;
  /** Reads the height of a row, which its text decides; the row has its place as data-index. */
  readonly measure: (row: Element | null) => void;
}

/** The mean of the measured heights, which those of the other rows are near; null where none is measured. */
function meanOf(heights: ReadonlyMap<unknown, number>): number | null {
  let sum = 0;
  for (const height of heights.values()) sum += height;
  return heights.size === 0 ? null : sum / heights.size;
}

/**
 * The keys End and Home lead to the last and first row, whose places are only known when rows are measured:
 * the browser alone stops near them.
 */
function listenForEnds(box: HTMLElement | null, rows: Virtualizer<HTMLElement, Element>): () => void {
  const listen = (event: KeyboardEvent) => {
    // Another key ends what the last one began.
    rows.cancelScroll();
    if (event.target !== box || (event.key !== "End" && event.key !== "Home")) return;
    event.preventDefault();
    if (event.key === "End") rows.scrollToEnd();
    else rows.scrollToIndex(0, { align: "start" });
  };
  box?.addEventListener("keydown", listen);
  return () => box?.removeEventListener("keydown", listen);
}

/** The rows of a box that scrolls; `rowPx` is the height of a row as long as it is not measured. */
export function useRowsInSight(
  box: RefObject<HTMLElement | null>,
  count: number,
  rowPx: number,
): RowsInSight {
  const changes = useSignal(0);
  const usualPx = useRef(rowPx);
  const options = {
    count,
    getScrollElement: () => box.current,
    estimateSize: () => usualPx.current,
    overscan: SPARE_ROWS,
    // The height of the screen stands for that of the box until it is drawn.
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => {
      changes.value += 1;
    },
  };
  const rows = useMemo(() => new Virtualizer<HTMLElement, Element>(options), [rowPx]);
  usualPx.current = meanOf(rows.itemSizeCache) ?? rowPx;
  rows.setOptions(options);
  useLayoutEffect(() => rows._didMount(), [rows]);
  useLayoutEffect(() => rows._willUpdate());
  useLayoutEffect(() => listenForEnds(box.current, rows), [rows]);
  // Reading it draws the table again when other rows come into sight.
  void changes.value;
  const items = rows.getVirtualItems();
  return {
    items,
    above: items[0]?.start ?? 0,
    below: rows.getTotalSize() - (items.at(-1)?.end ?? 0),
    measure: rows.measureElement,
  };
}
