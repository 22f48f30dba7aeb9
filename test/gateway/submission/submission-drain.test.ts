// Tests how a gateway with incoming mail ends: it cuts off no message too early, loses no
// acknowledged message, and waits for no client without end.
import { describe, expect, it } from "vitest";
import { EMAIL_ID } from "../fake-worker.ts";
import { startIntake } from "../mail-harness.ts";
import { SmtpClient } from "../../support/smtp-client.ts";
import { pause } from "../gateway-harness.ts";

describe("a drain", () => {
  it("lets a session finish its message, ends idle sessions at once, and takes no new ones", async () => {
    const { port, mail, worker } = await startIntake();
    const [idle, inData, inEnvelope] = [
      await SmtpClient.authenticated(port),
      await SmtpClient.inData(port),
      await SmtpClient.authenticated(port),
    ];
    await inEnvelope.command("MAIL FROM:<a@example.test>");
    inData.send("Subject: first half\r\n");
    await pause(50);
    const drained = mail.drain(60_000);
    expect(await idle.reply()).toBe("421 4.3.2 Service shutting down\r\n");
    await expect(SmtpClient.connect(port)).rejects.toThrow("ECONNREFUSED");
    expect(await inData.command("Second: half\r\n.")).toBe(`250 2.0.0 ${EMAIL_ID}\r\n`);
    expect(await inData.command("MAIL FROM:<a@example.test>")).toBe(
      "421 4.3.2 Service shutting down\r\n",
    );
    await inEnvelope.command("RCPT TO:<b@example.net>");
    await inEnvelope.command("DATA");
    expect(await inEnvelope.command(".")).toContain("250 2.0.0");
    expect(await inEnvelope.command("QUIT")).toBe("221 2.0.0 Bye\r\n");
    for (const client of [idle, inData, inEnvelope]) client.close();
    await drained;
    expect(worker.messages.map(({ message }) => message)).toEqual([
      "Subject: first half\r\nSecond: half\r\n",
      "",
    ]);
  });

  it("ends a session whose client sends nothing more after its message", async () => {
    const { port, mail } = await startIntake();
    const client = await SmtpClient.inData(port);
    const drained = mail.drain(60_000);
    expect(await client.command(".")).toContain("250 2.0.0");
    expect(await client.reply()).toBe("421 4.3.2 Service shutting down\r\n");
    client.close();
    await drained;
  });

  it("waits for the worker's answer to a message", async () => {
    const { port, mail, worker } = await startIntake();
    worker.answers["messages"] = [{ status: 202, body: { id: EMAIL_ID }, after: 300 }];
    const client = await SmtpClient.inData(port);
    client.send(".\r\n");
    await pause(50);
    const drained = mail.drain(60_000);
    expect(await client.reply()).toContain(`250 2.0.0 ${EMAIL_ID}`);
    client.close();
    await drained;
  });

  it("ends in bounded time, and cuts off no acknowledged message", async () => {
    const { port, mail, worker } = await startIntake();
    const client = await SmtpClient.inData(port);
    client.send("Subject: half\r\n");
    // A silent client could stay for minutes if the drain had no deadline.
    await mail.drain(200);
    expect(await client.reply()).toBe("421 4.3.2 Service shutting down\r\n");
    expect(await client.reply()).toBe("");
    expect(worker.messages).toEqual([]);
  });
});
