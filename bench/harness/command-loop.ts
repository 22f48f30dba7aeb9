// The other end of child.ts, inside a child: one JSON question a line on stdin, one JSON answer a
// line on stdout, in order. The child ends when its stdin does, so none is left behind.
import { createInterface } from "node:readline";

/**
 * Answers each question with what `answer` makes of it; what it throws is told to the asker.
 * Returns when stdin has ended.
 */
export async function answerQuestions(
  answer: (question: unknown) => Promise<object>,
): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    const reply = await answer(JSON.parse(line)).catch((error: unknown) => ({
      error: String(error),
    }));
    process.stdout.write(`${JSON.stringify(reply)}\n`);
  }
}
