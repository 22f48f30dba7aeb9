// Corrects the words that servers most often misspell, so that no bounce rule lists misspellings
// (docs/bounces.md §To mend a classification). Pure.

const SPELLINGS: readonly (readonly [misspelt: RegExp, word: string])[] = [
  [/\bnon[- ]?exist(?:[ea]n[tc]e?|ing)?\b/g, "nonexistent"],
  [/\b(?:un-?kn?own|unknow|unkwn?own|unknwon|unkonwn|unknon|uknown)\b/g, "unknown"],
  [/\brec(?:i|e|ei|ie)?p(?:ie|ei|ia|i|e)n?t/g, "recipient"],
  [/\b(mail)?(?:adress|addres|adresss|addresss|adddress)\b/g, "$1address"],
  [/\bmail-box/g, "mailbox"],
  [/\bdoes no exists?\b/g, "does not exist"],
  [/\bunava\w{1,5}[ai]ble\b/g, "unavailable"],
  [/(?<=not |n't )exi(?:ts?|sit|st)s?\b/g, "exist"],
  [/(?<=\b(?:is|was|been|account|mailbox|user) )(?:disable|deactivate)\b/g, "$&d"],
];

/** Replaces misspelled words of a lower-case text by the spelling that the rules use. */
export function correctSpelling(text: string): string {
  return SPELLINGS.reduce((corrected, [misspelt, word]) => corrected.replace(misspelt, word), text);
}
