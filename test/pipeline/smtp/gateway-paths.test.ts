// Tests the worker's endpoints for the gateway (docs/gateway-protocol.md): checking a key, and
// finding the message of a return-path.
import { describe, expect, it } from "vitest";
import { newEmailId } from "../../../src/lib/ids.ts";
import { mintSecret } from "../../../src/resources/api-keys/key-secret.ts";
import { call, type ErrorBody, makeTeam, statement } from "../../support/api.ts";
import { askGateway, submit } from "../../support/fakes/fake-gateway.ts";
import { someone, Harness } from "../../support/harness.ts";
import { ofEachTest } from "../../support/before-tests.ts";

const harness = ofEachTest(Harness.make);

describe("the gateway's paths", () => {
  it("answer 404 without the gateway's token, for any method", async () => {
    for (const token of [null, "", "wrong", "gateway-token-for-test"]) {
      for (const [method, path] of [
        ["GET", "/gateway/key"],
        ["POST", "/gateway/messages"],
        ["PUT", "/gateway/messages"],
        ["POST", "/gateway/return-paths/x"],
        ["POST", "/gateway/inbound/x"],
        ["POST", "/gateway/roles/postmaster/postern.test"],
        ["POST", "/gateway/feedback"],
        ["POST", "/gateway/postmaster"],
      ] as const) {
        const response = await askGateway(method, path, { key: harness.key, token });
        const expected = [404, "not_found"];
        expect([response.status, (await response.json<ErrorBody>()).error.type]).toEqual(expected);
      }
    }
  });

  const checkKey = (key?: string, ip?: string) =>
    askGateway("GET", "/gateway/key", { ...(key && { key }), ...(ip && { ip }) });
  const statusFor = async (key?: string, ip?: string) => (await checkKey(key, ip)).status;

  it("check a key with the client's address, and do not use the team's rate", async () => {
    const { key, keyId } = await makeTeam({ limits: { requests_per_second: 1 } });
    const [inside, outside] = ["198.51.100.7", "198.51.101.7"];
    const allow = "UPDATE api_keys SET allowed_ips = '[\"198.51.100.0/24\"]' WHERE id = ?";
    await statement(allow, keyId).run();
    for (let request = 0; request < 10; request += 1)
      expect(await statusFor(key, inside)).toBe(204);
    expect(await statusFor(key, outside)).toBe(403);
    expect(await statusFor(key, "nonsense")).toBe(403);
    expect(await statusFor()).toBe(401);
    expect(await statusFor(mintSecret(), "203.0.113.77")).toBe(401);
    for (const token of [{}, { "X-Gateway-Token": "wrong" }]) {
      const headers = { "X-Client-IP": inside, ...token };
      const response = await call("GET", "/v1/whoami", { key, ip: outside, headers });
      expect(response.status).toBe(403);
    }
    expect((await askGateway("GET", "/v1/whoami", { key, ip: inside })).status).toBe(200);
  });

  it("accept a send_only key, and answer 402 for a team without a subscription", async () => {
    await statement(
      "UPDATE api_keys SET permissions = 'send_only' WHERE id = ?",
      harness.keyId,
    ).run();
    expect(await statusFor(harness.key)).toBe(204);
    await harness.submit([someone()], harness.written());
    const lapsed = await makeTeam({ subscription: "inactive" });
    expect(await statusFor(lapsed.key)).toBe(402);
    expect((await submit(lapsed.key, [someone()], harness.written())).status).toBe(402);
  });

  it("block guessed keys from an address, but not valid keys from the same address", async () => {
    const ip = "203.0.113.200";
    for (let failure = 0; failure < 20; failure += 1)
      expect(await statusFor(`guess-${failure}`, ip)).toBe(401);
    const blocked = await checkKey("another-guess", ip);
    expect([blocked.status, Number(blocked.headers.get("Retry-After")) > 890]).toEqual([403, true]);
    expect(await statusFor(harness.key, ip)).toBe(204);
    await harness.submit([someone()], harness.written(), { ip });
    expect(await statusFor("another-guess", "203.0.113.201")).toBe(401);
  });
});

describe("return-path endpoints", () => {
  it("accept mail to the return-path of a message that went out", async () => {
    const to = someone();
    await harness.history(await harness.submit([to], harness.written()), 2);
    const token = /^b\+([a-z2-7]{61})@/.exec(harness.egress.to(to)[0]?.mail_from ?? "")?.[1] ?? "";
    expect((await askGateway("POST", `/gateway/return-paths/${token}`)).status).toBe(204);
    expect((await askGateway("POST", `/gateway/return-paths/${token.toUpperCase()}`)).status).toBe(
      204,
    );
    const raw = "From: <>\r\n\r\nno such user\r\n";
    const response = await askGateway("POST", `/gateway/inbound/${token}`, { raw });
    expect([response.status, await response.text()]).toEqual([202, ""]);
  });

  it.each(["x", "a".repeat(61), newEmailId(0), "%00", "%ff"])(
    "answer 404 for the token %s",
    async (token) => {
      expect((await askGateway("POST", `/gateway/return-paths/${token}`)).status).toBe(404);
      expect((await askGateway("POST", `/gateway/inbound/${token}`, { raw: "x" })).status).toBe(
        404,
      );
    },
  );
});
