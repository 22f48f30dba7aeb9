// Tests GET /v1/recipients (contract.md §Recipients) and the explanations of mail on its way
// (contract.md §Explanations): refused, delayed and waiting mail, each shown only to its team.
import { describe, expect, it } from "vitest";
import type { Explanation } from "../../src/explain/explanation.ts";
import type { RecipientBody } from "../../src/mail/lookup/recipients/wire.ts";
import { call, fieldsOf, makeTeam, ok, operator } from "../support/api.ts";
import { DELIVERED } from "../support/fakes/fake-egress.ts";
import { Harness, someone } from "../support/harness.ts";
import { report, reportAbout, ReturnedMail } from "./returned-mail.ts";
import { ofEachTest } from "../support/before-tests.ts";

const REFUSED = {
  ...DELIVERED,
  code: 550,
  enhanced: "5.1.1",
  text: "User unknown",
  stage: "rcpt",
  mx_host: "mx1.receiver.example",
};

const harness = ofEachTest(Harness.make);

async function get<Body>(path: string, key = harness.key): Promise<Body> {
  return ok(call("GET", path, { key }));
}

const recipient = (address: string, key?: string) =>
  get<RecipientBody>(`/v1/recipients/${encodeURIComponent(address)}`, key);

const found = async (prefix: string, key?: string) =>
  (await get<{ data: { address: string }[] }>(`/v1/recipients?prefix=${prefix}`, key)).data;

/** Waits until the newest message to the address has this status. */
async function became(address: string, status: string): Promise<RecipientBody> {
  await expect.poll(async () => (await recipient(address)).messages[0]?.status).toBe(status);
  return recipient(address);
}

async function refusedOnce(): Promise<{ address: string; id: string }> {
  const address = someone();
  harness.egress.replies(address, REFUSED);
  const id = await harness.send({ to: [address], text: "x" });
  await became(address, "bounced");
  await expect.poll(async () => (await recipient(address)).suppressions.length).toBe(1);
  return { address, id };
}

describe("a refused address", () => {
  it("has one explanation with the server's words, in its answer, in the look-up and in suppressions", async () => {
    const { address, id } = await refusedOnce();
    const answer = await recipient(` ${address.toUpperCase()} `);
    const evidence = {
      reply: "550 5.1.1 User unknown",
      stage: "rcpt",
      mx_host: "mx1.receiver.example",
      at: expect.stringMatching(/Z$/) as string,
      email_id: id,
    };
    expect(answer.explanation).toEqual({
      state: "suppressed",
      summary: `${address} is suppressed: receiver.example permanently refused an earlier message (no such mailbox).`,
      cause: "permanent_bounce",
      evidence,
      next: expect.stringMatching(
        /^Nothing will be sent to this address until \d+ [A-Z][a-z]+ \d{4}\.$/,
      ),
      actions: [expect.objectContaining({ kind: "lift_suppression" })],
    });
    expect(answer.suppressions[0]?.explanation).toEqual(answer.explanation);
    const { data } = await get<Pick<RecipientBody, "suppressions"> & { data: unknown[] }>(
      `/v1/suppressions/${address}`,
    );
    expect(data).toEqual(answer.suppressions);
    expect(answer.messages).toMatchObject([
      { email_id: id, status: "bounced", explanation: { cause: "InvalidRecipient", evidence } },
    ]);
    const email = await harness.lookUp(id);
    expect(email.recipients[0]?.explanation).toEqual(answer.messages[0]?.explanation);
    expect(answer).toMatchObject({
      address,
      provider: "other",
      counts: { messages: 1, sent: 1, bounced: 1, delivered: 0, is_complete: true },
    });
  });

  it("suppresses the next message and quotes the reason, until the suppression is lifted", async () => {
    const { address, id } = await refusedOnce();
    await harness.send({ to: [address], text: "x" });
    const [newest] = (await became(address, "suppressed")).messages;
    expect(newest?.explanation).toMatchObject({
      cause: "permanent_bounce",
      evidence: { email_id: id, reply: "550 5.1.1 User unknown" },
      next: expect.stringMatching(/^Nothing will be sent/) as string,
    });
    const [{ href = "" } = {}] = newest?.explanation.actions ?? [];
    expect((await harness.delete(href)).status).toBe(204);
    const { explanation, messages } = await recipient(address);
    expect(explanation).toEqual(messages[0]?.explanation);
    expect(explanation).toMatchObject({
      next: "The suppression is over: you can send to this address again.",
      evidence: null,
      actions: [],
    });
  });

  it("with a bounce report has the reply that the report quotes, and with a complaint only the message's id", async () => {
    const mail = new ReturnedMail(harness);
    const [bounced, complained] = [someone(), someone()];
    const first = await mail.send(bounced);
    await report(first.tokens[0] ?? "", reportAbout("postfix-user-unknown", bounced));
    const second = await mail.send(complained);
    await report(second.tokens[0] ?? "", reportAbout("arf-minimal", complained));
    const evidenceOf = async (address: string) =>
      (await recipient(address)).suppressions[0]?.explanation.evidence;
    await expect
      .poll(() => evidenceOf(bounced))
      .toMatchObject({ email_id: first.id, reply: expect.stringMatching(/^550 /) as string });
    await expect
      .poll(() => evidenceOf(complained))
      .toMatchObject({ email_id: second.id, reply: null });
    expect((await recipient(bounced)).messages[0]?.explanation.summary).toBe(
      "receiver.example accepted the message and returned it later: no such mailbox.",
    );
  });
});

