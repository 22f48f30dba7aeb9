// Tests one connection as a client sees it (smtp-gateway/src/smtp/smtp-connection.ts), over a
// scripted transport.
import { describe, expect, it } from "vitest";
import { connect } from "./scripted-transport.ts";

const silent = () => null;

describe("an SMTP connection", () => {
  it("gives replies in order, also those that came early", async () => {
    const { connection } = connect(() => "250 a\r\n250 b\r\n25");
    expect(await connection.command("NOOP", 50)).toEqual({ code: 250, lines: ["a"] });
    expect(connection.takeEarly()).toEqual({ code: 250, lines: ["b"] });
    expect(connection.takeEarly()).toBeUndefined();
  });

  it("is lost when no reply came in time, although the server drips bytes", async () => {
    const { connection, transport } = connect(silent);
    const dripping = setInterval(() => transport.serve("250-x\r\n"), 5);
    await expect(connection.reply(50)).rejects.toMatchObject({ how: "timeout" });
    clearInterval(dripping);
    expect(connection.lost).toBe(true);
    expect(transport.isClosed).toBe(true);
  });

  it("gives the replies before an unreadable line", async () => {
    const { connection } = connect(() => "250 ok\r\nwhat?\r\n");
    expect(await connection.command("NOOP", 50)).toMatchObject({ code: 250 });
    const lost = { how: "unreadable", message: "a line that is not an SMTP reply" };
    await expect(connection.reply(50)).rejects.toMatchObject(lost);
  });

  it("gives the reason of its end to every command", async () => {
    const { connection } = connect(() => new Error("ECONNRESET"));
    const lost = { how: "closed", message: "ECONNRESET" };
    for (let command = 0; command < 2; command += 1)
      await expect(connection.command("NOOP", 50)).rejects.toMatchObject(lost);
  });

  it("waits in a flush until the server takes the bytes, and is lost when it does not", async () => {
    const { connection, transport } = connect(silent);
    await connection.flush(new Uint8Array(10), 50);
    transport.isTaking = false;
    await expect(connection.flush(new Uint8Array(10), 50)).rejects.toMatchObject({
      message: "the server stopped reading",
    });
  });

  it("ends a flush at an early reply", async () => {
    const { connection, transport } = connect(() => "552 too big\r\n");
    transport.isTaking = false;
    await connection.flush(new Uint8Array(10), 50);
    expect(connection.takeEarly()).toMatchObject({ code: 552 });
  });

  it("is ended by anything that the server sends while the connection is idle", async () => {
    const { connection, transport } = connect(silent);
    connection.resting = true;
    transport.serve("421 too old\r\n");
    await expect.poll(() => connection.lost).toBe(true);
  });

  it("is lost if it becomes idle with an unread reply", async () => {
    const { connection } = connect(() => "250 a\r\n250 b\r\n");
    await connection.command("NOOP", 50);
    connection.resting = true;
    expect(connection.lost).toBe(true);
  });

  it("continues after it was idle", async () => {
    const { connection } = connect(() => "250 a\r\n");
    connection.resting = true;
    connection.resting = false;
    expect(await connection.command("NOOP", 50)).toMatchObject({ code: 250 });
  });

  it("closes after the reply to QUIT, whatever came before it", async () => {
    const { connection, transport } = connect(() => "250 late\r\n221 bye\r\n");
    await connection.quit(10_000);
    expect(transport.written).toEqual(["QUIT\r\n"]);
    expect(transport.isClosed).toBe(true);
  });

  it("closes when no reply to QUIT comes", async () => {
    const { connection, transport } = connect(silent);
    await connection.quit(20);
    expect(transport.isClosed).toBe(true);
  });
});

describe("plain text behind the reply to STARTTLS", () => {
  it.each(["250 injected\r\n", "250 inj"])("ends a strict upgrade: %j", async (injected) => {
    const { connection, transport } = connect(() => `220 go ahead\r\n${injected}`);
    await connection.command("STARTTLS", 50);
    await expect(connection.upgrade(true, 50)).rejects.toMatchObject({ how: "unreadable" });
    expect(transport.isEncrypted).toBe(false);
  });

  it.each(["250 injected\r\n", "250 inj"])("is dropped if not strict: %j", async (injected) => {
    const { connection } = connect((written) =>
      written === "STARTTLS\r\n" ? `220 go ahead\r\n${injected}` : "250 inside\r\n",
    );
    await connection.command("STARTTLS", 50);
    await connection.upgrade(false, 50);
    expect(connection.tls).toBe("TLSv1.3");
    expect(await connection.command("EHLO a", 50)).toEqual({ code: 250, lines: ["inside"] });
  });
});
