// Removes a lifted suppression from loaded list pages. Pure.
import type { Suppression } from "../../../../packages/postern/src/generated/types.ts";
import type { ItemPage } from "../../../../packages/postern/src/request/item-pages.ts";

export type SuppressionPage = Pick<ItemPage<Suppression>, "data" | "next_cursor">;

export function withoutRow(
  pages: readonly SuppressionPage[],
  { email, topic }: Pick<Suppression, "email" | "topic">,
): SuppressionPage[] {
  return pages.map((page) => ({
    ...page,
    data: page.data.filter((row) => row.email !== email || row.topic !== topic),
  }));
}
