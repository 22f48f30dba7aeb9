// Asks DNS block lists about the gateway's addresses (RFC 5782). First asks for each list's test
// entries. If a list refuses to answer, does not work or lists every address, its answers about the
// gateway's addresses mean nothing.
import { isIPv6 } from "node:net";
import { unlessSilent } from "./address-checks.ts";
import { type BlockList, BLOCK_LISTS, REFUSALS } from "./block-lists.ts";
import { reverseLabels } from "./reverse-name.ts";
import type { WatchDns } from "./watch-dns.ts";
import { selfCheck, type SelfCheck } from "./self-check.ts";

/**
 * The test addresses. Each list has an entry for the first one, and none for the second (RFC 5782
 * §5).
 */
const LISTED_FOR_TESTS = "127.0.0.2";
const NEVER_LISTED = "127.0.0.1";
const REFUSED = /^127\.255\.255\.\d+$/;
const OWN_RESOLVER =
  "set EGRESS_BLOCK_LISTS_DNS to a resolver of your own that asks the list directly, and " +
  "check whether the list demands a registration";

type Verdict =
  | { readonly kind: "listed"; readonly why: string }
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "clean" }
  /** Another server answers instead of the list. */
  | { readonly kind: "strange"; readonly why: string };

export async function checkBlockLists(
  dns: WatchDns,
  addresses: readonly string[],
): Promise<SelfCheck[]> {
  const each = BLOCK_LISTS.map((list) => checkBlockList(dns, list, addresses));
  return (await Promise.all(each)).flat();
}

/**
 * Asks one list about each address. If the list's test entries are wrong, returns one result about
 * the list instead.
 */
async function checkBlockList(
  dns: WatchDns,
  list: BlockList,
  addresses: readonly string[],
): Promise<SelfCheck[]> {
  const asked = addresses.filter((address) => list.hasIpv6 || !isIPv6(address));
  if (asked.length === 0) return [];
  const fault = await unlessSilent("block_list", list.name, () => tryOut(dns, list), OWN_RESOLVER);
  if (fault.status === "unknown") return [fault];
  const results: SelfCheck[] = [];
  for (const address of asked) {
    const ask = async () => selfCheckOf(list, address, await verdictOf(dns, list, address));
    results.push(await unlessSilent("block_list", list.name, ask, OWN_RESOLVER));
  }
  return results;
}

async function tryOut(dns: WatchDns, list: BlockList): Promise<SelfCheck> {
  const [test, other] = await Promise.all([
    verdictOf(dns, list, LISTED_FOR_TESTS),
    verdictOf(dns, list, NEVER_LISTED),
  ]);
  const refusal = [test, other].find(({ kind }) => kind === "refused" || kind === "strange");
  if (refusal) return selfCheckOf(list, NEVER_LISTED, refusal);
  if (test.kind !== "listed")
    return meaningless(
      list,
      "has no entry for tests: the list is closed, or this resolver can't reach it",
    );
  if (other.kind !== "clean")
    return meaningless(list, "lists every address, so its answers mean nothing");
  return selfCheck("block_list", "ok", list.name, `${list.name} answers`);
}

async function verdictOf(dns: WatchDns, list: BlockList, address: string): Promise<Verdict> {
  const answers = await dns(`${reverseLabels(address)}.${list.zone}`, "A");
  const refusal = answers.find((answer) => REFUSED.test(answer));
  if (refusal !== undefined)
    return { kind: "refused", why: `${refusal}: ${REFUSALS[refusal] ?? "for an unknown reason"}` };
  const strange = answers.find((answer) => !answer.startsWith("127.") || answer === NEVER_LISTED);
  if (strange !== undefined) return { kind: "strange", why: strange };
  if (answers.length === 0) return { kind: "clean" };
  const reasons = answers.map((answer) => `${answer}: ${list.answers[answer] ?? "unknown reason"}`);
  return { kind: "listed", why: reasons.join("; ") };
}

function selfCheckOf(list: BlockList, address: string, verdict: Verdict): SelfCheck {
  const { name, delisting } = list;
  switch (verdict.kind) {
    case "clean":
      return selfCheck("block_list", "ok", name, `${name} does not list ${address}`);
    case "listed":
      return selfCheck(
        "block_list",
        "critical",
        name,
        `${name} lists ${address} (${verdict.why})`,
        "find and end the cause, then ask the list to remove the address",
        delisting,
      );
    case "refused":
      return meaningless(list, `refuses to answer (${verdict.why})`);
    case "strange":
      return meaningless(
        list,
        `answers ${verdict.why}, but block lists do not answer this: another server answers in ` +
          "its place",
      );
  }
}

/** Returns the result for a list whose answers mean nothing. `what` continues the list's name. */
function meaningless({ name }: BlockList, what: string): SelfCheck {
  return selfCheck("block_list", "unknown", name, `${name} ${what}`, OWN_RESOLVER);
}
