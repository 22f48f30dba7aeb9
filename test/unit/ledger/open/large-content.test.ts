// Tests src/ledger/open/large-content.ts: how much content over 96 KB a ledger takes, how the
// ledger counts this content, and how much of it the answer to a claim has.
import { Buffer } from "node:buffer";
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import type { Admission, BegunSend, Candidate, Claim } from "../../../../src/rpc/ledger-calls.ts";
import { LargeContent } from "../../../../src/ledger/open/large-content.ts";
import type { TeamLedger } from "../../../../src/ledger/team-ledger.ts";
import { LEDGER_LARGE_BYTES } from "../../../../src/limits.ts";
import {
  candidate,
  type LedgerStub,
  NOON,
  pacedSend,
  policy,
  queuedLedger,
  refs,
  restart,
  sendOf,
  settle,
} from "../ledger-harness.ts";

const SMALL = 96 * 1024;
const MEGABYTE = 1024 * 1024;
const CLAIM = { key: "k", fingerprint: "f" };

const bytes = (length: number, value = 1) => new Uint8Array(length).fill(value);

const makeLedger = async (): Promise<LedgerStub> => (await queuedLedger()).ledger;

/** Accepts a message with each of these contents. */
async function accept(
  ledger: LedgerStub,
  ...contents: readonly Candidate["content"][]
): Promise<Candidate[]> {
  const messages = contents.map((content) => candidate({ content }));
  const admission = await ledger.admit(pacedSend(messages, 100_000));
  expect(admission.kind).toBe("answered");
  return messages;
}

function claimOf(
  ledger: LedgerStub,
  messages: readonly Candidate[],
  largeBytes: number,
): Promise<Claim> {
  const jobs = messages.map(({ id }) => ({ emailId: id, recipientIndex: 0 }));
  return ledger.claim(jobs, NOON, false, largeBytes);
}

/**
 * Returns how many bytes of large content the ledger believes to hold when it checks a new message.
 */
async function heldBy(ledger: LedgerStub): Promise<number> {
  const asked = vi.spyOn(LargeContent.prototype, "hasRoomFor");
  await accept(ledger, "small");
  const [counter] = asked.mock.contexts.slice(-1) as unknown as LargeContent[];
  asked.mockRestore();
  return counter!.held;
}

/** Makes ledgers believe that they have room for `free` more bytes. */
function leaveRoom(free: number): void {
  vi.spyOn(LargeContent.prototype, "held", "get").mockReturnValue(LEDGER_LARGE_BYTES - free);
}

describe("a ledger's count of large content", () => {
  it("has the bytes of all content over 96 KB, and no others", async () => {
    const ledger = await makeLedger();
    await accept(ledger, bytes(SMALL), "x".repeat(SMALL), null);
    expect(await heldBy(ledger)).toBe(0);
    await accept(ledger, bytes(SMALL + 1), bytes(300_000));
    expect(await heldBy(ledger)).toBe(SMALL + 1 + 300_000);
  });

  it("is the same after a restart, and decreases with each message's last outcome", async () => {
    const ledger = await makeLedger();
    const [first, second] = await accept(ledger, bytes(100_000), bytes(200_000), bytes(SMALL));
    await restart(ledger);
    expect(await heldBy(ledger)).toBe(300_000);
    const { grants } = await claimOf(ledger, [first!, second!], 0);
    await settle(ledger, grants, NOON, NOON + 60_000);
    expect(await heldBy(ledger)).toBe(300_000);
    const again = await ledger.claim(grants, NOON + 60_000);
    await settle(ledger, again.grants.slice(0, 1), NOON);
    expect(await heldBy(ledger)).toBe(200_000);
    await restart(ledger);
    expect(await heldBy(ledger)).toBe(200_000);
    await settle(ledger, again.grants.slice(1), NOON);
    expect(await heldBy(ledger)).toBe(0);
    const rows = await runInDurableObject(ledger, (_, { storage }) =>
      storage.sql.exec("SELECT seq FROM large_content").toArray(),
    );
    expect(rows).toEqual([]);
  });

  it("leaves out a message whose admission was rolled back", async () => {
    const ledger = await makeLedger();
    await runInDurableObject(ledger, async (instance: TeamLedger, { storage }) => {
      storage.sql.exec(
        "CREATE TRIGGER no BEFORE INSERT ON ledger BEGIN SELECT RAISE(ABORT, 'the disk is " +
          "full'); END",
      );
      const refused = instance.admit(sendOf([{ content: bytes(200_000) }]));
      await expect(refused).rejects.toThrow("the disk is full");
      storage.sql.exec("DROP TRIGGER no");
    });
    expect(await heldBy(ledger)).toBe(0);
  });
});

