// Tests how bundles of messages are accepted from the gateway (docs/gateway-protocol.md). Each
// message is answered and delivered as if it had come alone.
import { describe, expect, it } from "vitest";
import { stopClock } from "../../support/held-time.ts";
import { bindings, ok } from "../../support/api.ts";
import {
  bundleOf,
  frame,
  framed,
  submit,
  submitTogether,
} from "../../support/fakes/fake-gateway.ts";
import { someone, Harness } from "../../support/harness.ts";
import { ofEachTest } from "../../support/before-tests.ts";
import { TestSender } from "../../support/test-sender.ts";

interface Answer {
  readonly status: number;
  readonly retry_after: boolean;
  readonly body: Record<string, unknown>;
}

const harness = ofEachTest(Harness.make);

const messageOf = (fields?: readonly string[], body?: string) => harness.written(fields, body);
const from = (sender: string) => harness.written().replace(/<.*>/, `<${sender}>`);

async function answersTo(frames: readonly Uint8Array[], key = harness.key): Promise<Answer[]> {
  return (await ok<{ answers: Answer[] }>(submitTogether(key, frames))).answers;
}

/**
 * Submits a single message without a bundle. Returns the answer in the form that it would have in a
 * bundle.
 */
async function submitAlone(
  rcptTo: readonly string[],
  message: string,
  key = harness.key,
): Promise<Answer> {
  const response = await submit(key, rcptTo, message);
  return {
    status: response.status,
    retry_after: response.headers.has("Retry-After"),
    body: await response.json(),
  };
}

describe("messages in a bundle", () => {
  it("are accepted in order, each with its own id, and delivered", async () => {
    const recipients = [someone(), someone(), someone()];
    const answers = await answersTo(
      recipients.map((to, index) => framed([to], messageOf([`X-Number: ${index}`]))),
    );
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    const ids = answers.map(({ body }) => body["id"] as string);
    expect(new Set(ids).size).toBe(3);
    for (const [index, id] of ids.entries()) {
      const events = await harness.history(id, 2);
      const expected = [
        ["email.sent", recipients[index]],
        ["email.delivered", recipients[index]],
      ];
      expect(events.map(({ type, recipient }) => [type, recipient])).toEqual(expected);
      expect(harness.egress.to(recipients[index]!)[0]?.message).toContain(`X-Number: ${index}`);
    }
    expect(await harness.usage()).toMatchObject({ dailyUsed: 3, messages: 0 });
  });

  it("are judged one by one: each gets the answer that it would get alone, also as a replay", async () => {
    const to = [someone()];
    const [foreign, unreadable, wrongTopic, keyed] = [
      from("a@foreign.example"),
      "no header\r\n\r\n",
      messageOf(["X-Service-Topic: *"]),
      messageOf(["X-Service-Idempotency-Key: one"]),
    ];
    const answers = await answersTo([
      framed(to, foreign),
      framed(to, keyed),
      framed(to, unreadable),
      frame("no JSON", messageOf()),
      new Uint8Array(2),
      framed(to, wrongTopic),
      framed([], messageOf()),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([422, 202, 400, 400, 400, 422, 422]);
    for (const [index, message] of [
      foreign,
      keyed,
      unreadable,
      undefined,
      undefined,
      wrongTopic,
    ].entries()) {
      if (message !== undefined) expect(answers[index]).toEqual(await submitAlone(to, message));
    }
    for (const index of [3, 4])
      expect(answers[index]?.body).toMatchObject({
        error: { errors: { envelope: [expect.any(String)] } },
      });
    expect(await harness.usage()).toMatchObject({ dailyUsed: 1 });
  });

  it("take the team's rate and quota one by one, in order", async () => {
    const sendAs = (team: TestSender, count: number) =>
      answersTo(
        Array.from({ length: count }, () => framed([someone()], from(team.from))),
        team.key,
      );
    const answers = await sendAs(await TestSender.make({ limits: { daily: 2 } }), 3);
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 429]);
    expect(answers[2]).toMatchObject({ retry_after: true, body: { scope: "daily", limit: 2 } });

    stopClock();
    const slow = await TestSender.make({ limits: { requests_per_second: 1 } });
    const statuses = (await sendAs(slow, 20)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([202, 429]));
    expect(statuses).toEqual(statuses.toSorted((one, other) => one - other));
  });

  it("are stored in the ledger if they are large, and in R2 if they are over 1 MB", async () => {
    const [small, large, huge] = [someone(), someone(), someone()];
    const bodyOf = (lines: number) => `${"x".repeat(76)}\r\n`.repeat(lines);
    const answers = await answersTo([
      framed([small], messageOf()),
      framed([huge], messageOf([], bodyOf(14_000))),
      framed([large], messageOf([], bodyOf(2_000))),
      framed([small], messageOf()),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    for (const answer of answers.slice(1, 3)) await harness.history(answer.body["id"] as string, 2);
    expect(harness.egress.to(huge)[0]?.message.endsWith(bodyOf(14_000))).toBe(true);
    expect(harness.egress.to(large)[0]?.message.endsWith(bodyOf(2_000))).toBe(true);
    await expect
      .poll(() => bindings.CONTENT.head(`content/${answers[1]?.body["id"] as string}`))
      .toBeNull();
  });
});

describe("a bundle", () => {
  it("that can't be read is answered with 400, and none of its messages is accepted", async () => {
    const good = framed([someone()], messageOf());
    const bodies = [
      new Uint8Array(),
      bundleOf([good, good]).slice(0, -1),
      bundleOf([good, new Uint8Array()]).slice(0, -2),
      bundleOf(Array.from({ length: 101 }, () => good)),
    ];
    for (const body of bodies) {
      expect(await ok(submitTogether(harness.key, [], { raw: body }), 400)).toMatchObject({
        error: { errors: { bundle: [expect.any(String)] } },
      });
    }
    expect(await harness.usage()).toMatchObject({ dailyUsed: 0 });
  });

  it("with a wrong key is refused as a whole, and is a 404 without the gateway token", async () => {
    const good = framed([someone()], messageOf());
    expect((await submitTogether("ps_wrong", [good])).status).toBe(401);
    expect((await submitTogether(harness.key, [good], { token: null })).status).toBe(404);
  });
});