describe("mail on its way", () => {
  it("shows why a server deferred the message, and the time of the next attempt", async () => {
    const [full, silent] = [someone(), someone()];
    const fullReply = { ...REFUSED, code: 452, enhanced: "4.2.2", text: "Mailbox full" };
    harness.egress.replies(full, fullReply);
    const silence = { kind: "failure", cause: "connect", detail: "", mx_host: null };
    harness.egress.replies(silent, silence);
    const id = await harness.send({ to: [full], text: "x" });
    await harness.send({ to: [silent], text: "x" });
    const explained = async (address: string): Promise<Explanation> =>
      (await became(address, "delayed")).explanation;
    expect(await explained(full)).toMatchObject({
      cause: "QuotaIssues",
      next: expect.stringMatching(/^Next retry at .* UTC on .*; retries end at /) as string,
      evidence: { reply: "452 4.2.2 Mailbox full" },
    });
    const email = await harness.lookUp(id);
    expect(email.recipients[0]?.explanation).toEqual(await explained(full));
    expect(await explained(silent)).toMatchObject({ cause: "no_connection" });
  });

  it("shows that a message waits for the team's rate, for its time, or for a gateway", async () => {
    const limits = { delivery_rate_per_minute: 1 };
    await ok(operator.patch(`/admin/teams/${harness.id}`, { limits }));
    harness.egress.up = false;
    const [first, second, later] = [someone(), someone(), someone()];
    await harness.send({ to: [first], text: "x" });
    await harness.send({ to: [second], text: "x" });
    const scheduled_at = new Date(Date.now() + 3_600_000).toISOString();
    await harness.send({ to: [later], text: "x", scheduled_at });
    const causeOf = async (address: string) => (await recipient(address)).explanation.cause;
    await expect.poll(() => causeOf(first)).toBe("courier");
    expect(await causeOf(second)).toBe("delivery_rate");
    expect((await recipient(later)).messages).toMatchObject([
      { status: "scheduled", last_event_at: null, explanation: { cause: "schedule" } },
    ]);
  });
});

describe("an address", () => {
  it("without any mail is answered by a sentence that says so", async () => {
    const address = someone();
    expect(await recipient(address)).toMatchObject({
      address,
      explanation: { state: "unknown", summary: `No messages to ${address} in the last 30 days.` },
      suppressions: [],
      messages: [],
      counts: { sent: 0, is_complete: true },
    });
  });

  it("is refused with 422 if it is not an address, and so is a prefix of fewer than three characters", async () => {
    for (const [path, field] of [
      ["/v1/recipients/ada", "address"],
      ["/v1/recipients?prefix=%20ab%20", "prefix"],
      ["/v1/recipients?prefix=", "prefix"],
    ] as const) {
      expect(await fieldsOf(harness.get(path))).toEqual([field]);
    }
  });

  it("is found by its beginning in suppressions, open messages and events, but only by its team", async () => {
    const begin = `f${crypto.randomUUID().slice(0, 8)}`;
    const [suppressed, sent, open] = ["a", "b", "C"].map(
      (end) => `${begin}${end}@receiver.example`,
    );
    const body = { email: suppressed };
    await harness.post("/v1/suppressions", body);
    await harness.send({ to: [sent ?? ""], text: "x" });
    await became(sent ?? "", "delivered");
    harness.egress.up = false;
    await harness.send({ to: [open ?? ""], text: "x" });
    expect(await found(begin.toUpperCase())).toEqual([
      { address: suppressed, is_suppressed: true },
      { address: sent, is_suppressed: false },
      { address: open?.toLowerCase(), is_suppressed: false },
    ]);
    const { key } = await makeTeam();
    expect(await found(begin, key)).toEqual([]);
    expect(await recipient(open ?? "", key)).toMatchObject({ messages: [], suppressions: [] });
  });
});
