// The results for a domain, for a pair of metadata and for words of a subject: the messages that
// match, by recipient.
import { NothingFound } from "./nothing-found.tsx";
import { WhyList } from "./why-list.tsx";

export function WhyDomain({ domain }: { readonly domain: string }) {
  const nothing = (
    <NothingFound title={`No mail to ${domain}`}>
      Subdomains are not included: “example.com” does not find “mail.example.com”.
    </NothingFound>
  );
  const search = { days: "30", recipient_domain: domain } as const;
  return <WhyList search={search} fragment={{}} hasTo nothing={nothing} />;
}

export function WhyMetadata({ pair }: { readonly pair: string }) {
  const nothing = (
    <NothingFound title="No message with this metadata">
      The name and the whole value must match, in the same case. Messages that are still scheduled
      are not searched.
    </NothingFound>
  );
  return <WhyList search={{ days: "30" }} fragment={{ metadata: pair }} hasTo nothing={nothing} />;
}

export function WhySubject({ words }: { readonly words: string }) {
  const nothing = (
    <NothingFound title="No matching subjects">
      Only whole words match: “reset” does not find “resetting”. Remove a word, or search for the
      recipient’s address.
    </NothingFound>
  );
  return <WhyList search={{ days: "30" }} fragment={{ subject: words }} hasTo nothing={nothing} />;
}
