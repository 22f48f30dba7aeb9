// The child's side of child.ts: one JSON question per line on stdin, one JSON answer per line on
// stdout, in order. The child ends when its stdin ends, so none is left behind.
import { createInterface } from "node:readline";

/**
 * Answers each question with the result of `answer`. An error is sent to the asker. Returns when
 * stdin has ended.
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
