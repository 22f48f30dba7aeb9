// The result for a pair of metadata: the messages that were sent with this pair, by recipient.
import { NothingFound } from "./nothing-found.tsx";
import { WhyList } from "./why-list.tsx";

export function WhyMetadata({ pair }: { readonly pair: string }) {
  return (
    <WhyList
      search={{ days: "30" }}
      fragment={{ metadata: pair }}
      hasTo
      nothing={
        <NothingFound title="No message with this metadata">
          The name and the whole value must match, in the same case. Messages that are still
          scheduled are not searched.
        </NothingFound>
      }
    />
  );
}
