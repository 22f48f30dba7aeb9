// The answer to words of a subject: the messages that have them, by recipient.
import { NothingFound } from "./nothing-found.tsx";
import { WhyList } from "./why-list.tsx";

export function WhySubject({ words }: { readonly words: string }) {
  return (
    <WhyList
      search={{ days: "30" }}
      fragment={{ subject: words }}
      hasTo
      nothing={
        <NothingFound title="No subject has all of these words">
          Words of two letters or more are compared whole and without their case, so “reset” does
          not find “resetting”. Take a word away, or ask for the recipient’s address.
        </NothingFound>
      }
    />
  );
}
