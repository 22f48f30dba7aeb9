// Extracts the comments from a header's value (RFC 5322 §3.2.2). A comment does not begin inside a
// quoted string. Pure, linear.
import { findClosing } from "../../closing-mark.ts";

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
    const end = findClosing(value, at);
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
