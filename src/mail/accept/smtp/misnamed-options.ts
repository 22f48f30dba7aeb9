// Recognises an X-Service- header that names an option in other words or with a typing error
// (contract.md §Option headers). Without its option, a message could go out at once, to the wrong
// topic or twice, so the message is refused with the right name. All other unknown headers are
// allowed, because a company may use the prefix for headers of its own. Pure.
import { editDistance } from "../../../lib/nearest-name.ts";
import { pathSegment } from "../../../refusal.ts";
import type { FieldProblems } from "../field-problems.ts";
import type { HeaderField } from "./header-section.ts";

/**
 * The names of the option headers, after `X-Service-`, each with other words for the same option.
 */
const OPTIONS: Readonly<Record<string, string>> = {
  "Send-At":
    "scheduled scheduledat scheduledfor scheduledtime schedule scheduleat schedulefor scheduletime " +
    "sendlater sendafter sendtime senddate sendon senddelay sendin sendwhen deliverat deliverafter " +
    "deliverytime deliverydate deliveryat deliverlater delay delayuntil delayfor delaysend " +
    "delayedsend delayed defer deferuntil deferred holdfor holduntil futurerelease releaseat " +
    "notbefore later",
  Tags: "tag label labels tagging tagged",
  Topic: "topics messagestream subscriptiontopic subscriptiongroup unsubscribegroup",
  Campaign: "campaigns",
  "IP-Pool": "pool pools ippools sendingpool sendingippool dedicatedippool dedicatedpool",
  Priority: "priorities prio importance urgency xpriority",
  "Template-Id": "template templates templatealias templateslug templateuuid usetemplate",
  Variables:
    "variable vars var templatevariables templatevariable templatevars templatedata templatemodel " +
    "templateparams templatecontext dynamictemplatedata dynamicdata mergevars mergevariables " +
    "mergedata mergetags substitution substitutions substitutiondata globalmergevars " +
    "recipientvariables personalization personalizations placeholders",
  Metadata: "meta metadatas customargs uniqueargs custommetadata usermetadata",
  Sensitive: "sensitivity sensitivemail confidential secret secrets nocontent nostore",
  "Reply-Tracking":
    "trackreplies trackreply replytrack repliestracking replies trackingreplies replyhandling " +
    "inboundreplies receivereplies",
  Unsubscribe: "listunsubscribe unsubscribelink unsubscribeurl unsubscription optout optoutlink",
  Tracking:
    "track tracks trackopens trackclicks trackopen trackclick tracklinks trackingopens " +
    "trackingclicks opentracking opentrack clicktracking clicktrack clickstracking openstracking " +
    "linktracking notracking trackingsettings",
  "Idempotency-Key":
    "idempotency idempotent idempotentkey idempotencytoken dedupe dedup deduplicate deduplication " +
    "dedupekey dedupkey deduplicationkey dedupeid dedupid deduplicationid",
};
/** Words that do not change the meaning of an option's name, as in `X-Service-Email-Tag`. */
const FILLERS = new Set("email mail message msg header option id name key value list".split(" "));
/** Words that look like the name of an option but have another meaning. */
const OTHER_MEANINGS = new Set("tracing subscribe subscribed".split(" "));
const PREFIX = "x-service-";
const COMPARED_CHARACTERS = 40;
/** The minimum length of a word in which two wrong letters count as a typing error. */
const LONG_CHARACTERS = 10;
/**
 * The minimum length of a word that may have a typing error. Too many words of another meaning are
 * similar to a shorter word.
 */
const SLIP_CHARACTERS = 8;

const EXACT = new Set(Object.keys(OPTIONS).map((name) => PREFIX + name.toLowerCase()));
/** Each word for an option, in small letters and without hyphens, with the option's name. */
const WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries(OPTIONS).flatMap(([name, others]) =>
    [lettersOf(name), ...others.split(" ")].map((word) => [word, name] as const),
  ),
);

export function isOptionHeader(lowerName: string): boolean {
  return EXACT.has(lowerName);
}

/** Adds an error for each header that names an option wrongly. */
export function refuseMisnamedOptions(
  fields: readonly HeaderField[],
  problems: FieldProblems,
): void {
  for (const { name } of fields) {
    const option = optionMeantBy(name);
    if (option !== undefined)
      problems.invalid(`headers.${pathSegment(name)}`, `is not an option: write ${option}`);
  }
}

/**
 * Returns the name of the option header that a header means. Undefined means that the header's name
 * is right, or that the header does not mean an option.
 */
export function optionMeantBy(name: string): string | undefined {
  const lowerName = name.toLowerCase();
  if (!lowerName.startsWith(PREFIX) || EXACT.has(lowerName)) return undefined;
  const words = lowerName.slice(PREFIX.length).split(/[^a-z0-9]/);
  const given = words.join("");
  const bare = words.filter((word) => !FILLERS.has(word)).join("");
  const option = WORDS.get(given) ?? WORDS.get(bare) ?? optionByLetters(given);
  return option && `X-Service-${option}`;
}

function optionByLetters(given: string): string | undefined {
  if (given.length > COMPARED_CHARACTERS || OTHER_MEANINGS.has(given)) return undefined;
  for (const [word, option] of WORDS) {
    const isName = lettersOf(option) === word;
    if ((isName || word.length >= SLIP_CHARACTERS) && isSlip(given, word)) return option;
  }
  return undefined;
}

/**
 * Returns whether a word differs by one letter, which is wrong, missing, added or exchanged with
 * its neighbour. In a long word, two letters may differ.
 */
function isSlip(given: string, word: string): boolean {
  const most = word.length >= LONG_CHARACTERS ? 2 : 1;
  if (Math.abs(given.length - word.length) > most) return false;
  const distance = editDistance(given, word);
  return distance <= most || (distance === 2 && sortLetters(given) === sortLetters(word));
}

function sortLetters(word: string): string {
  return Array.from(word).sort().join("");
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll("-", "");
}
