// Lists the violations that axe finds on a page.
import axe from "axe-core";
import type { Page } from "playwright-core";

const NODES_MAX = 5;

/** The serious and critical faults of accessibility on a page, each with the places where it is. */
export async function seriousFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(
    async () => (await (globalThis as unknown as { axe: typeof axe }).axe.run()).violations,
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => {
      const places = nodes.slice(0, NODES_MAX).map(({ target }) => target.join(" "));
      return `${id}: ${places.join(", ")}`;
    });
}
