// Tests events from the 202 to the customer's webhooks (src/mail/record, src/resources/webhooks)
// through the real ledger, outboxes, queues and databases. Only mail servers and receivers are
// faked.
import { Webhook as Verifier } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import type { Explanation } from "../../src/explain/explanation.ts";
import { busyTeam, type TestTeam } from "../support/api.ts";
import { outboxOf, rowsOf } from "../support/test-outbox.ts";
import { DELIVERED } from "../support/fakes/fake-egress.ts";
import { submit } from "../support/fakes/fake-gateway.ts";
import { FakeReceiver } from "../support/fakes/fake-receiver.ts";
import { create, shown, type WebhookWithSecret } from "../support/test-webhooks.ts";
import type { ReceivedRequest } from "../support/delivery-harness.ts";
import { someone, Harness } from "../support/harness.ts";
import { report, reportAbout, ReturnedMail } from "./returned-mail.ts";
import { ofEachTest } from "../support/before-tests.ts";

interface PostedEvent {
  readonly id: string;
  readonly type: string;
  readonly occurred_at: string;
  readonly data: Record<string, unknown>;
}

const NAMES = "sent delivered delayed bounced complained suppressed unsubscribed opened clicked";
const ALL = NAMES.split(" ").map((name) => `email.${name}`);
const REFUSED = { ...DELIVERED, code: 550, enhanced: "5.1.1", text: "No such user", stage: "rcpt" };

const harness = ofEachTest(Harness.make);
const receiver = ofEachTest(() => new FakeReceiver().install(true));

let hosts = 0;

/** Creates a webhook for the team, with a host that no other webhook has. */
async function subscribe(
  team: TestTeam = harness,
  events: readonly string[] = ALL,
  format = "batch",
): Promise<WebhookWithSecret & { host: string }> {
  hosts += 1;
  const host = `hooks-${hosts}.example.com`;
  receiver.names[host] = ["93.184.216.34"];
  const wish = { name: host, url: `https://${host}/`, events, format };
  return { ...(await create(team, wish)), host };
}

const requestsTo = (host: string): ReceivedRequest[] =>
  receiver.received.filter(({ url }) => new URL(url).hostname === host);
const postedTo = (host: string): PostedEvent[] =>
  requestsTo(host).flatMap(({ body }) => (JSON.parse(body) as { events: PostedEvent[] }).events);

/** Waits until a webhook was posted `count` events, and returns them, oldest first. */
async function waitForEvents(host: string, count: number): Promise<PostedEvent[]> {
  await expect.poll(() => postedTo(host).length).toBe(count);
  return postedTo(host).toSorted((left, right) =>
    left.occurred_at.localeCompare(right.occurred_at),
  );
}

/** Returns the explanation in GET /v1/email/{id} for a message's only recipient. */
async function explained(emailId: string): Promise<Explanation> {
  return (await harness.lookUp(emailId)).recipients[0]!.explanation;
}

