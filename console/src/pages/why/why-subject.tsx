// The result for words of a subject: the messages with all of these words, by recipient.
import { NothingFound } from "./nothing-found.tsx";
import { WhyList } from "./why-list.tsx";

export function WhySubject({ words }: { readonly words: string }) {
  return (
    <WhyList
      search={{ days: "30" }}
      fragment={{ subject: words }}
      hasTo
      nothing={
        <NothingFound title="No matching subjects">
          Only whole words match: “reset” does not find “resetting”. Remove a word, or search for
          the recipient’s address.
        </NothingFound>
      }
    />
  );
}
