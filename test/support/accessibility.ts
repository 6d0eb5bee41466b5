// Lists the violations that axe finds on a page.
import axe from "axe-core";
import type { Page } from "playwright-core";

const NODES_MAX = 5;
/** The rules that look at colours; all others find the same in every theme. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/**
 * Lists the serious and critical faults of accessibility on a page, each with its places; those of colours
 * alone where the other rules have been asked before, in another theme.
 */
export async function seriousFaults(
  page: Page,
  of: "everything" | "colours" = "everything",
): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  const violations = await page.evaluate(
    async (rules) => {
      const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
      // Leaves out the descriptions of passed rules.
      return (
        await run({ resultTypes: ["violations"], preload: false, ...(rules ? { runOnly: rules } : {}) })
      ).violations;
    },
    of === "colours" ? COLOUR_RULES : null,
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => {
      const places = nodes.slice(0, NODES_MAX).map(({ target }) => target.join(" "));
      return `${id}: ${places.join(", ")}`;
    });
}
