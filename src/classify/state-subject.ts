// Finds the subject of a state such as "disabled" in a reply (docs/bounces.md §What a state
// describes). The subject may be an address, but also TLS, a message, a relay or a service. So the
// code reads the words beside the state one by one, up to the noun. A word that this file does not
// list may be another subject, as in "recipient verification disabled". Such a word ends the search.
// Pure.

/** Words for a person who receives mail, for a mailbox or for its address. */
const ADDRESS_NOUN =
  /^(?:(?:user|mail|e-?mail|local)[-_]?(?:id|name|part|box)s?|(?:id|box|part)|users?|recipients?|addressees?|rcpt|mbox|inbox(?:es)?|webmail|accounts?|alias(?:es)?|persons?|customers?|subscribers?|employees?|students?|(?:mail)?address(?:es)?)(?:'s?)?$/;
/** Words that cannot be the subject. The search continues with the word before them. */
const NAMES_NOTHING =
  /^(?:is|are|was|were|be|been|being|has|have|had|also|either|still|now|yet|already|not|or|and|the|this|that|these|those|an?|you|who|which|e-?mail|local|current|old|marked|as|rejected|refused|error|status|state|failed|unavailable|blocked|locked|closed|disabled|inactive|suspended|full|tried|trying|attempting|reach|contact|write|send|sending|deliver|longer|[a-z]{3,16}(?<!rep)ly)$/;
const PREPOSITION = /^(?:for|to|of|with|in|on|at|from|by|via|against)$/;
/** Prepositions before the sender or a cause. */
const SOURCE = /^(?:from|by|via|against)$/;
const ARTICLE = /^(?:the|this|that|these|those|your|our|its|an?)$/;
/** Words before "account" that mean an account that is not the recipient's. */
const OF_OTHERS = /^(?:out(?:going|bound)|relay|submission|smtp|ip|api|resellers?)$/;
/**
 * Words for things that a person changes, as in "user disabled forwarding". The state is then not
 * the person's.
 */
const OBJECT =
  /^(?:the|this|his|her|their|its|your|any|all|new|delivery|access|e?-?mails?|messages?|[a-z]{2,16}(?:tion|ing)s?)$/;
/** Words that may stand between a state and the noun after it, as in "inactive e-mail account". */
const BESIDE_NOUN = /^(?:e-?mail|mail|local|or|and|an?)$/;
/**
 * Words that may follow a noun for an address without changing its meaning. In "user certificate",
 * the second word changes the meaning.
 */
const GOES_ON =
  /^(?:please|contact|see|visit|try|must|should|will|can|cannot|due|because|since|after|until|so|[^a-z].*)$/;
/**
 * Words that change the meaning of the noun for a person or a mailbox before them, as in "user
 * certificate".
 */
const THING =
  /(?:(?<!miss|exist|be|hav|receiv)ing|tion|sion|ment|ance|ence|(?<!activ)ity|ware|vice|ver)s?$|^(?:delivery|director(?:y|ies)|quer(?:y|ies)|polic(?:y|ies)|history|stores?|agents?|books?|certificates?|keys?|tokens?|signatures?|headers?|fields?|parameters?|options?|counts?|commands?|paths?|home|folders?|files?|limits?|databases?|look-?ups?|daemons?|records?|rights|privileges|orders?|quotas?|rules?|plans?|licen[sc]es?|types?|formats?|logins?|logs?|passwords?|access|class(?:es)?|roles?|scripts?|filters?|features?|queues?|backups?|portals?|shells?|relays?|auto-?reply|callouts?|transport|sync|trial|profile|set-?up|proxy|copy|e?-?mails?|imap|pop3?|smtp|tls|auth|api|calendar|groups?|modules?|plug-?ins?|gateway|package|upgrade|space|size|nodes?|cluster|cache|index|scan|checks?|alerts?|notices?|reports?|links?|sites?|apps?|devices?|content|spam|data)$/;
/** Nouns that may precede a local part, and verbs that may follow it. */
const HAS_NAME = /^(?:users?|accounts?|mail-?box)$/;
const VERB = /^(?:is|was|has|been)$/;
/** Words with which a sentence without a subject begins. The address of RCPT TO is its subject. */
const SUBJECTLESS = /^(?:is|was|has|been)$/;
/**
 * Words after a state. In a sentence without a subject, they show that the state belongs to the
 * message or the session.
 */
const CAUSE = /^(?:to|for|by|until|from|because|due)$/;

/** Number of characters that are read on each side of a state. */
const CHARACTERS_READ = 160;

/** The words beside a state, in the order of the text. */
interface Beside {
  readonly before: readonly string[];
  /** True if `before` begins where the text begins. */
  readonly isWhole: boolean;
  /**
   * The words after the state, up to the end of the text. Empty if a punctuation mark ends the
   * sentence at the state.
   */
  readonly after: readonly string[];
}

/**
 * Tells whether the words at these offsets describe the recipient's address or mailbox. `wording`
 * is the text as classify.ts prepares it. The kind `absence` means that the words say that the
 * address does not exist. A name may then stand between the words and the noun.
 */
export function isSaidOfAddress(
  wording: string,
  start: number,
  end: number,
  kind: "state" | "absence",
): boolean {
  if (start === 0 && end === wording.length) return true;
  const from = Math.max(0, start - CHARACTERS_READ);
  const before = wordsOf(wording.slice(from, start).replaceAll(":", ": "));
  const rest = wording.slice(end, end + CHARACTERS_READ);
  const beside = { before, isWhole: from === 0, after: rest.startsWith(" ") ? wordsOf(rest) : [] };
  return precedesAddress(beside) || followsAddress(beside, kind);
}

/**
 * Tells whether a word changes the meaning of a noun for a person or a mailbox before it: "user
 * database".
 */
export function isOwnedThing(word: string): boolean {
  return THING.test(word);
}

/** Tells whether a noun for an address follows the state: "inactive e-mail account". */
function precedesAddress({ before, after }: Beside): boolean {
  const index = after.findIndex((word) => !BESIDE_NOUN.test(nameOf(word)));
  const [noun = "", next = ""] = after.slice(Math.max(index, 0));
  const isLast = noun !== nameOf(noun) || goesOn(next) || isAddress(next) || /\d/.test(next);
  return ADDRESS_NOUN.test(nameOf(noun)) && isLast && !SOURCE.test(nameOf(before.at(-1)));
}

/**
 * Tells whether a noun for an address precedes the state: "the account that you tried to reach is
 * disabled". Reads from the state back to the noun.
 */
function followsAddress(beside: Beside, kind: "state" | "absence"): boolean {
  const { before, after, isWhole } = beside;
  for (let index = before.length - 1; index >= 0; index -= 1) {
    const word = before[index] ?? "";
    if (isAddress(word))
      return !hasObject(beside, index) && !isPartOfOther(before.slice(0, index), word);
    if (endsSentence(word)) return false;
    if (isPlace(before, index)) index -= 2;
    else if (isPassedNoun(before, index)) index -= 1;
    else if (!namesNothing(word) && !isBareName(before, index, kind)) return false;
  }
  return isWhole && SUBJECTLESS.test(nameOf(before[0])) && !CAUSE.test(nameOf(after[0]));
}

/**
 * Tells whether the state belongs to something else than the address at this index. Either the
 * address acts ("user disabled forwarding"), or it is a label before another sentence ("<@>:
 * invalid header").
 */
function hasObject({ before, after }: Beside, index: number): boolean {
  const next = after[0] ?? "";
  const isBeside = index === before.length - 1;
  const hasActed = /^(?:has|have)$/.test(nameOf(before.at(-1)));
  const isLabel = isBeside && /(?::|\.\.\.)$/.test(before[index] ?? "");
  if ((hasActed || isLabel) && !goesOn(next)) return true;
  return (hasActed || isBeside) && OBJECT.test(nameOf(next));
}

/**
 * Tells whether the noun for an address only describes another noun: "forwarding for the address".
 */
function isPartOfOther(before: readonly string[], noun: string): boolean {
  // subject.ts judges the words "from address", so they are accepted here.
  if (before.at(-1) === "from" && nameOf(noun) === "address") return false;
  for (let index = before.length - 1; index >= 0; index -= 1) {
    const word = before[index] ?? "";
    const name = nameOf(word);
    const isOpening = /^[([]/.test(before[index + 1] ?? noun);
    if (isOpening || /[.,:;!?-]$/.test(word) || name === "") return false;
    if (OF_OTHERS.test(name) || SOURCE.test(name)) return true;
    if (PREPOSITION.test(name)) {
      const head = before[index - 1] ?? "";
      if (head === "" || /[.,:;!?-]$/.test(head) || isAddress(head)) return false;
      if (!namesNothing(head)) return true;
    } else if (!ARTICLE.test(name) && !isAddress(word) && !namesNothing(word)) return false;
  }
  return false;
}

function isAddress(word: string): boolean {
  return word.includes("@") || /^<[^<>]{1,64}>/.test(word) || ADDRESS_NOUN.test(nameOf(word));
}

/** Tells whether a word cannot be a subject: it is a name, or belongs to the grammar. */
function namesNothing(word: string): boolean {
  const name = nameOf(word);
  const isName = /^["'([].{0,64}["')\]]|^[\d.-]{1,32}$|[_·]/.test(word);
  return name === "" || isName || NAMES_NOTHING.test(name) || PREPOSITION.test(name);
}

/** Tells whether words for a place end at this word: "on this server". */
function isPlace(words: readonly string[], index: number): boolean {
  return ARTICLE.test(nameOf(words[index - 1])) && PREPOSITION.test(nameOf(words[index - 2]));
}

/**
 * Tells whether this word can be a local part: "user ann unknown". If the kind is `state`, a verb
 * must follow, which shows that the noun ends here: "account ann is disabled".
 */
function isBareName(words: readonly string[], index: number, kind: "state" | "absence"): boolean {
  const noun = words[index - 1] ?? "";
  const isNamed =
    kind === "absence"
      ? ADDRESS_NOUN.test(noun)
      : HAS_NAME.test(noun) && VERB.test(words[index + 1] ?? "");
  return isNamed && !isOwnedThing(nameOf(words[index]));
}

/**
 * Tells whether the search may skip this word. It may skip the second of two nouns ("user or
 * domain") and a verb ("to mail").
 */
function isPassedNoun(words: readonly string[], index: number): boolean {
  const isVerb = words[index - 1] === "to" && /^e?-?mail$/.test(words[index] ?? "");
  return isVerb || (words[index - 1] === "or" && isAddress(words[index - 2] ?? ""));
}

/**
 * Tells whether a word continues the sentence without changing the meaning of the noun before it.
 */
function goesOn(word: string): boolean {
  const name = nameOf(word);
  return GOES_ON.test(name) || namesNothing(word) || word.includes("@");
}

function endsSentence(word: string): boolean {
  return /[.;!?]["')]?$/.test(word);
}

function wordsOf(text: string): string[] {
  return text.split(" ").filter((word) => word !== "");
}

/** Returns a word without the punctuation around it. */
function nameOf(word = ""): string {
  return word.replace(/^["'(<[{]{1,3}/, "").replace(/[>)\]}"',.:;!?-]{1,4}$/, "");
}
