// Tests src/ledger/open/content-groups.ts: each message of a request gets its own content back,
// and content is kept as long as one message needs it.
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { Candidate, Grant } from "../../../../src/rpc/ledger-calls.ts";
import type { TeamLedger } from "../../../../src/ledger/team-ledger.ts";
import {
  candidate,
  type LedgerStub,
  NOON,
  pacedSend,
  queuedLedger,
  restart,
  settle,
} from "../ledger-harness.ts";

interface GroupFact extends Record<string, SqlStorageValue> {
  first: number;
  count: number;
  units: number;
}

type Content = Candidate["content"];

/**
 * Makes a ledger that accepted a request with one message for each of these contents. Null: the
 * content is in R2.
 */
async function accepted(
  contents: readonly Content[],
): Promise<{ ledger: LedgerStub; messages: Candidate[] }> {
  const { ledger } = await queuedLedger();
  return { ledger, messages: await admit(ledger, contents) };
}

async function admit(
  ledger: Pick<TeamLedger, "admit"> | LedgerStub,
  contents: readonly Content[],
): Promise<Candidate[]> {
  const messages = contents.map((content, index) =>
    candidate({ content, contentKey: content === null ? `content/${index}` : null }),
  );
  await ledger.admit(pacedSend(messages, 100_000));
  return messages;
}

/** Returns contents by email id. */
function contentsOf(messages: readonly Candidate[]): Map<string, Content> {
  return new Map(messages.map(({ id, content }) => [id, content]));
}

function groupsIn(ledger: LedgerStub): Promise<GroupFact[]> {
  return runInDurableObject(ledger, (_, { storage }) =>
    storage.sql
      .exec<GroupFact>(
        "SELECT first, count, length(content) AS units FROM content_groups ORDER BY first",
      )
      .toArray(),
  );
}

function inlineIn(ledger: LedgerStub): Promise<number> {
  return runInDurableObject(
    ledger,
    (_, { storage }) =>
      storage.sql.exec<{ rows: number }>("SELECT count(content) AS rows FROM ledger").one().rows,
  );
}

/** Claims the only job of each message in the given order. Returns the contents by email id. */
async function claimed(
  ledger: LedgerStub,
  messages: readonly Candidate[],
  now = NOON,
): Promise<{ grants: readonly Grant[]; contents: Map<string, Content> }> {
  const jobs = messages.map(({ id }) => ({ emailId: id, recipientIndex: 0 }));
  const claim = await ledger.claim(jobs, now);
  return {
    grants: claim.grants,
    contents: new Map(claim.messages.map(({ emailId, content }) => [emailId, content])),
  };
}

const end = (ledger: LedgerStub, grants: readonly Grant[], nextAttemptAt: number | null = null) =>
  settle(ledger, grants, NOON, nextAttemptAt);

/** Returns about 2,000 UTF-16 units with every kind of character. */
function text(index: number): string {
  const kinds = ["plain", "gr\u00fc\u00dfe", "\u65e5\u672c", "\u{1f4ec}", "\u0000\u0001"];
  return `${index} ${kinds[index % 5]} `.padEnd(1_900 + index, `\u00e9${index}`);
}

const texts = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, index) => text(from + index));

describe("the content of a hundred messages of one request", () => {
  it("is stored in a few rows, and each claim gets its own message's content, in any order and after a restart", async () => {
    const { ledger, messages } = await accepted(texts(100));
    const groups = await groupsIn(ledger);
    expect(groups.length).toBeLessThan(6);
    expect(groups.reduce((sum, { count }) => sum + count, 0) + (await inlineIn(ledger))).toBe(100);
    await evictDurableObject(ledger);
    const wanted = [...messages.slice(60, 80), ...messages.slice(0, 3), ...messages.slice(95)];
    const { contents } = await claimed(ledger, wanted.toReversed());
    expect(contents).toEqual(contentsOf(wanted));
    const rest = messages.filter((message) => !wanted.includes(message));
    expect((await claimed(ledger, rest)).contents).toEqual(contentsOf(rest));
  });

  it("is kept until the last message is done, also after a retry and other requests", async () => {
    const { ledger, messages } = await accepted(texts(30));
    const later = await admit(ledger, texts(20, 50));
    const [first] = await groupsIn(ledger);
    const { grants } = await claimed(ledger, messages);
    const [deferred, ...others] = grants;
    await end(ledger, others);
    await end(ledger, [deferred!], NOON + 60_000);
    await end(ledger, (await claimed(ledger, later)).grants);
    await evictDurableObject(ledger);
    expect(await groupsIn(ledger)).toEqual([first]);
    const [message] = messages;
    const again = await claimed(ledger, [message!], NOON + 60_000);
    expect(again.contents).toEqual(contentsOf([message!]));
    await end(ledger, again.grants);
    expect(await groupsIn(ledger)).toEqual([]);
    expect(await ledger.usage(NOON)).toMatchObject({ messages: 0, jobs: 0 });
  });

  it("is not given to other messages: a message with its content in R2, or a later message", async () => {
    const contents = [...texts(7), null, ...texts(13, 7), null];
    const { ledger, messages } = await accepted(contents);
    const [alone] = await admit(ledger, ["alone"]);
    expect(await groupsIn(ledger)).toMatchObject([{ count: 22 }]);
    const claim = await claimed(ledger, [...messages, alone!]);
    expect(claim.contents).toEqual(contentsOf([...messages, alone!]));
    await end(ledger, claim.grants.slice(-1));
    expect(await groupsIn(ledger)).toHaveLength(1);
    await end(ledger, claim.grants);
    expect(await groupsIn(ledger)).toEqual([]);
  });

  it("is not given to messages whose content is bytes, which share no row", async () => {
    const bytes = (length: number) => new Uint8Array(length).fill(7);
    const mixed = [...texts(20), bytes(10), ...texts(3, 20), bytes(90_000), ...texts(16, 30)];
    const { ledger, messages } = await accepted(mixed);
    expect(await groupsIn(ledger)).toMatchObject([{ count: 20 }, { count: 16 }]);
    expect(await inlineIn(ledger)).toBe(5);
    await evictDurableObject(ledger);
    expect((await claimed(ledger, messages)).contents).toEqual(contentsOf(messages));
  });

  it("is not given to messages accepted after a restart, even if most of its own messages are deleted", async () => {
    const { ledger, messages } = await accepted(texts(30));
    const [left, ...others] = (await claimed(ledger, messages)).grants;
    await end(ledger, others);
    await end(ledger, [left!], NOON + 60_000);
    await restart(ledger);
    const later = await admit(ledger, texts(40, 50));
    const [message] = messages;
    const { grants, contents } = await claimed(ledger, [...later, message!], NOON + 60_000);
    expect(contents).toEqual(contentsOf([message!, ...later]));
    await end(ledger, grants);
    expect(await groupsIn(ledger)).toEqual([]);
  });
});

describe("content that is stored in its message's own row", () => {
  it.each([
    ["is that of a single message", ["alone"]],
    ["is that of few messages", texts(15)],
    ["is large", Array.from({ length: 20 }, (_, index) => `${index}`.padEnd(5_000, "."))],
  ])("%s", async (_, contents) => {
    const { ledger, messages } = await accepted(contents);
    expect(await groupsIn(ledger)).toEqual([]);
    expect((await claimed(ledger, messages)).contents).toEqual(contentsOf(messages));
  });
});
