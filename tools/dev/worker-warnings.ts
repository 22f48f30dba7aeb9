// Formats a worker's log warning `names_not_used`, about a request that names an unknown member, as
// a line for the developer's terminal.

const WARNING = '{"level":"warning","event":"names_not_used",';

/**
 * Returns `postern: X-Ignored-Members: replyTo: did you mean reply_to?`, or null if the log line is
 * no such warning.
 */
export function warningIn(line: string): string | null {
  const start = line.indexOf(WARNING);
  if (start < 0) return null;
  const { header, names } = JSON.parse(line.slice(start, line.lastIndexOf("}") + 1)) as {
    readonly header: string;
    readonly names: readonly string[];
  };
  return `postern: ${header}: ${names.join("; ")}`;
}
