// Tests for how long a canceled message is shown (contract.md §List of messages).
import { expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../src/limits.ts";
import { findEmail } from "../../../src/mail/lookup/lookup.ts";
import { listMessages } from "../../../src/mail/lookup/messages/list-messages.ts";
import { FIRST_POSITION } from "../../../src/mail/lookup/messages/list-position.ts";
import { teamFor } from "../../../src/resources/team-settings/team-cache.ts";
import { bindings, ok } from "../../support/api.ts";
import { TestSender } from "../../support/test-sender.ts";

it("a canceled message stays in the look-up and in the list for the team's retention", async () => {
  const sender = await TestSender.make({ event_retention_days: 3 });
  const scheduled_at = new Date(Date.now() + HOUR_MS).toISOString();
  const { id } = await sender.sent({ scheduled_at });
  const { canceled_at } = await ok<{ canceled_at: string }>(sender.post(`/v1/email/${id}/cancel`));
  const team = (await teamFor(bindings, sender.id, Date.now()))!;
  const shownAt = async (now: number) => {
    const found = await findEmail(bindings, team, id, now);
    const { messages } = await listMessages(bindings, team, {}, FIRST_POSITION, 10, now);
    return [found !== undefined, messages.length];
  };
  const end = Date.parse(canceled_at) + 3 * DAY_MS;
  expect([await shownAt(end), await shownAt(end + 1)]).toEqual([
    [true, 1],
    [false, 0],
  ]);
});
