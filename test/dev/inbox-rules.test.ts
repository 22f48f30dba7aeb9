// Tests the inbox's rules at every stage of an SMTP session (tools/dev/inbox/inbox-rules.ts).
import { describe, expect, it } from "vitest";
import { api, atRecipient, inbox, messages, rules, send, useInbox } from "./inbox-harness.ts";
import { SmtpClient } from "../support/smtp-client.ts";

useInbox();

describe("the inbox's rules", () => {
  it("send a reply exactly as written, at each stage", async () => {
    const reply = "451-4.7.1  try\n451 4.7.1 later ; 5.1.1";
    const wire = "451-4.7.1  try\r\n451 4.7.1 later ; 5.1.1\r\n";
    await rules({ stage: "connect", reply });
    expect(await (await SmtpClient.connect(inbox.mxPort)).reply()).toBe(wire);
    await rules({ stage: "mail", reply });
    const client = await SmtpClient.connect(inbox.mxPort);
    await client.reply();
    await client.command("EHLO test");
    expect(await client.command("MAIL FROM:<sam@example.test>")).toBe(wire);
    await rules({ stage: "rcpt", reply });
    await client.command("MAIL FROM:<sam@example.test>");
    expect(await client.command("RCPT TO:<rita@example.net>")).toBe(wire);
    await rules({ stage: "data", reply });
    await client.command("RCPT TO:<rita@example.net>");
    expect(await client.command("DATA")).toBe(wire);
    await rules({ stage: "end", reply });
    expect(await client.command("DATA")).toMatch(/^354/);
    expect(await client.command("hello\r\n.")).toBe(wire);
    expect(await messages()).toEqual([]);
    client.close();
  });

  it("refuse only the matching recipients, and accept the others", async () => {
    await rules({ rcpt: "^gone@", stage: "rcpt", reply: "550 5.1.1 No such user here" });
    const client = await SmtpClient.withEnvelope(inbox.mxPort);
    const reply = await client.command("RCPT TO:<Gone@example.net>");
    expect(reply).toBe("550 5.1.1 No such user here\r\n");
    await client.command("DATA");
    expect(await client.command("hello\r\n.")).toMatch(/^250/);
    client.close();
    expect((await messages())[0]?.rcpt_to).toEqual(["rita@example.net"]);
  });

  it("count their uses, and start at zero when they are replaced", async () => {
    const rule = { rcpt: "rita", stage: "end", reply: "452 4.2.2 full", times: 2 };
    await rules(rule);
    const codes: string[] = [];
    for (const to of ["rita", "other", "rita", "rita"])
      codes.push((await send(undefined, `${to}@example.net`)).slice(0, 3));
    expect(codes).toEqual(["452", "250", "452", "250"]);
    expect(await (await api("/api/rules")).json()).toEqual({ rules: [rule], used: [2] });
    await rules(rule);
    expect(await send()).toBe("452 4.2.2 full\r\n");
  });

  it("can hang up without a reply and keep nothing", async () => {
    for (const stage of ["connect", "mail", "rcpt", "data", "end"]) {
      await rules({ stage, drop: true, times: 1 });
      const client = await SmtpClient.connect(inbox.mxPort);
      client.send("EHLO test\r\nMAIL FROM:<a@b.test>\r\nRCPT TO:<rita@example.net>\r\nDATA\r\n");
      let replies = 0;
      for (let reply = await client.reply(); reply !== ""; reply = await client.reply()) {
        replies += 1;
        if (reply.startsWith("354")) client.send("hello\r\n.\r\n");
      }
      expect(replies).toBe({ connect: 0, mail: 2, rcpt: 3, data: 4, end: 5 }[stage]);
    }
    expect(await messages()).toEqual([]);
  });

  it("can hang up without a reply and keep the message", async () => {
    await rules({ stage: "end", drop: true, keep: true, times: 1 });
    expect(await send()).toBe("");
    expect(await messages()).toHaveLength(1);
  });

  it("can refuse STARTTLS, or break off the handshake", async () => {
    await rules(
      { stage: "starttls", reply: "454 4.7.0 not now", times: 1 },
      { stage: "starttls", drop: true, times: 1 },
    );
    const client = await SmtpClient.connect(inbox.mxPort);
    await client.reply();
    await client.command("EHLO test");
    expect(await client.command("STARTTLS")).toBe("454 4.7.0 not now\r\n");
    expect(await client.command("NOOP")).toMatch(/^250/);
    expect(await client.command("STARTTLS")).toMatch(/^220/);
    expect(await client.reply()).toBe("");
    client.close();
  });

  it("can delay a reply, and later rules still apply", async () => {
    const twice = { stage: "rcpt", rcpt: "rita", delay_ms: 150 };
    const sam = { stage: "rcpt", rcpt: "sam", delay_ms: 200 };
    await rules(twice, { ...twice, reply: "450 4.2.1 slow" }, sam);
    const replies: string[] = [];
    const open = async (name: string) => [name, await atRecipient()] as const;
    const clients = await Promise.all(["rita", "sam", "tom"].map(open));
    // Each client waits for the sum of the delays of its rules. The client that waits longest comes
    // last.
    await Promise.all(
      clients.map(async ([name, client]) =>
        replies.push(`${name} ${await client.command(`RCPT TO:<${name}@example.net>`)}`),
      ),
    );
    expect(replies).toEqual([
      expect.stringMatching(/^tom 250/),
      expect.stringMatching(/^sam 250/),
      "rita 450 4.2.1 slow\r\n",
    ]);
    for (const [, client] of clients) client.close();
  });

  it("keep the message when their reply is positive", async () => {
    await rules({ stage: "end", reply: "250 2.0.0 queued as 7" });
    expect(await send()).toBe("250 2.0.0 queued as 7\r\n");
    expect(await messages()).toHaveLength(1);
  });

  it("are refused with the reason if they are invalid, and the old rules stay in force", async () => {
    await rules({ stage: "rcpt", delay_ms: 1 });
    const drop = { stage: "rcpt", drop: true };
    const STAGES = "connect, starttls, mail, rcpt, data, end";
    const KEEP = "rules.0.keep: is not true or false, with drop at the stage end";
    const bad: [unknown, string][] = [
      [{ stage: "rcpt" }, "rules.0: has none of reply, drop and delay_ms"],
      [{ stage: "quit", drop: true }, `rules.0.stage: is not one of ${STAGES}`],
      [{ stage: "rcpt", reply: "nope" }, "rules.0.reply: is not an SMTP reply"],
      [{ stage: "rcpt", reply: "450-4.2.1 unfinished" }, "rules.0.reply: is not an SMTP reply"],
      [{ stage: "rcpt", drop: true, rcpt: "(" }, "rules.0.rcpt: is not a regular expression"],
      [{ ...drop, times: 0 }, "rules.0.times: is not a whole number of at least 1"],
      [{ stage: "rcpt", drop: true, delay: 5 }, "rules.0.delay: is not a member of a rule"],
      [{ stage: "rcpt", drop: true, server: "localhost" }, "rules.0.server: is not an IP address"],
      [{ ...drop, keep: true }, KEEP],
      [{ stage: "end", reply: "250 ok", keep: true }, KEEP],
      ["rcpt", "rules.0: is not an object"],
    ];
    for (const [rule, message] of bad) {
      const response = await rules(rule);
      expect(response.status).toBe(400);
      const { error } = (await response.json()) as { error: { message: string } };
      expect(error.message).toContain(message);
    }
    expect((await api("/api/rules", "PUT", { rules: {} })).status).toBe(400);
    const kept: unknown = await (await api("/api/rules")).json();
    expect(kept).toMatchObject({ rules: [{ stage: "rcpt", delay_ms: 1 }] });
  });
});
