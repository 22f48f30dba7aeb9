// Decides about sends to a team's ledger in the order of contract.md §Order of checks: the request
// rate, the Idempotency-Key, the caller's verdict, the quotas (accept-send.ts). Refuses sends while
// the ledger's disk is nearly full.
import type {
  Admission,
  AdmitItem,
  AdmitRequest,
  BegunSend,
  Beginning,
  Candidate,
  IdempotencyClaim,
  Policy,
  RateState,
  RecalledSend,
} from "../../rpc/ledger-calls.ts";
import { overload } from "../../lib/group-commit.ts";
import { acceptSend, beginSend, type OmitEach } from "./accept-send.ts";
import { candidatesIn } from "./decide-items.ts";
import type { LedgerChange } from "../after-commit.ts";
import { assertRowsFit, largeBytesIn } from "../open/large-content.ts";
import { type RecallDependencies, RecalledSends } from "./recalled-sends.ts";
import { RequestGate } from "./request-gate.ts";
import { RequestRates } from "./request-rates.ts";

/**
 * Database size at which the ledger begins to refuse sends. The platform allows 10 GB. The ledger
 * needs the difference to settle messages that it has already accepted.
 */
const FULL_BYTES = 8_000_000_000;
/** Number of admissions after which the database's size is read again. */
const ADMISSIONS_PER_LOOK = 64;
/**
 * Maximum size of the messages that wait for a commit at one time, in bytes or UTF-16 units. A
 * Durable Object has 128 MB of memory in all. When the maximum is reached, a request with large
 * content has to store its content in R2 first, and the ledger refuses calls with other requests.
 */
const ARRIVING_UNITS = 32 * 1024 * 1024;

interface AdmissionDependencies extends RecallDependencies {
  /**
   * Runs `work` in the next group commit. Then does the further work that `work` returned
   * (after-commit.ts).
   */
  readonly change: <Result>(work: () => LedgerChange<Result>) => Promise<Result>;
  /** The size of the ledger's database in bytes. */
  readonly databaseSize: () => number;
}

export class SendAdmission {
  readonly #using: AdmissionDependencies;
  readonly #gate: RequestGate;
  readonly #rates = new RequestRates();
  readonly #recalled: RecalledSends;
  /** Number of sends that this object has judged since its start. */
  #judged = 0;
  #wasFull = false;
  /** Size of the messages that wait for a commit. */
  #arriving = 0;

  constructor(using: AdmissionDependencies) {
    this.#using = using;
    this.#gate = new RequestGate(() => using.state().keys);
    this.#recalled = new RecalledSends(using);
  }

  /** True if the disk was nearly full when its size was last checked. */
  get wasFull(): boolean {
    return this.#wasFull;
  }

  /** See TeamLedger.takeRequest. */
  takeRequest(
    { requestsPerSecond }: Policy,
    now: number,
    session: string | null,
  ): { allowed: boolean; rate: RateState } {
    return this.#rates.take(requestsPerSecond, now, session);
  }

  /** See TeamLedger.begin. */
  async begin(
    policy: Policy,
    claim: IdempotencyClaim,
    now: number,
    session: string | null,
  ): Promise<Beginning> {
    const { allowed, rate } = this.takeRequest(policy, now, session);
    if (!allowed) return { kind: "rate_limited", rate };
    const stop = this.#gate.judgeKey(claim, null, now);
    if (stop) return { ...stop, rate };
    return { ...(await this.#begin(claim, null, now)), rate };
  }

  /** See TeamLedger.abandon. */
  async abandon(key: string, lock: string): Promise<void> {
    await this.#using.write(() => this.#using.state().keys.release(key, lock));
  }

  /**
   * See TeamLedger.admitEach. Takes all requests of a call. If the ledger is overloaded, it takes
   * none of them and rejects the call. The caller then repeats the whole call.
   */
  admitEach(requests: readonly AdmitRequest[]): Promise<(Admission | BegunSend)[]> {
    const small = requests
      .flatMap(({ verdict }) => (verdict.kind === "items" ? [candidatesIn(verdict.items)] : []))
      .filter((candidates) => largeBytesIn(candidates) === 0);
    if (this.#arriving > 0 && this.#arriving + sizeOf(small.flat()) > ARRIVING_UNITS)
      return Promise.reject(overload());
    return Promise.all(requests.map((request) => this.#admit(request)));
  }

  async #admit(request: AdmitRequest): Promise<Admission | BegunSend> {
    const { policy, session, idempotency: claim, lock, verdict, now } = request;
    const { state, write } = this.#using;
    const { allowed, rate } = request.takesRate
      ? this.takeRequest(policy, now, session)
      : { allowed: true, rate: this.#peekRate(request) };
    if (!allowed) return { kind: "rate_limited", rate };
    const stop = claim && this.#gate.judgeKey(claim, lock, now);
    if (stop) return { ...stop, rate };
    if (verdict.kind === "items" && !this.#isFull()) {
      return { ...(await this.#decide(request, verdict.items)), rate };
    }
    if (verdict.kind === "refused") {
      if (claim)
        await this.#gate.hold(claim, () => write(() => state().keys.answer(claim, verdict, now)));
      return { kind: "answered", rate, replayed: false, answer: verdict };
    }
    if (claim && lock !== null) await this.abandon(claim.key, lock);
    const isFull = verdict.kind === "items" ? { isFull: true as const } : {};
    return { kind: "unavailable", rate, items: [], ...isFull };
  }

  /** See TeamLedger.recall. */
  recall(requests: readonly AdmitRequest[]): Promise<RecalledSend[]> {
    return Promise.all(
      requests.map((request) => this.#recalled.recall(request, this.#peekRate(request))),
    );
  }

  #peekRate({ policy, now, session }: AdmitRequest): RateState {
    return this.#rates.peek(policy.requestsPerSecond, now, session);
  }

  #decide(
    request: AdmitRequest,
    items: readonly AdmitItem[],
  ): Promise<OmitEach<Admission | BegunSend, "rate">> {
    assertRowsFit(items);
    const { idempotency: claim, lock, now } = request;
    const { state, change } = this.#using;
    const candidates = candidatesIn(items);
    const units = sizeOf(candidates);
    if (largeBytesIn(candidates) > 0 && this.#arriving + units > ARRIVING_UNITS)
      return this.#begin(claim, lock, now);
    this.#arriving += units;
    const decided = this.#gate.hold(claim, () =>
      change(() =>
        this.#recalled.isRevoked(items)
          ? { result: { kind: "unavailable", items: [] } as const }
          : acceptSend(state(), request, items),
      ),
    );
    return decided.finally(() => (this.#arriving -= units));
  }

  /**
   * Locks the Idempotency-Key of a send, if the send has one, before the send's content is stored
   * in R2.
   */
  async #begin(
    claim: IdempotencyClaim | null,
    lock: string | null,
    now: number,
  ): Promise<Omit<BegunSend, "rate">> {
    const { state, write } = this.#using;
    return claim
      ? this.#gate.hold(claim, () => write(() => beginSend(state().keys, claim, lock, now)))
      : { kind: "begun", lock: null };
  }

  #isFull(): boolean {
    if (this.#judged % ADMISSIONS_PER_LOOK === 0)
      this.#wasFull = this.#using.databaseSize() >= FULL_BYTES;
    this.#judged += 1;
    return this.#wasFull;
  }
}

function sizeOf(candidates: readonly Candidate[]): number {
  return candidates.reduce(
    (sum, { meta, content }) => sum + meta.length + (content?.length ?? 0),
    0,
  );
}
