// Reads a round's replies from outside the service: the answers that readers sent, the replies in
// the API, and the events at the webhooks.
import type { BegunRound } from "../begun-round.ts";
import type { ChaosHarness } from "../chaos-harness.ts";
import type { ChaosTeam } from "../chaos-team.ts";
import { digestOf, type RoundReplies, type StoredReplyFact } from "./reply-check.ts";

interface ReplyPage {
  readonly data: readonly Omit<StoredReplyFact, "text" | "digest">[];
  readonly next_cursor: string | null;
}

const PAGE = 100;

export async function readReplies(
  harness: ChaosHarness,
  { team, begun, ...round }: BegunRound,
): Promise<RoundReplies> {
  const stored: StoredReplyFact[] = [];
  let after = "";
  do {
    const query = after === "" ? "" : `&after=${encodeURIComponent(after)}`;
    const page = await team.call<ReplyPage>("GET", `/v1/replies?limit=${PAGE}${query}`);
    const own = page.data.filter(({ received_at: at }) => Date.parse(at) >= begun);
    for (const row of own) stored.push({ ...row, ...(await readWhole(harness, team, row.id)) });
    after = own.length < page.data.length ? "" : (page.next_cursor ?? "");
  } while (after !== "");
  const sent = round.sent.flatMap(({ token }) => harness.readers.sent.get(token) ?? []);
  return { sent, stored, hooks: team.hooks };
}

async function readWhole(
  harness: ChaosHarness,
  team: ChaosTeam,
  id: string,
): Promise<Pick<StoredReplyFact, "text" | "digest">> {
  const { text } = await team.call<{ readonly text: string }>("GET", `/v1/replies/${id}`);
  const headers = { Authorization: `Bearer ${team.apiKey}` };
  const raw = await harness.fetch(`/v1/replies/${id}/raw`, { headers });
  return { text, digest: digestOf(new Uint8Array(await raw.arrayBuffer())) };
}
