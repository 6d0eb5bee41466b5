// Why the stored rows changed: whether the world did, or this service.

/** Each cause with its meaning, for the documentation of the ledger. */
export const CAUSES = {
  published: "a source gave a row that the world could know for seven days at most",
  source_changed: "a source changed what it had given before: a correction, a revision or an update",
  withdrawn: "a source no longer gives the row",
  observed: "a source gave a row without saying since when the world could know it",
  backfilled: "this service stored a row that the world could know for more than seven days",
  our_reading: "a newer reader of this service read a document that had not changed",
  computed: "this service computed the row from others",
} as const;

export type Cause = keyof typeof CAUSES;

export const CAUSE_NAMES = Object.keys(CAUSES) as readonly Cause[];

/** A row that the world could know for longer when it was stored counts as backfilled. */
export const BACKFILLED_AFTER_DAYS = 7;
