// Lets a webhook's receiver wait with its answers, for tests of posts that are under way.
import type { FakeReceiver } from "../../../support/fakes/fake-receiver.ts";

/** Withholds the receiver's answers until the returned function is called. */
export function holdBack(
  receiver: FakeReceiver,
  answer = (): Response => new Response("ok"),
): () => void {
  const gate = Promise.withResolvers<void>();
  receiver.answer = async () => {
    await gate.promise;
    return answer();
  };
  return gate.resolve;
}
