// Tests the courier `smtp` (src/mail/deliver/couriers/relay-session.ts) with an attacker between
// the courier and its relay. The courier sends the password and messages only over TLS with a
// certificate for the relay's own name.
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, TLSSocket } from "node:tls";
import { describe, expect, it } from "vitest";
import { listenOnLoopback } from "../../../tools/harness/loopback.ts";
import { selfSigned } from "../../../tools/harness/smtp/self-signed.ts";
import { CERTIFICATE } from "../plain-workerd.ts";
import { carry, testCopy } from "./courier-harness.ts";
import { closing, scriptedRelay, useRelays } from "./smtp-relay.ts";

useRelays();

const tlsFailure = (detail: string) => ({
  kind: "failure",
  cause: "tls",
  detail,
  mxHost: "localhost",
});

/** Records the bytes that the courier sends to the test's own server. */
async function recordBytes(
  server: Server,
  converse: (socket: Socket) => void = () => undefined,
): Promise<{ port: number; received: () => string; open: () => number }> {
  let received = "";
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => undefined);
    socket.on("data", (chunk) => (received += chunk.toString("latin1")));
    converse(socket);
  });
  server.on("tlsClientError", () => undefined);
  const port = await listenOnLoopback(server);
  closing.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<unknown>((resolve) => server.close(resolve));
  });
  return { port, received: () => received, open: () => sockets.size };
}

/** Starts a relay that accepts STARTTLS and then does what the test says. */
function startAgreeingRelay(then: (socket: Socket) => void, agreement = "220 2.0.0 go ahead\r\n") {
  return recordBytes(createServer(), (socket) => {
    socket.write("220 relay.test\r\n");
    socket.on("data", (chunk) => {
      if (chunk.toString().startsWith("EHLO")) socket.write("250-relay.test\r\n250 STARTTLS\r\n");
      if (!chunk.toString().startsWith("STARTTLS")) return;
      socket.write(agreement);
      then(socket);
    });
  });
}

const withCertificate = (certificate: { key: string; cert: string }) => (socket: Socket) => {
  socket.removeAllListeners("data");
  const secure = new TLSSocket(socket, { isServer: true, ...certificate });
  secure.on("error", () => undefined);
};

describe("a relay that does not begin TLS", () => {
  it.each([
    "250 relay.test",
    "250-relay.test\r\n250 AUTH PLAIN LOGIN",
    "250-relay.test\r\n250 XSTARTTLS",
  ])("gets neither a password nor mail: %j", async (clear) => {
    const relay = await scriptedRelay({ clear });
    closing.push(relay.close);
    const outcomes = await carry({ port: relay.port }, [[testCopy()]]);
    expect(outcomes).toEqual({ "a/0/1": tlsFailure("the relay offers no STARTTLS") });
    expect(relay.lines).toEqual(["EHLO worker.postern.test"]);
  });

  it("gets neither of them if it offers STARTTLS and then refuses it", async () => {
    const relay = await scriptedRelay({ starttls: "502 5.5.1 what?" });
    closing.push(relay.close);
    const outcomes = await carry({ port: relay.port }, [[testCopy()]]);
    expect(outcomes["a/0/1"]).toMatchObject({ kind: "reply", code: 502, stage: "starttls" });
    expect(relay.lines).toEqual(["EHLO worker.postern.test", "STARTTLS"]);
  });
});

