// Tests which URLs and names one attempt at a delivery may call (src/resources/webhooks/post.ts).
import { beforeEach, describe, expect, it, vi } from "vitest";
import { settingsOf } from "../../../../src/settings.ts";
import { BoundedCache } from "../../../../src/lib/bounded-cache.ts";
import { bindings } from "../../../support/api.ts";
import { PUBLIC_ADDRESS, FakeReceiver } from "../../../support/fakes/fake-receiver.ts";
import { attempt } from "./one-attempt.ts";
import { LOOPBACK_URLS } from "./urls.ts";

const LOCAL = settingsOf({ ...bindings, WEBHOOK_ALLOW_PRIVATE: "true" });

let receiver: FakeReceiver;

beforeEach(() => {
  receiver = new FakeReceiver().install();
});

describe("a post", () => {
  const unreachable = { kind: "unreachable", latencyMs: expect.any(Number) };
  const noCall = async (url?: string, settings?: typeof LOCAL) => {
    expect(await attempt(url, settings)).toEqual(unreachable);
    expect(receiver.received).toEqual([]);
  };

  it.each([
    "http://hooks.example.com/",
    "https://10.0.0.1/",
    "https://metadata.google.internal/",
    "https://api.postern.test/",
  ])("judges its URL again and does not call %s", async (url) => noCall(url));

  it.each([
    ["private", ["10.0.0.1"]],
    ["loopback", ["127.0.0.1"]],
    ["loopback of IPv6", ["::1"]],
    ["the metadata address", ["169.254.169.254"]],
    ["private in a mapped address", ["::ffff:192.168.0.1"]],
    ["unique-local", ["fd00::1"]],
    ["public and private", [PUBLIC_ADDRESS, "10.0.0.1"]],
    ["public, and private in the other family", [PUBLIC_ADDRESS, "fe80::1"]],
    ["nothing", []],
  ])("does not call a name that is %s", async (_, addresses) => {
    receiver.names["inside.example.com"] = addresses;
    await noCall("https://inside.example.com/");
  });

  it("does not call a name that does not exist, or of which an address family is unknown", async () => {
    await noCall("https://nowhere.example.com/");
    for (const types of [["A"], ["AAAA"], ["A", "AAAA"]]) {
      receiver.failing["hooks.example.com"] = types;
      await noCall();
    }
  });

  it("calls no name if the DNS resolver does not answer, and ends in bounded time", async () => {
    vi.spyOn(globalThis, "fetch").mockImplementation(
      (input, init) =>
        new Promise((_, reject) => {
          const { signal } = new Request(input, init);
          signal.addEventListener("abort", () => reject(new Error("aborted")));
        }),
    );
    vi.useFakeTimers({ toFake: ["Date", "setTimeout"] });
    vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
      const late = new AbortController();
      setTimeout(() => late.abort(), ms);
      return late.signal;
    });
    const attempted = attempt();
    await vi.advanceTimersByTimeAsync(1_999);
    expect(await Promise.race([attempted, Promise.resolve("none yet")])).toBe("none yet");
    await vi.advanceTimersByTimeAsync(1);
    expect(await attempted).toEqual({ kind: "unreachable", latencyMs: 2_000 });
  });

  it("calls a public name without another look-up for a minute if its caller remembers it, and never one that was not public", async () => {
    const known = { callable: new BoundedCache<true>(1, 60_000) };
    const kind = async (memory = {}) => (await attempt(undefined, undefined, memory)).kind;
    receiver.names["hooks.example.com"] = ["10.0.0.1"];
    expect(await kind(known)).toBe("unreachable");
    receiver.names["hooks.example.com"] = [PUBLIC_ADDRESS];
    expect(await kind(known)).toBe("answered");
    receiver.names["hooks.example.com"] = ["10.0.0.1"];
    expect([await kind(known), await kind()]).toEqual(["answered", "unreachable"]);
    const now = Date.now();
    vi.spyOn(Date, "now").mockReturnValue(now + 61_000);
    expect(await kind(known)).toBe("unreachable");
  });

  it("calls a name with public addresses of either family, and a public address without a look-up", async () => {
    receiver.names["six.example.com"] = ["2606:2800:220:1:248:1893:25c8:1946"];
    receiver.names["both.example.com"] = [PUBLIC_ADDRESS, "2606:2800:220:1:248:1893:25c8:1946"];
    for (const url of [
      "https://six.example.com/",
      "https://both.example.com:8443/",
      `https://${PUBLIC_ADDRESS}/`,
    ])
      expect(await attempt(url)).toMatchObject({ kind: "answered", isSuccess: true });
    expect(receiver.received).toHaveLength(3);
  });

  it("calls loopback, and names that are loopback, only if WEBHOOK_ALLOW_PRIVATE is true", async () => {
    receiver.names["local.example.com"] = ["127.0.0.1", "::1"];
    const urls = [...LOOPBACK_URLS, "https://local.example.com/"];
    for (const url of urls) await noCall(url);
    for (const url of [...urls, "http://localhost:3000/hook", "http://127.0.0.1:3000/hook"])
      expect(await attempt(url, LOCAL)).toMatchObject({ kind: "answered" });
    receiver.received.length = 0;
    receiver.names["inside.example.com"] = ["10.0.0.1"];
    for (const url of [
      "https://inside.example.com/",
      "https://10.0.0.1/",
      "http://hooks.example.com/",
    ])
      await noCall(url, LOCAL);
  });
});
