// Extracts the comments from a header's value (RFC 5322 §3.2.2). Comments can be nested, use a
// backslash as the escape character, and do not begin inside a quoted string. Pure, linear.

/**
 * Returns the value with a space in place of each comment, and the text of each comment. Undefined
 * means that a comment or a quoted string is not closed.
 */
export function extractComments(
  value: string,
): { readonly text: string; readonly comments: readonly string[] } | undefined {
  const pieces: string[] = [];
  const comments: string[] = [];
  let from = 0;
  for (let at = 0; at < value.length; at += 1) {
    const character = value.charAt(at);
    if (character !== '"' && character !== "(") continue;
    const end = findEnd(value, at);
    if (end === undefined) return undefined;
    if (character === "(") {
      pieces.push(value.slice(from, at), " ");
      comments.push(value.slice(at + 1, end).replace(/\\(.)/g, "$1"));
      from = end + 1;
    }
    at = end;
  }
  return { text: [...pieces, value.slice(from)].join(""), comments };
}

/**
 * Returns the index of the delimiter that closes the comment or quoted string at `start`. Undefined
 * means that the text has no such delimiter.
 */
function findEnd(value: string, start: number): number | undefined {
  const isComment = value.charAt(start) === "(";
  let depth = 1;
  for (let at = start + 1; at < value.length; at += 1) {
    const character = value.charAt(at);
    if (character === "\\") at += 1;
    else if (character === (isComment ? ")" : '"')) depth -= 1;
    else if (character === "(" && isComment) depth += 1;
    if (depth === 0) return at;
  }
  return undefined;
}
