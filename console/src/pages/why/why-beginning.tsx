// Shows the addresses that begin with the typed text. If only one address matches, its result opens
// without a click. It does not open if the text may also be a word of a subject.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { QueryResult } from "../../parts/query-result.tsx";
import { AsRequest } from "../../parts/as-request.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Pill } from "../../parts/pill.tsx";
import { addressesQuery } from "../../shell/address-completion.ts";
import type { WhySearch } from "../../shell/why-search.ts";
import { NothingFound } from "./nothing-found.tsx";
import { WhyAddress } from "./why-address.tsx";
import { WhySubject } from "./why-matches.tsx";

export function WhyBeginning({ text, isWord }: Extract<WhySearch, { kind: "beginning" }>) {
  const query = useQuery(addressesQuery(text));
  return (
    <>
      <QueryResult query={query}>
        {({ data, has_more: hasMore }) => {
          const [first] = data;
          if (isWord && !first) return null;
          if (!first)
            return (
              <NothingFound title={`No known address begins with “${text}”`}>
                The search covers only suppressed addresses, recipients of pending messages and
                recipients of the newest 500 events. For any other recipient, enter the full
                address.
              </NothingFound>
            );
          if (data.length === 1 && !isWord) return <WhyAddress address={first.address} />;
          return (
            <Panel
              title={`Addresses that begin with “${text}”`}
              note={hasMore ? `First ${data.length}` : data.length}
            >
              <ul className="plain choices">
                {data.map(({ address, is_suppressed: isSuppressed }) => (
                  <li key={address}>
                    <Link to="/why" hash={encodeURIComponent(address)}>
                      {address}
                    </Link>
                    {isSuppressed && <Pill tone="mute">Suppressed</Pill>}
                  </li>
                ))}
              </ul>
            </Panel>
          );
        }}
      </QueryResult>
      <AsRequest of="addresses" path={`/v1/recipients?prefix=${encodeURIComponent(text)}`} />
      {isWord && <WhySubject words={text} />}
    </>
  );
}
