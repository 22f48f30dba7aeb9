// Tests a team's own courier from the operator's choice to the events
// (src/mail/deliver/couriers/couriers.ts). The Email Service is Miniflare's. The relay's port is
// closed, so that mail for the relay visibly goes nowhere else. Tests with a relay that accepts
// mail are in test/node and test/e2e.
import { describe, expect, it } from "vitest";
import { operator, ok } from "../../support/api.ts";
import { someone, Harness, kindsOf } from "../../support/harness.ts";
import { ofEachTest } from "../../support/before-tests.ts";

const harness = ofEachTest(Harness.make);

const choose = (courier: string) => ok(operator.patch(`/admin/teams/${harness.id}`, { courier }));

async function attempts(id: string) {
  const { recipients } = await harness.lookUp(id);
  return recipients.flatMap(({ events }) => events.filter(({ smtp_code }) => smtp_code !== null));
}

describe("a team's mail", () => {
  it("goes only by the relay if the operator chose the relay, and waits while the relay is down", async () => {
    await choose("smtp");
    const id = await harness.send({ to: [someone()], text: "Hello." });
    expect(kindsOf(await harness.history(id, 2))).toBe("sent delayed");
    expect(await attempts(id)).toMatchObject([
      {
        smtp_code: 451,
        smtp_response: "Could not connect to the receiving server.",
        mx_host: "127.0.0.1",
      },
    ]);
    expect(harness.egress.carried).toEqual([]);
  });

  it("to the simulator never leaves the service, whatever the courier", async () => {
    await choose("smtp");
    const id = await harness.send({ to: ["delivered@simulator.postern.test"], text: "Hello." });
    expect(kindsOf(await harness.history(id, 2))).toBe("sent delivered");
  });

  it("submitted by SMTP goes by the chosen courier, with the sender of its header", async () => {
    await choose("cloudflare");
    const message = `From: "Shop" <HELLO@${harness.domain}>\r\nSubject: Hi\r\n\r\nHello.\r\n`;
    const id = await harness.submit([someone()], message);
    expect(kindsOf(await harness.history(id, 1))).toBe("sent");
  });
});
