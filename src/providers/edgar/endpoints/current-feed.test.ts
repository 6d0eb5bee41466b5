import { describe, expect, test } from "bun:test";
import { fakeEdgar } from "../../../../test/support/fake-edgar.ts";
import { InvalidRequest } from "../../../platform/errors.ts";

const feedEntry = (term: string, n: number) =>
  `<entry><title>${term} - Z (0000004711) (Filer)</title><summary>Filed: 2026-03-10</summary><updated>2026-03-10T10:00:00-04:00</updated><category term="${term}"/><id>urn:x:accession-number=0001234567-26-${String(n).padStart(6, "0")}</id></entry>`;
const feed = (...terms: string[]) =>
  `<?xml version="1.0"?><feed><updated>2026-03-10T10:00:01-04:00</updated>${terms.map(feedEntry).join("")}</feed>`;

describe("the current feed", () => {
  test("a form is that form, though EDGAR sends all that begin so", async () => {
    const { provider, asked } = fakeEdgar(() => ({ body: feed("4", "424B2", "4", "40-F") }));
    const page = await provider.currentFeed({ form_type: "4", count: 4, start: 80 });
    expect(page.entries.map((e) => e.form_type)).toEqual(["4", "4"]);
    expect(page).toMatchObject({ updated_at: "2026-03-10T14:00:01Z", next_start: 84 });
    expect(asked()).toEqual([
      "https://www.sec.gov/cgi-bin/browse-edgar?action=getcurrent&type=4&owner=include&count=4&start=80&output=atom",
    ]);
  });

  test("amendments are included on request", async () => {
    const { provider } = fakeEdgar(() => ({ body: feed("4", "424B2", "4/A", "40-F/A") }));
    const page = await provider.currentFeed({ form_type: "4", amendments: true });
    expect(page.entries.map((e) => e.form_type)).toEqual(["4", "4/A"]);
  });

  test("a short page is the last, and none begins beyond 5000", async () => {
    const { provider } = fakeEdgar(() => ({ body: feed("4", "8-K") }));
    expect((await provider.currentFeed({ count: 10 })).next_start).toBeNull();
    expect((await provider.currentFeed({ count: 2, start: 4998 })).next_start).toBe(5000);
    expect((await provider.currentFeed({ count: 2, start: 5000 })).next_start).toBeNull();
  });

  test.each([{ start: 5100 }, { start: -1 }, { count: 0 }, { count: 101 }, { start: 0.5 }])(
    "%p is not requested",
    async (query) => {
      const { provider, asked } = fakeEdgar(() => ({}));
      await expect(provider.currentFeed(query)).rejects.toBeInstanceOf(InvalidRequest);
      expect(asked()).toEqual([]);
    },
  );
});