describe("a webhook", () => {
  it("gets its messages' events, signed, with the ids of the history", async () => {
    const { host, signing_secret: secret, id } = await subscribe();
    const to = someone();
    const before = Math.floor(Date.now() / 1_000);
    const emailId = await harness.send({
      to: [to],
      text: "Hello.",
      tags: ["a"],
      headers: { "X-Campaign-Id": "42" },
      metadata: { order_id: "1042" },
    });
    const events = await waitForEvents(host, 2);
    expect(events.map(({ type }) => type)).toEqual(["email.sent", "email.delivered"]);
    const history = await harness.history(emailId, 2);
    expect(events.map((event) => event.id)).toEqual(history.map((event) => event.id));
    expect(history.filter((event) => "metadata" in event)).toEqual([]);
    for (const { data } of events)
      expect(data).toMatchObject({
        email_id: emailId,
        recipient: to,
        from: `The Shop <hello@${harness.domain}>`,
        subject: "Hi",
        tags: ["a"],
        headers: { x_campaign_id: "42" },
        metadata: { order_id: "1042" },
      });
    expect(harness.egress.to(to)[0]?.message).not.toContain("1042");
    for (const { body, headers } of requestsTo(host)) {
      expect(new Verifier(secret).verify(body, headers)).toEqual(JSON.parse(body));
      const { batch_id: batchId, timestamp } = JSON.parse(body) as {
        batch_id: string;
        timestamp: number;
      };
      expect(headers).toMatchObject({
        "service-batch-id": batchId,
        "webhook-id": batchId,
        "user-agent": "Service-Webhooks/1.0",
      });
      expect(timestamp).toBeGreaterThanOrEqual(before);
      expect(timestamp).toBeLessThanOrEqual(Date.now() / 1_000);
    }
    await expect.poll(async () => (await shown(harness, id)).last_delivery_at).not.toBeNull();
  });

  it("gets the `X-` headers of a message by SMTP, with every punctuation of their names", async () => {
    const { host } = await subscribe(harness, ["email.sent"]);
    const fields = "X-Report_Abuse: a\r\nX.Campaign!Id: b\r\nX-Feed.Id!: c\r\n";
    const message = `From: hello@${harness.domain}\r\nSubject: Hi\r\n${fields}\r\nHello.\r\n`;
    expect((await submit(harness.key, [someone()], message)).status).toBe(202);
    const [sent] = await waitForEvents(host, 1);
    expect(sent?.data["headers"]).toEqual({ x_report_abuse: "a", x_feed_id_: "c" });
    expect(harness.egress.carried[0]?.message).toContain(`\r\n${fields}`);
  });

  it("gets the reason why mail did not arrive, in the words of the look-up at that time", async () => {
    const types = "email.delayed email.bounced email.complained email.suppressed".split(" ");
    const { host } = await subscribe(harness, types);
    const failure = { kind: "failure", detail: "", mx_host: null } as const;
    const refused = someone();
    for (const [address, outcome] of [
      [refused, REFUSED],
      [
        someone(),
        { ...REFUSED, enhanced: "5.7.1", text: "Blocked: poor reputation", stage: "end" },
      ],
      [someone(), { ...REFUSED, code: 452, enhanced: "4.2.2", text: "Mailbox full" }],
      [someone(), { ...failure, cause: "connect" }],
      [someone(), { ...failure, cause: "null_mx" }],
    ] as const) {
      harness.egress.replies(address, outcome);
      await harness.send({ to: [address], text: "x" });
    }
    const mail = new ReturnedMail(harness);
    const [returned, complained] = [someone(), someone()];
    const [first, second] = [await mail.send(returned), await mail.send(complained)];
    await report(first.tokens[0] ?? "", reportAbout("postfix-user-unknown", returned));
    await report(second.tokens[0] ?? "", reportAbout("arf-minimal", complained));
    await waitForEvents(host, 7);
    for (const address of [refused, complained]) await harness.send({ to: [address], text: "x" });
    const events = await waitForEvents(host, 9);
    for (const { data } of events) {
      const told = data["explanation"] as Explanation;
      const { evidence: _, ...said } = await explained(String(data["email_id"]));
      expect({ ...said, actions: [], next: "" }).toEqual({ ...told, actions: [], next: "" });
      expect(said.actions).toEqual(expect.arrayContaining(told.actions));
      if (said.state === "bounced") expect(said.next.startsWith(told.next)).toBe(true);
      if (said.state === "complained") expect(said).toEqual(told);
    }
    expect(new Set(events.map(({ data }) => (data["explanation"] as Explanation).cause))).toEqual(
      new Set(
        (
          "InvalidRecipient SpamBlock QuotaIssues no_connection null_mx complaint " +
          "permanent_bounce"
        ).split(" "),
      ),
    );
  });

  it("gets only events of its types, even if it was created a moment ago", async () => {
    const [delivered, bounced] = [
      await subscribe(harness, ["email.delivered"]),
      await subscribe(harness, ["email.bounced"]),
    ];
    const refused = someone();
    harness.egress.replies(refused, REFUSED);
    await harness.send({ to: [refused], text: "Hello." });
    const [bounce] = await waitForEvents(bounced.host, 1);
    const expected = { recipient: refused, bounce: { type: "permanent", smtp_code: 550 } };
    expect(bounce?.data).toMatchObject(expected);
    const fresh = await subscribe(harness, ["email.sent"]);
    await harness.send({ to: [someone()], text: "Hello." });
    expect((await waitForEvents(delivered.host, 1)).map(({ type }) => type)).toEqual([
      "email.delivered",
    ]);
    expect((await waitForEvents(fresh.host, 1)).map(({ type }) => type)).toEqual(["email.sent"]);
    expect(postedTo(bounced.host)).toHaveLength(1);
  });
});

describe("teams", () => {
  it("get no events of each other", async () => {
    const otherTeam = await busyTeam();
    const [mine, theirs] = [await subscribe(), await subscribe(otherTeam)];
    await harness.send({ to: [someone()], text: "Hello." });
    await waitForEvents(mine.host, 2);
    expect(requestsTo(theirs.host)).toEqual([]);
    expect(await rowsOf(outboxOf(theirs))).toBeNull();
  });
});
