// Tests src/ledger/admission/idempotency.ts: replays, locks and the life of a key.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { Admission, AdmissionResult, BegunSend } from "../../../../src/rpc/ledger-calls.ts";
import { judgeKey, type KeyRecord } from "../../../../src/ledger/admission/idempotency.ts";
import { IDEMPOTENCY_LOCK_MS, IDEMPOTENCY_WINDOW_MS as WINDOW } from "../../../../src/limits.ts";
import type { TeamLedger } from "../../../../src/ledger/team-ledger.ts";
import {
  alarmOf,
  type LedgerStub,
  newLedger,
  NOON,
  policy,
  queuedLedger,
  recordQueue,
  restart,
  send,
  sendOf,
  setClock,
} from "../ledger-harness.ts";

const CLAIM = { key: "k1", fingerprint: "f1" };
const OTHER_BODY = { key: "k1", fingerprint: "f2" };
const ANSWER: AdmissionResult = { kind: "refused", status: 422, body: "{}" };
const REFUSED = { kind: "refused", status: 422, body: '{"error":{}}' } as const;

function answerOf(admission: Admission | BegunSend): AdmissionResult {
  if (admission.kind !== "answered") throw new Error(admission.kind);
  return admission.answer;
}

function firstId(admission: Admission | BegunSend): string {
  const answer = answerOf(admission);
  const item = answer.kind === "accepted" ? answer.items[0] : undefined;
  if (item?.kind !== "queued") throw new Error("not queued");
  return item.id;
}

async function begin(ledger: LedgerStub, now = NOON): Promise<string> {
  const beginning = await ledger.begin(policy(), CLAIM, now);
  if (beginning.kind !== "begun" || beginning.lock === null) throw new Error(beginning.kind);
  return beginning.lock;
}

describe("judgeKey", () => {
  const locked: KeyRecord = { fingerprint: "f1", lock: "mine", answer: null, at: NOON };
  const answered: KeyRecord = { ...locked, lock: null, answer: JSON.stringify(ANSWER) };
  it.each([
    ["lets an unused key pass", undefined, CLAIM, null, NOON, "free"],
    ["lets the holder of a lock pass", locked, CLAIM, "mine", NOON + 1, "free"],
    ["stops other callers", locked, CLAIM, null, NOON + IDEMPOTENCY_LOCK_MS - 1, "in_flight"],
    ["stops the holder of an earlier lock", locked, CLAIM, "older", NOON, "in_flight"],
    ["refuses another body during a lock", locked, OTHER_BODY, null, NOON, "mismatch"],
    ["ignores an expired lock", locked, CLAIM, null, NOON + IDEMPOTENCY_LOCK_MS, "free"],
    ["replays an answer", answered, CLAIM, null, NOON + WINDOW - 1, "replay"],
    ["refuses another body after an answer", answered, OTHER_BODY, null, NOON, "mismatch"],
    ["replays another holder's answer to a slow holder", answered, CLAIM, "mine", NOON, "replay"],
    ["ignores an expired answer", answered, OTHER_BODY, null, NOON + WINDOW, "free"],
  ] as const)("%s", (_, record, claim, lock, now, kind) => {
    expect(judgeKey(record ? [record] : [], claim, lock, now, IDEMPOTENCY_LOCK_MS).kind).toBe(kind);
  });

  const part = (content: string, octets: string, recipients: readonly string[]) => ({
    key: "k1",
    fingerprint: `f-${content}-${octets}`,
    submission: { content, octets, recipients },
  });
  const stored = (...claims: ReturnType<typeof part>[]): KeyRecord[] =>
    claims.map(({ fingerprint, submission }) => ({
      ...answered,
      fingerprint,
      answer: JSON.stringify({ ...ANSWER, submission }),
    }));
  const first = part("c1", "o1", ["a", "b"]);

  const one = stored(first);
  const two = stored(first, part("c2", "o1", ["c"]));

  it.each([
    ["replays a repetition with other octets", one, part("c1", "o2", ["b", "a"]), "replay"],
    ["lets the same octets to others pass", one, part("c2", "o1", ["c"]), "free"],
    ["refuses a part to an old recipient", one, part("c2", "o1", ["b", "c"]), "mismatch"],
    ["refuses other octets to others", one, part("c2", "o2", ["c"]), "mismatch"],
    ["lets a third part pass", two, part("c3", "o1", ["d"]), "free"],
    ["replays the second part", two, part("c2", "o3", ["c"]), "replay"],
    ["refuses a third part to old recipients", two, part("c3", "o1", ["c", "d"]), "mismatch"],
    ["refuses a message after an HTTP request", [answered], part("c1", "o1", ["a"]), "mismatch"],
    ["refuses a request over HTTP after a message", one, OTHER_BODY, "mismatch"],
    ["stops a message during another request", [locked], part("c1", "o1", ["a"]), "in_flight"],
    [
      "stops a part while another part is being accepted",
      [...one, locked],
      part("c2", "o1", ["c"]),
      "in_flight",
    ],
  ] as const)("%s", (_, records, claim, kind) => {
    const verdict = judgeKey(records, claim, null, NOON, IDEMPOTENCY_LOCK_MS);
    expect(verdict.kind).toBe(kind);
    if (verdict.kind === "replay") expect(verdict.answer).toEqual(ANSWER);
  });
});

