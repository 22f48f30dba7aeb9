// Tests that mail to a return-path is accepted only with a genuine token and within the limits,
// through the gateway and through Email Routing.
import { describe, expect, it } from "vitest";
import { newEmailId } from "../../../../src/lib/ids.ts";
import { receiveEmail } from "../../../../src/mail/feedback/email.ts";
import { receiveReport, recipientOf, tokenOf } from "../../../../src/mail/feedback/inbound.ts";
import type { RecipientRef } from "../../../../src/mail/recipient-ref.ts";
import { mintToken } from "../../../../src/mail/token.ts";
import { settingsOf } from "../../../../src/settings.ts";
import { bindings } from "../../../support/api.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const NOW = Date.UTC(2026, 5, 1);
const DAY = NOW / DAY_MS;
const ABOUT = {
  teamNumber: 4_000_000,
  emailId: newEmailId(NOW - DAY_MS),
  recipientIndex: 7,
  releaseDay: DAY - 1,
};
const REPORT = "From: <>\r\nSubject: failed\r\n\r\nno such user\r\n";

const { signingKey } = settingsOf(bindings);
const bytesOf = (text: string) => new TextEncoder().encode(text);

async function tokenFor(
  purpose = "return-path",
  changes: Partial<RecipientRef> = {},
): Promise<string> {
  return mintToken(signingKey, purpose, { ...ABOUT, ...changes });
}

async function receive(raw: string, token?: string) {
  return receiveReport(bindings, token ?? (await tokenFor()), bytesOf(raw), NOW);
}

describe("a return-path", () => {
  it.each(["b+TOKEN@bounces.shop.example", "B+TOKEN@Bounces.shop.example"])(
    "is recognised as %s",
    async (address) => {
      const token = await tokenFor();
      expect(tokenOf(address.replace("TOKEN", token))).toBe(token);
      expect(tokenOf(address.replace("TOKEN", token.toUpperCase()))?.toLowerCase()).toBe(token);
    },
  );

  it.each([
    ..."b+@bounces.shop.example TOKEN@bounces.shop.example b+TOKEN".split(" "),
    ..."b+TOKEN@shop.example b+TOKENa@bounces.shop.example a@b@bounces.x".split(" "),
    "b+TOKEN@bounces.x@y",
    "",
  ])("is not %j", async (address) => {
    expect(tokenOf(address.replace("TOKEN", await tokenFor()))).toBeUndefined();
  });

  it("is valid for its own purpose only", async () => {
    expect(await recipientOf(bindings, await tokenFor(), NOW)).toEqual(ABOUT);
    expect(await recipientOf(bindings, await tokenFor("unsubscribe"), NOW)).toBeUndefined();
    expect(await recipientOf(bindings, "a".repeat(61), NOW)).toBeUndefined();
  });

  it.each([
    ["is taken 30 days after the time of its id", NOW - 30 * DAY_MS, DAY - 30, true],
    ["is unknown over 30 days after the time of its id", NOW - 30 * DAY_MS - 1, DAY - 31, false],
    ["is taken 30 days after release, with an older id", NOW - 200 * DAY_MS, DAY - 30, true],
    ["is unknown 31 days after release, with an older id", NOW - 200 * DAY_MS, DAY - 31, false],
    ["is taken 30 days after an id within its release day", NOW - 30 * DAY_MS + 1, DAY - 30, true],
  ])("%s", async (_, idAt, releaseDay, isTaken) => {
    const token = await tokenFor("return-path", { emailId: newEmailId(idAt), releaseDay });
    expect((await recipientOf(bindings, token, NOW)) !== undefined).toBe(isTaken);
    expect(await receive(REPORT, token)).toMatchObject({ kind: isTaken ? "taken" : "unknown" });
  });
});

describe("a report", () => {
  it("is accepted at a genuine token", async () => {
    expect(await receive(REPORT)).toEqual({ kind: "taken", about: ABOUT });
    expect(await receive("")).toMatchObject({ kind: "taken" });
  });

  it("is unknown at any other token, whatever its size", async () => {
    expect(await receive(REPORT, "a".repeat(61))).toEqual({ kind: "unknown" });
    expect(await receive("x".repeat(300_000), "nonsense")).toEqual({ kind: "unknown" });
  });

  it("is too large over 256 KB", async () => {
    const largest = `${REPORT}${"x".repeat(256 * 1024 - REPORT.length)}`;
    expect(await receive(largest)).toMatchObject({ kind: "taken" });
    expect(await receive(`${largest}x`)).toEqual({ kind: "too_large" });
  });

  it.each(["\r\n", "\n", "\r"])(
    "is refused with a header over 64 KB and line ends %j",
    async (end) => {
      const problem = "has a header of more than 65536 bytes";
      const header = (bytes: number) =>
        `${"A: b".padEnd(bytes, "x")}${end}${end}${"x".repeat(70_000)}`;
      expect(await receive(header(64 * 1024))).toMatchObject({ kind: "taken" });
      expect(await receive(header(64 * 1024 + 1))).toEqual({ kind: "refused", problem });
    },
  );

  it.each(["\r\n", "\n", "\r"])(
    "is refused with more than 200 boundary lines and line ends %j",
    async (end) => {
      const lines = (count: number) => `A: b${end}${end}${`--x${end}`.repeat(count)}> --x${end}`;
      expect(await receive(lines(200))).toMatchObject({ kind: "taken" });
      const problem = "has more than 200 lines that may be boundaries";
      expect(await receive(lines(201))).toEqual({ kind: "refused", problem });
    },
  );
});

describe("a report from the null sender", () => {
  it("is taken even if it is empty, with or without mbox's first line", async () => {
    const mbox = `From MAILER-DAEMON Thu Jun  4 10:00:00 2026\r\n${REPORT}`;
    for (const raw of ["", "\r\n", REPORT, mbox]) {
      const taken = await receiveReport(bindings, await tokenFor(), bytesOf(raw), NOW, true);
      expect(taken).toMatchObject({ kind: "taken" });
    }
  });
});

describe("mail from Email Routing", () => {
  async function routeEmail(to: string, text: string): Promise<string | undefined> {
    let rejected: string | undefined;
    const bytes = bytesOf(text);
    const raw = new Response(bytes).body;
    if (!raw) throw new Error("no stream");
    await receiveEmail(
      { to, raw, rawSize: bytes.length, setReject: (reason) => (rejected = reason) },
      bindings,
      NOW,
    );
    return rejected;
  }

  it("rejects the same messages as the gateway's door", async () => {
    const to = `b+${await tokenFor()}@bounces.shop.example`;
    expect(await routeEmail(to, REPORT)).toBeUndefined();
    expect(await routeEmail(`b+${"a".repeat(61)}@bounces.shop.example`, REPORT)).toMatch(
      /^5\.7\.1 /,
    );
    expect(await routeEmail("postmaster@shop.example", REPORT)).toMatch(/^5\.7\.1 /);
    expect(await routeEmail(to, "x".repeat(300_000))).toMatch(/^5\.3\.4 /);
    expect(await routeEmail(to, `A: b\r\n\r\n${"--x\r\n".repeat(201)}`)).toBe(
      "5.6.0 The message has more than 200 lines that may be boundaries",
    );
  });
});
