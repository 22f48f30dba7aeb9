// A team's own courier from the operator's choice to the events
// (src/mail/deliver/couriers/couriers.ts). The Email Service is Miniflare's; the relay is one that
// nobody listens at, so that whatever goes to it is seen to have gone nowhere else. A relay that
// takes mail is in test/node and test/e2e.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ADMIN_TOKEN, call } from "../support/api.ts";
import { someone, Harness, typesOf } from "../support/harness.ts";

let stand: Harness;

beforeEach(async () => {
  vi.restoreAllMocks();
  stand = await Harness.make();
});

async function choose(courier: string | null): Promise<void> {
  const response = await call("PATCH", `/admin/teams/${stand.team.id}`, {
    key: ADMIN_TOKEN,
    body: { courier },
  });
  expect(response.status).toBe(200);
}

async function attempts(id: string): Promise<Record<string, unknown>[]> {
  const response = await call("GET", `/v1/email/${id}`, { key: stand.team.key });
  const { recipients } = await response.json<{
    recipients: { events: Record<string, unknown>[] }[];
  }>();
  return recipients.flatMap(({ events }) => events.filter(({ smtp_code }) => smtp_code !== null));
}

describe("a team's mail", () => {
  it("goes by Cloudflare's Email Service where the operator says so, and by nothing else", async () => {
    await choose("cloudflare");
    const id = await stand.send({ to: [someone()], text: "Hello." });
    expect(typesOf(await stand.history(id, 2))).toEqual(["email.sent", "email.delivered"]);
    expect(await attempts(id)).toMatchObject([
      {
        smtp_code: 250,
        stage: "end",
        mx_host: null,
        smtp_response: expect.stringContaining("queued as"),
      },
    ]);
    expect(stand.egress.carried).toEqual([]);
  });

  it("goes by the relay where the operator says so, and waits while that is down", async () => {
    await choose("smtp");
    const id = await stand.send({ to: [someone()], text: "Hello." });
    expect(typesOf(await stand.history(id, 2))).toEqual(["email.sent", "email.delayed"]);
    expect(await attempts(id)).toMatchObject([
      {
        smtp_code: 451,
        smtp_response: "Could not connect to the receiving server.",
        mx_host: "127.0.0.1",
      },
    ]);
    expect(stand.egress.carried).toEqual([]);
  });

  it("goes by the deployment's courier again once the choice is taken back", async () => {
    await choose("smtp");
    await choose(null);
    const to = someone();
    await stand.history(await stand.send({ to: [to], text: "Hello." }), 2);
    expect(stand.egress.to(to).length).toBe(1);
  });

  it("to the simulator never leaves, whatever the courier", async () => {
    await choose("smtp");
    const id = await stand.send({ to: ["delivered@simulator.postern.test"], text: "Hello." });
    expect(typesOf(await stand.history(id, 2))).toEqual(["email.sent", "email.delivered"]);
  });

  it("submitted by SMTP goes the same way, by the sender that its header has", async () => {
    await choose("cloudflare");
    const message = `From: "Shop" <HELLO@${stand.domain}>\r\nSubject: Hi\r\n\r\nHello.\r\n`;
    const id = await stand.submit([someone()], message);
    expect(typesOf(await stand.history(id, 2))).toEqual(["email.sent", "email.delivered"]);
  });
});