describe("the parts of a message by SMTP", () => {
  const claimFor = (recipient: string, octets = "o") => ({
    key: "k1",
    fingerprint: `f-${recipient}`,
    submission: { content: `c-${recipient}`, octets, recipients: [recipient] },
  });

  it("are stored separately, also if their content is in R2, and each part is replayed", async () => {
    const { ledger } = await queuedLedger();
    const admit = (recipient: string, lock: string | null = null) =>
      ledger.admit(sendOf([{}], { idempotency: claimFor(recipient), lock }));
    const ids = [firstId(await admit("a")), firstId(await admit("b"))];
    const beginning = await ledger.begin(policy(), claimFor("c"), NOON);
    if (beginning.kind !== "begun") throw new Error(beginning.kind);
    expect((await admit("d")).kind).toBe("in_flight");
    expect(firstId(await admit("a"))).toBe(ids[0]);
    ids.push(firstId(await admit("c", beginning.lock)));
    await restart(ledger);
    for (const [index, recipient] of ["a", "b", "c"].entries()) {
      const again = await admit(recipient);
      expect(again).toMatchObject({ kind: "answered", replayed: true });
      expect(firstId(again)).toBe(ids[index]);
    }
    expect(new Set(ids).size).toBe(3);
    const other = await ledger.admit(sendOf([{}], { idempotency: claimFor("e", "other") }));
    expect(other.kind).toBe("mismatch");
  });

  it("keep their answers when another part is abandoned, which frees only that part's row", async () => {
    const { ledger } = await queuedLedger();
    const first = await ledger.admit(sendOf([{}], { idempotency: claimFor("a") }));
    const beginning = await ledger.begin(policy(), claimFor("b"), NOON);
    if (beginning.kind !== "begun" || beginning.lock === null) throw new Error(beginning.kind);
    await ledger.abandon("k1", beginning.lock);
    const again = await ledger.admit(sendOf([{}], { idempotency: claimFor("a") }));
    expect(firstId(again)).toBe(firstId(first));
    expect((await ledger.begin(policy(), claimFor("b"), NOON)).kind).toBe("begun");
  });
});

describe("an Idempotency-Key in the ledger", () => {
  it("replays an acceptance byte for byte, with its first ids, also after a restart", async () => {
    const { ledger } = await queuedLedger();
    const first = await ledger.admit(sendOf([{}, {}], { idempotency: CLAIM }));
    await evictDurableObject(ledger);
    const again = await ledger.admit(sendOf([{}, {}], { idempotency: CLAIM, now: NOON + 5_000 }));
    expect(again).toMatchObject({ kind: "answered", replayed: true });
    expect(JSON.stringify(answerOf(again))).toBe(JSON.stringify(answerOf(first)));
    expect(await ledger.usage(NOON)).toMatchObject({ dailyUsed: 2, messages: 2 });
  });

  it("replays a refused validation, whatever verdict the second caller brings", async () => {
    const ledger = newLedger();
    const first = await ledger.admit(send({ idempotency: CLAIM, verdict: REFUSED }));
    expect(first).toMatchObject({ kind: "answered", replayed: false, answer: REFUSED });
    const again = await ledger.admit(send({ idempotency: CLAIM }));
    expect(again).toMatchObject({ kind: "answered", replayed: true, answer: REFUSED });
    expect(await ledger.usage(NOON)).toMatchObject({ dailyUsed: 0, messages: 0 });
  });

  it("is free again after 24 hours, and then its table is dropped", async () => {
    const { ledger } = await queuedLedger();
    const first = firstId(await ledger.admit(send({ idempotency: CLAIM })));
    const idAt = async (now: number) =>
      firstId(await ledger.admit(send({ idempotency: CLAIM, now })));
    expect(await idAt(NOON + WINDOW - 1)).toBe(first);
    const later = await idAt(NOON + WINDOW);
    expect(later).not.toBe(first);
    setClock(NOON + 40 * 3_600_000);
    await recordQueue(ledger);
    await runDurableObjectAlarm(ledger);
    const tables = await runInDurableObject(ledger, (_, { storage }) =>
      storage.sql.exec("SELECT name FROM sqlite_master WHERE name LIKE 'idempotency%'").toArray(),
    );
    expect(tables).toEqual([{ name: `idempotency_${Math.floor(NOON / 86_400_000) + 1}` }]);
    expect(await idAt(NOON + WINDOW + 1)).toBe(later);
  });

  it("tells a second caller during the commit that the first call is in flight, or that the body differs", async () => {
    const { ledger } = await queuedLedger();
    const kinds = await runInDurableObject(ledger, async (instance: TeamLedger) => {
      const calls = [CLAIM, CLAIM, OTHER_BODY].map((idempotency) =>
        instance.admit(send({ idempotency })),
      );
      return (await Promise.all(calls)).map((admission) => admission.kind);
    });
    expect(kinds).toEqual(["answered", "in_flight", "mismatch"]);
  });

  it("keeps no answer for a 429 or a 502", async () => {
    const { ledger } = await queuedLedger();
    const kindOf = async (over: Parameters<typeof send>[0]) =>
      (await ledger.admit(send({ idempotency: CLAIM, ...over }))).kind;
    const { verdict } = sendOf([{ topic: "t" }]);
    expect(await kindOf({ policy: policy({ daily: 0 }) })).toBe("over_quota");
    expect(await kindOf({ verdict, policy: policy({ topicPerHour: 0 }) })).toBe("over_quota");
    expect(await kindOf({ verdict: { kind: "unavailable" } })).toBe("unavailable");
    expect(await kindOf({ policy: policy({ requestsPerSecond: 0 }) })).toBe("rate_limited");
    const last = await ledger.admit(send({ idempotency: CLAIM, now: NOON + 1_000 }));
    expect(last).toMatchObject({ kind: "answered", replayed: false });
  });

  it("uses the request rate before the key is looked up, even for a replay", async () => {
    const { ledger } = await queuedLedger();
    const one = { idempotency: CLAIM, policy: policy({ requestsPerSecond: 1 }) };
    const kinds = [];
    for (let turn = 0; turn < 3; turn += 1) kinds.push((await ledger.admit(send(one))).kind);
    expect(kinds).toEqual(["answered", "answered", "rate_limited"]);
  });
});

