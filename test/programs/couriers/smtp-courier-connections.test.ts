// Tests the sessions and connections of the courier `smtp`
// (src/mail/deliver/couriers/smtp-courier.ts) in plain workerd: sessions that the relay refuses,
// credentials, reuse and limits.
import { describe, expect, it } from "vitest";
import type { Script } from "../../gateway/fake-mx.ts";
import { PATIENT, REUSE_CASES, type ReuseRunner, runReuseCase } from "../../gateway/reuse-cases.ts";
import { carry, HELLO, testCopy } from "./courier-harness.ts";
import {
  failureOutcome,
  ONE_BY_ONE,
  scriptedRelay,
  makeCopies,
  against,
  closing,
  startRelay,
  useRelays,
} from "./smtp-relay.ts";

useRelays();

describe("a session that the relay refuses for good", () => {
  it.each<[string, Script, string]>([
    [
      "at the greeting",
      { greeting: "554 5.7.1 your address is blocked" },
      "answered 554 (connect)",
    ],
    ["at EHLO", { ehlo: "550 5.7.1 no service here" }, "answered 550 (helo)"],
  ])("causes a failure, but no bounce: %s", async (_name, script, detail) => {
    const { relay, outcomes } = await against(script, makeCopies(3));
    expect(Object.values(outcomes)).toEqual(
      Array.from({ length: 3 }, () => failureOutcome("other", detail)),
    );
    expect(relay.connections.length).toBe(1);
  });
});

describe("the password for the relay", () => {
  it.each([
    ["535 5.7.8 wrong", 535],
    ["454 4.7.0 later", 454],
    ["501 5.5.2 what?", 501],
  ])("that the relay refuses is a failure, but no bounce: %s", async (auth, code) => {
    const { relay, outcomes } = await against({ auth }, makeCopies(3));
    expect(Object.values(outcomes)).toEqual(
      Array.from({ length: 3 }, () => failureOutcome("other", `AUTH was answered ${code}`)),
    );
    expect(relay.lines.join()).not.toContain("MAIL");
    expect(relay.connections.length).toBe(1);
  });

  it("is not sent to a relay that offers neither AUTH PLAIN nor LOGIN", async () => {
    const { relay, outcomes } = await against({ ehlo: "250-relay\r\n250 AUTH CRAM-MD5" });
    expect(outcomes["a/0/1"]).toEqual(
      failureOutcome("other", "the relay offers neither AUTH PLAIN nor LOGIN"),
    );
    expect(relay.connections[0]?.verbs).toEqual(["greeting", "ehlo", "starttls", "ehlo"]);
  });
});

describe("connections to the relay", () => {
  it("are shared by the teams of an invocation and carry one message after the other", async () => {
    const relay = await startRelay();
    const teams = ["a", "b", "c"].map((team) =>
      makeCopies(20).map((one) => ({ ...one, key: `${team}${one.key}` })),
    );
    const outcomes = await carry({ port: relay.port }, teams);
    expect(Object.values(outcomes).filter(({ code }) => code === 250).length).toBe(60);
    expect(new Set(relay.received.map(({ message }) => message))).toEqual(new Set([HELLO]));
    // The connections of one team end before those of the next team begin. Each of the three teams
    // has at most four.
    expect(relay.connections()).toBeLessThanOrEqual(12);
  });

  it("are never more than four at once", async () => {
    let most = 0;
    const relay = await scriptedRelay({
      end: () => {
        most = Math.max(
          most,
          relay.connections.filter(({ verbs }) => !verbs.includes("quit")).length,
        );
        return "250 2.0.0 ok";
      },
    });
    closing.push(relay.close);
    await carry({ port: relay.port }, [
      makeCopies(12),
      makeCopies(12).map((one) => ({ ...one, key: `b${one.key}` })),
    ]);
    expect(relay.messages.length).toBe(24);
    expect(most).toBeLessThanOrEqual(4);
    expect(most).toBeGreaterThan(1);
  });

  describe.each([
    ["with pipelining", undefined],
    ["without", ONE_BY_ONE],
  ])("that were used, %s,", (_way, ehlo) => {
    const run: ReuseRunner = async (script, mails) => {
      const { relay, outcomes } = await against(
        script,
        mails.map((mail) => testCopy(mail)),
        PATIENT,
      );
      return { mx: relay, outcomes: new Map(Object.entries(outcomes)) };
    };

    it.each(REUSE_CASES)(
      "give the same outcomes as fresh ones, at a relay that %s",
      async (_name, one) => {
        const { found, expected } = await runReuseCase(run, one, ehlo);
        expect(found).toMatchObject(expected);
      },
    );
  });

  it("leave their messages to the open connections if the relay turns them away", async () => {
    let taken = 0;
    const greeting = () =>
      ++taken > 1
        ? ({ act: "say_and_drop", text: "421 4.7.0 one at a time" } as const)
        : "220 hello";
    const { relay, outcomes } = await against({ greeting }, makeCopies(12));
    expect(Object.values(outcomes).filter(({ code }) => code === 250).length).toBe(12);
    expect(relay.messages.length).toBe(12);
  });

  it("are replaced if they broke between two messages, and each message is sent once", async () => {
    const script: Script = {
      mail: (_line, count, connection) =>
        count > 1 && connection === 1 ? { act: "drop" } : "250 ok",
    };
    const { relay, outcomes } = await against(script, makeCopies(9));
    expect(Object.values(outcomes).filter(({ code }) => code === 250).length).toBe(9);
    expect(relay.messages.length).toBe(9);
  });

  it("end with QUIT", async () => {
    const { relay } = await against({}, makeCopies(2));
    expect(relay.connections.map(({ verbs }) => verbs.at(-1))).toEqual(
      relay.connections.map(() => "quit"),
    );
    await expect.poll(relay.open).toBe(0);
  });
});
