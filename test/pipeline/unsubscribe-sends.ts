// Sends messages with unsubscribe links in tests, and reads their links.
import { headersOf, type Harness } from "../support/harness.ts";

/** The members of a send by which the service adds an unsubscribe link. */
export const GENERATE = {
  topic: "news",
  unsubscribe: { mode: "generate" },
  text: "Leave: {{unsubscribe_url}}",
};

/** The recipient's link, read from a delivered copy. */
export async function linkTo(harness: Harness, recipient: string): Promise<string> {
  const [value = ""] = headersOf(await harness.copyTo(recipient), "List-Unsubscribe");
  return value.slice(1, -1);
}

/** Sends a message with an unsubscribe link, and waits until it is delivered. */
export async function sendWithLink(
  harness: Harness,
  to: string,
  body: Record<string, unknown> = {},
): Promise<{ id: string; link: string }> {
  const id = await harness.send({ to: [to], ...GENERATE, ...body });
  await harness.history(id, 2);
  return { id, link: await linkTo(harness, to) };
}