describe("a key that is locked while content is stored", () => {
  it("lets only the lock's holder admit, also after a restart, and then replays", async () => {
    const ledger = newLedger();
    const lock = await begin(ledger);
    await restart(ledger);
    expect((await ledger.begin(policy(), CLAIM, NOON + 1_000)).kind).toBe("in_flight");
    expect((await ledger.admit(send({ idempotency: CLAIM }))).kind).toBe("in_flight");
    const admitted = await ledger.admit(send({ idempotency: CLAIM, lock, takesRate: false }));
    expect(admitted).toMatchObject({ kind: "answered", replayed: false });
    expect(await ledger.begin(policy(), CLAIM, NOON + 2_000)).toMatchObject({
      kind: "answered",
      replayed: true,
      answer: answerOf(admitted),
    });
    expect((await ledger.begin(policy(), OTHER_BODY, NOON + 2_000)).kind).toBe("mismatch");
  });

  it("uses one request of the rate in total", async () => {
    const { ledger } = await queuedLedger();
    const beginning = await ledger.begin(policy(), CLAIM, NOON);
    if (beginning.kind !== "begun") throw new Error(beginning.kind);
    const { lock, rate } = beginning;
    const admitted = await ledger.admit(send({ idempotency: CLAIM, lock, takesRate: false }));
    expect(admitted.rate).toEqual(rate);
    const none = await ledger.begin(policy({ requestsPerSecond: 0 }), CLAIM, NOON);
    expect(none.kind).toBe("rate_limited");
  });

  it("is free at once if its holder gives up, is over quota or fails to store its content", async () => {
    const { ledger } = await queuedLedger();
    await ledger.abandon(CLAIM.key, await begin(ledger));
    const held = async (over: Parameters<typeof send>[0]) =>
      ledger.admit(
        send({ idempotency: CLAIM, takesRate: false, lock: await begin(ledger), ...over }),
      );
    await held({ policy: policy({ daily: 0 }) });
    await held({ verdict: { kind: "unavailable" } });
    expect((await ledger.begin(policy(), CLAIM, NOON)).kind).toBe("begun");
  });

  it("can't be given up with another lock", async () => {
    const ledger = newLedger();
    await begin(ledger);
    await ledger.abandon(CLAIM.key, crypto.randomUUID());
    expect((await ledger.begin(policy(), CLAIM, NOON)).kind).toBe("in_flight");
  });

  it("can be taken over after a minute; the first holder then gets the other's answer and sends no second message", async () => {
    const { ledger } = await queuedLedger();
    const slow = await begin(ledger);
    const quick = await begin(ledger, NOON + IDEMPOTENCY_LOCK_MS);
    const holder = { idempotency: CLAIM, takesRate: false };
    const early = send({ ...holder, lock: slow, now: NOON + IDEMPOTENCY_LOCK_MS });
    expect((await ledger.admit(early)).kind).toBe("in_flight");
    const won = await ledger.admit(send({ ...holder, lock: quick }));
    const late = await ledger.admit(send({ ...holder, lock: slow }));
    expect(late).toMatchObject({ replayed: true });
    expect(firstId(late)).toBe(firstId(won));
    expect(await ledger.usage(NOON)).toMatchObject({ messages: 1 });
  });

  it("sets no alarm before the end of its table's last day", async () => {
    const ledger = newLedger();
    await begin(ledger);
    expect(await alarmOf(ledger)).toBe(Date.UTC(2031, 0, 17));
  });
});
