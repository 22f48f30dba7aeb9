// Finds the end of a quoted string, a comment or a domain literal in a header's value (RFC 5322
// §3.2.2, §3.2.4 and §3.4.1). A backslash is the escape character. Pure, linear.

const CLOSING: Readonly<Record<string, string>> = { '"': '"', "(": ")", "[": "]" };

/**
 * Returns the index of the character that closes the string, comment or literal at `start`.
 * Undefined means that the value has no such character. Comments can be nested.
 */
export function findClosing(value: string, start: number): number | undefined {
  const opening = value.charAt(start);
  const closing = CLOSING[opening];
  let depth = 1;
  for (let at = start + 1; at < value.length; at += 1) {
    const character = value.charAt(at);
    if (character === "\\") at += 1;
    else if (character === closing) depth -= 1;
    else if (character === "(" && opening === "(") depth += 1;
    if (depth === 0) return at;
  }
  return undefined;
}