describe("large content for which a ledger has no room", () => {
  const kindsOf = (admissions: readonly (Admission | BegunSend)[]) =>
    admissions.map(({ kind }) => kind);

  it("makes admit() return the result of begin(), and small content is accepted", async () => {
    const ledger = await makeLedger();
    leaveRoom(200_000);
    const large = sendOf([{ content: bytes(100_000) }, { content: bytes(100_001) }]);
    const begun = await ledger.admit({ ...large, idempotency: CLAIM });
    expect(begun).toMatchObject({ kind: "begun", lock: expect.any(String) as string });
    expect(await ledger.admit(large)).toMatchObject({ kind: "begun", lock: null });
    expect(await ledger.usage(NOON)).toMatchObject({ messages: 0, dailyUsed: 0 });
    const small = await ledger.admit(sendOf([{ content: bytes(SMALL) }]));
    const fits = await ledger.admit(sendOf([1, 2].map(() => ({ content: bytes(100_000) }))));
    expect(kindsOf([small, fits])).toEqual(["answered", "answered"]);
  });

  it("locks the send's key until the send comes again with its content in R2", async () => {
    const ledger = await makeLedger();
    leaveRoom(0);
    const send = { ...sendOf([{ content: bytes(100_000) }]), idempotency: CLAIM };
    const begun = await ledger.admit(send);
    if (begun.kind !== "begun") throw new Error(begun.kind);
    expect(await ledger.admit(send)).toMatchObject({ kind: "in_flight" });
    const stored = sendOf([{ content: null, contentKey: "content/1" }]);
    const holder = { idempotency: CLAIM, lock: begun.lock, takesRate: false };
    const admission = await ledger.admit({ ...stored, ...holder });
    expect(admission).toMatchObject({ kind: "answered", replayed: false });
    expect(await ledger.admit(send)).toMatchObject({ kind: "answered", replayed: true });
  });

  it("is answered with the refusal of the send if the send is over a quota", async () => {
    const ledger = await makeLedger();
    leaveRoom(0);
    const send = sendOf([{ content: bytes(100_000) }], { policy: policy({ daily: 0 }) });
    expect(await ledger.admit(send)).toMatchObject({ kind: "over_quota" });
  });

  it("includes content of a send while 32 MB of messages wait for the disk", async () => {
    const ledger = await makeLedger();
    const kinds = await runInDurableObject(ledger, async (instance: TeamLedger) => {
      const sends = Array.from({ length: 33 }, () => sendOf([{ content: bytes(MEGABYTE) }]));
      return kindsOf(await instance.admitEach(sends));
    });
    expect(kinds).toEqual([...Array.from({ length: 31 }, () => "answered"), "begun", "begun"]);
    await accept(ledger, bytes(MEGABYTE));
    expect(await ledger.usage(NOON)).toMatchObject({ messages: 32 });
  });
});

describe("a message whose rows might exceed the platform's 2 MB", () => {
  it.each([
    ["its content", { content: bytes(1_750_000) }],
    ["its facts", { meta: JSON.stringify("\u65e5".repeat(584_000)) }],
    ["its content as UTF-8", { content: "\u00e9".repeat(875_000) }],
  ])("fails its own send only, because of %s", async (_, over) => {
    const ledger = await makeLedger();
    const [refused, taken] = await runInDurableObject(ledger, (instance: TeamLedger) =>
      Promise.allSettled([instance.admit(sendOf([over])), instance.admit(sendOf([{}]))]),
    );
    expect(String(refused?.status === "rejected" && refused.reason)).toMatch(
      /email_\S+ has 175\d{4} bytes; a row of the ledger can have 1750000/,
    );
    expect(taken).toMatchObject({ status: "fulfilled", value: { kind: "answered" } });
    expect(await ledger.usage(NOON)).toMatchObject({ messages: 1 });
  });
});

describe("a claim", () => {
  it("returns large content up to its byte limit, and all small content", async () => {
    const ledger = await makeLedger();
    const sizes = [300_000, SMALL - 1, 200_000, SMALL, 100_001];
    const messages = await accept(ledger, ...sizes.map((size) => bytes(size, size % 251)));
    const claim = await claimOf(ledger, messages, 400_001);
    const brought = new Map(claim.messages.map(({ emailId, content }) => [emailId, content]));
    const lengths = messages.map(({ id }) => brought.get(id)?.length ?? null);
    expect(lengths).toEqual([300_000, SMALL - 1, null, SMALL, 100_001]);
    for (const { id, content } of messages) {
      const whole = brought.get(id) ?? (await ledger.readContent(id));
      expect(Buffer.from(whole as Uint8Array).equals(content as Uint8Array)).toBe(true);
    }
    await settle(ledger, claim.grants, NOON);
    expect(await ledger.readContent(messages[2]!.id)).toBeNull();
  });

  it("returns no large content unless the claim asks for it", async () => {
    const ledger = await makeLedger();
    const [message] = await accept(ledger, bytes(SMALL + 1));
    const { messages } = await ledger.claim(refs(message!.id), NOON);
    expect(messages).toMatchObject([{ content: null, contentKey: null }]);
  });
});
