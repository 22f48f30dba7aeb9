// What the worker notes of a request that names something it does not know (a warning
// `names_not_used` of its log), as a line for the developer's terminal.

const NOTE = '{"level":"warning","event":"names_not_used",';

/**
 * `postern: X-Ignored-Members: replyTo: did you mean reply_to?`; null: the line is no such note.
 */
export function noteIn(line: string): string | null {
  const start = line.indexOf(NOTE);
  if (start < 0) return null;
  const { header, names } = JSON.parse(line.slice(start, line.lastIndexOf("}") + 1)) as {
    readonly header: string;
    readonly names: readonly string[];
  };
  return `postern: ${header}: ${names.join("; ")}`;
}
