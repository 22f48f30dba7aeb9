// The result for a domain: the mail to its addresses.
import { NothingFound } from "./nothing-found.tsx";
import { WhyList } from "./why-list.tsx";

export function WhyDomain({ domain }: { readonly domain: string }) {
  return (
    <WhyList
      search={{ days: "30", recipient_domain: domain }}
      fragment={{}}
      hasTo
      nothing={
        <NothingFound title={`No mail to ${domain}`}>
          Subdomains are not included: “example.com” does not find “mail.example.com”.
        </NothingFound>
      }
    />
  );
}
