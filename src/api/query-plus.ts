// Reads an unescaped `+` in a query as a plus if the parameter contains an address or a Message-ID
// (contract.md §Query parameters). HTML forms write a space as `+`, but addresses and Message-IDs
// have no space outside quotes. src/lib/iso-time.ts does the same for times. Pure.

const WITHOUT_BLANKS: readonly string[] = [
  "recipient",
  "email_contains",
  "email_from",
  "prefix",
  "message_id",
];

export type Parameters = Readonly<Record<string, string | readonly string[]>>;

/** Returns the decoded parameters of a URL's query with their plus signs restored. */
export function withPlusSigns(given: Parameters, url: string): Parameters {
  const query = url.slice(url.indexOf("?") + 1);
  const names = WITHOUT_BLANKS.filter((name) => Object.hasOwn(given, name));
  if (names.length === 0 || !query.includes("+")) return given;
  const literal = new URLSearchParams(query.replaceAll("+", "%2B"));
  const restored = names.map((name) => {
    const decoded = [given[name] ?? []].flat();
    const values = literal.getAll(name).map((value, index) => {
      const isQuoted = value.includes('"');
      return isQuoted ? (decoded[index] ?? value) : value;
    });
    return [name, values.length === 1 ? values[0]! : values] as const;
  });
  return { ...given, ...Object.fromEntries(restored) };
}
