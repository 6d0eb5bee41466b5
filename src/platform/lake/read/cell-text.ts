// SQL of values as text, as they stand in JSON answers and in CSV.

/**
 * SQL of an instant as it stands in JSON answers. As a timestamp without a zone, which is UTC here, the
 * engine writes it in a quarter of the time.
 */
export function instantText(instant: string): string {
  const at = `make_timestamp(epoch_us(${instant}))`;
  return `CASE WHEN NOT isfinite(${instant}) THEN ${instant}::VARCHAR WHEN date_part('microsecond', ${at}) % 1000000 < 1000
      THEN strftime(${at}, '%Y-%m-%dT%H:%M:%SZ') ELSE strftime(${at}, '%Y-%m-%dT%H:%M:%S.%gZ') END`;
}

/**
 * SQL of a text in CSV: what a spreadsheet would run as a formula gets a leading apostrophe. Formulas begin
 * below 'A', so most texts take one comparison.
 */
export function spreadsheetText(text: string): string {
  // Not IN: of a list this long the engine makes a join, behind which several threads write the rows in any
  // order.
  return `CASE WHEN ${text} >= 'A' THEN ${text}
      WHEN list_contains(['=', '+', '-', '@', chr(9), chr(13)], substring(${text}, 1, 1)) THEN '''' || ${text} ELSE ${text} END`;
}