describe("plaintext after the reply to STARTTLS", () => {
  it.each([
    ["a whole reply", "220 2.0.0 go ahead\r\n250-relay.test\r\n250 AUTH PLAIN\r\n"],
    ["half a reply", "220 2.0.0 go ahead\r\n250-re"],
    ["a single byte", "220 2.0.0 go ahead\r\n2"],
    ["no reply at all", "220 2.0.0 go ahead\r\nQUIT\r\n"],
  ])("ends the session before the handshake: %s", async (_name, agreement) => {
    const relay = await startAgreeingRelay(() => undefined, agreement);
    const outcomes = await carry({ port: relay.port }, [[testCopy()]]);
    expect(outcomes["a/0/1"]).toMatchObject({ kind: "failure", cause: "tls" });
    expect(relay.received()).toBe("EHLO worker.postern.test\r\nSTARTTLS\r\n");
    await expect.poll(relay.open).toBe(0);
  });

  it("breaks the handshake if it comes later, and is never read as a reply inside TLS", async () => {
    const relay = await startAgreeingRelay(
      (socket) => void setTimeout(() => socket.write("250-relay.test\r\n250 AUTH PLAIN\r\n"), 30),
    );
    const outcomes = await carry({ port: relay.port }, [[testCopy()]]);
    expect(outcomes).toEqual({ "a/0/1": tlsFailure("the TLS handshake failed (starttls)") });
    expect(relay.received()).not.toMatch(/AUTH|MAIL/);
  });
});

describe("a handshake", () => {
  it.each<[string, (socket: Socket) => void, string]>([
    [
      "with a certificate of no known authority",
      withCertificate(selfSigned(["localhost"])),
      "the TLS handshake failed (starttls)",
    ],
    ["that is broken off", (socket) => socket.end(), "the TLS handshake failed (starttls)"],
    ["that never begins", () => undefined, "the TLS handshake took too long (starttls)"],
  ])("%s is a failure of TLS", async (_name, then, detail) => {
    const relay = await startAgreeingRelay(then);
    const outcomes = await carry({ port: relay.port }, [[testCopy()]]);
    expect(outcomes).toEqual({ "a/0/1": tlsFailure(detail) });
    expect(relay.received()).not.toMatch(/AUTH|MAIL/);
    await expect.poll(relay.open).toBe(0);
  });

  it("with a certificate for another name fails", async () => {
    const relay = await startAgreeingRelay(withCertificate(CERTIFICATE));
    const outcomes = await carry({ host: "127.0.0.1", port: relay.port }, [[testCopy()]]);
    expect(outcomes["a/0/1"]).toMatchObject({ kind: "failure", cause: "tls", mxHost: "127.0.0.1" });
  });
});

describe("implicit TLS", () => {
  const opening = "the connection or its TLS handshake failed (connect)";

  it("with a certificate of no known authority is a failure of TLS", async () => {
    const relay = await recordBytes(createTlsServer(selfSigned(["localhost"])));
    const outcomes = await carry({ port: relay.port, implicitTls: true }, [[testCopy()]]);
    expect(outcomes).toEqual({ "a/0/1": tlsFailure(opening) });
  });

  it("to a server that greets in the clear is a failure of TLS", async () => {
    const relay = await recordBytes(
      createServer(),
      (socket) => void socket.write("220 relay.test\r\n"),
    );
    const outcomes = await carry({ port: relay.port, implicitTls: true }, [[testCopy()]]);
    expect(outcomes).toEqual({ "a/0/1": tlsFailure(opening) });
    expect(relay.received()).not.toMatch(/EHLO|AUTH|MAIL/);
  });

  it("to a server that is not there is a failure to connect", async () => {
    const relay = await scriptedRelay();
    await relay.close();
    const outcomes = await carry({ port: relay.port, implicitTls: true }, [[testCopy()]]);
    expect(outcomes).toEqual({
      "a/0/1": { kind: "failure", cause: "connect", detail: opening, mxHost: "localhost" },
    });
  });

  it("with a server that never begins it is a failure of TLS after the timeout", async () => {
    const relay = await recordBytes(createServer());
    const outcomes = await carry({ port: relay.port, implicitTls: true }, [[testCopy()]], {
      connect: 300,
    });
    expect(outcomes["a/0/1"]).toMatchObject({
      kind: "failure",
      cause: "tls",
      detail: "no connection in time (connect)",
    });
  });
});
