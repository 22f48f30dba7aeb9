// Calls the worker's `email()` as Email Routing does. This file is a part of the faulty worker's
// bundle.
import type { WorkerBindings } from "./worker-faults.ts";

/** The worker's handler of mail. */
export type TakeMail = (message: object, env: WorkerBindings, context: unknown) => Promise<void>;

/** The path to which the readers of a campaign post their mail. */
export const ROUTED_MAIL = "/__routed-mail";

/**
 * Answers as an SMTP reply. It refuses mail that the worker rejects, and defers mail if the worker
 * fails, as Email Routing does.
 */
export async function takeRoutedMail(
  take: TakeMail,
  request: Request,
  env: WorkerBindings,
  context: unknown,
): Promise<Response> {
  const { searchParams } = new URL(request.url);
  let reply = "250 2.0.0 taken";
  const message = {
    from: searchParams.get("from") ?? "",
    to: searchParams.get("to") ?? "",
    raw: request.body,
    rawSize: Number(request.headers.get("content-length")),
    setReject: (reason: string) => void (reply = `550 ${reason}`),
  };
  try {
    await take(message, env, context);
  } catch (error) {
    reply = `451 4.3.0 ${String(error)}`;
  }
  return new Response(reply);
}
