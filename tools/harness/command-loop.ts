// The child's side of child.ts. It reads one JSON request per line from stdin and writes one JSON
// answer per line to stdout, in order. The child ends when stdin ends, so it never outlives its
// parent.
import { createInterface } from "node:readline";

/**
 * Answers each request with the result of `answer`. An error is sent as the answer. Returns when
 * stdin has ended.
 */
export async function serveCommands(answer: (question: unknown) => Promise<object>): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    const reply = await answer(JSON.parse(line)).catch((error: unknown) => ({
      error: String(error),
    }));
    process.stdout.write(`${JSON.stringify(reply)}\n`);
  }
}
