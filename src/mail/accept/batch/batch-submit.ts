// Asks the team's ledger about a batch, once (contracts/ledger-contract.ts). As with a single send,
// large content is stored before its message is; a content that can't be stored fails its own item
// alone.
import type { ApiRequest } from "../../../endpoint.ts";
import type {
  Admission,
  AdmitItem,
  IdempotencyClaim,
  ItemResult,
} from "../../../contracts/ledger-contract.ts";
import { logError } from "../../../lib/log.ts";
import { RefusalError } from "../../../refusal.ts";
import { type BatchItem, contentUnits, type LargeItem } from "./batch-items.ts";
import { deleteContents, itemOf, putContents } from "../message-content.ts";
import { contentOf } from "../draft.ts";
import { admit, begin, wholeQuestion } from "../submit.ts";

/** The ledger could not be reached: what each item is for the caller. */
export interface Unreachable {
  readonly kind: "unreachable";
  readonly headers: Readonly<Record<string, string>>;
  readonly items: readonly ItemResult[];
}

/**
 * A worker has six connections; and beside the request itself, memory for some 16 million units of
 * content.
 */
const PUTS_AT_ONCE = 6;
const UNITS_AT_ONCE = 16 * 1024 * 1024;

const FAULT = {
  kind: "failed",
  error: JSON.stringify({
    type: "internal_error",
    message: "The message could not be taken; it was not sent. Retry with backoff.",
  }),
  isFault: true,
} as const satisfies AdmitItem;

export async function submitBatch(
  request: ApiRequest,
  claim: IdempotencyClaim | null,
  items: readonly BatchItem[],
): Promise<Admission | Unreachable> {
  try {
    return await ask(request, claim, items);
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    return {
      kind: "unreachable",
      headers: error.headers,
      items: items.map((item) => (item.kind === "failed" ? item : FAULT)),
    };
  }
}

async function ask(
  request: ApiRequest,
  idempotency: IdempotencyClaim | null,
  items: readonly BatchItem[],
): Promise<Admission> {
  if (areSmall(items)) return admit(request, wholeQuestion(idempotency, { kind: "items", items }));

  const beginning = await begin(request, idempotency);
  if (beginning.kind !== "begun") return beginning;
  const verdict = { kind: "items", items: await store(request, items) } as const;
  // When this throws, the answer may have got lost behind a commit: the contents stay, for the
  // sweep by age.
  const admission = await admit(request, {
    idempotency,
    lock: beginning.lock,
    takesRate: false,
    verdict,
  });
  const unused = items.filter(
    (item, index) => item.kind === "large" && !isQueued(admission, index),
  ) as LargeItem[];
  if (unused.length > 0) request.defer(deleteContents(request.env.CONTENT, unused));
  return admission;
}

function areSmall(items: readonly BatchItem[]): items is readonly AdmitItem[] {
  return items.every(({ kind }) => kind !== "large");
}

/** Writes the large contents: the items as the ledger takes them, failed where that failed. */
async function store(request: ApiRequest, items: readonly BatchItem[]): Promise<AdmitItem[]> {
  const largest = Math.max(
    ...items.map((item) => (item.kind === "large" ? contentUnits(item.email) : 1)),
  );
  const width = Math.min(PUTS_AT_ONCE, Math.max(1, Math.floor(UNITS_AT_ONCE / largest)));
  const stored: AdmitItem[] = [];
  const queue = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of queue)
      stored[index] = item.kind === "large" ? await storeOne(request, item) : item;
  };
  await Promise.all(Array.from({ length: width }, work));
  return stored;
}

async function storeOne(
  { env, caller, requestId }: ApiRequest,
  { candidate, email }: LargeItem,
): Promise<AdmitItem> {
  const draft = { candidate, content: contentOf(email) };
  try {
    await putContents(env.CONTENT, [draft]);
  } catch (error) {
    logError("pipeline_unavailable", error, {
      request_id: requestId,
      what: "content",
      team_id: caller.team.id,
      email_id: candidate.id,
    });
    return FAULT;
  }
  return itemOf(draft);
}

/** Whether the message of that item is stored now. */
function isQueued(admission: Admission, index: number): boolean {
  if (admission.kind !== "answered" || admission.replayed || admission.answer.kind !== "accepted")
    return false;
  return admission.answer.items[index]?.kind === "queued";
}
