// Formats the worker's log line `names_not_used` for the developer's terminal. The worker writes
// this line if a request has an unknown member.

const WARNING = '{"level":"warning","event":"names_not_used",';

/** Returns `postern: X-Ignored-Members: replyTo: did you mean reply_to?`, or null for others. */
export function warningIn(line: string): string | null {
  const start = line.indexOf(WARNING);
  if (start < 0) return null;
  const { header, names } = JSON.parse(line.slice(start, line.lastIndexOf("}") + 1)) as {
    readonly header: string;
    readonly names: readonly string[];
  };
  return `postern: ${header}: ${names.join("; ")}`;
}
