// The result for an address: the service's explanation, then all mail to the address.
import { ChangedBy } from "../../parts/changed-by.tsx";
import { QueryResult } from "../../parts/query-result.tsx";
import { useRecipient } from "../message/message-queries.ts";
import { AddressFigures } from "../messages/address-figures.tsx";
import { AddressExplanation } from "./address-explanation.tsx";
import { WhyList } from "./why-list.tsx";

export function WhyAddress({ address }: { readonly address: string }) {
  const answer = useRecipient(address);
  return (
    <>
      <QueryResult query={answer}>
        {(recipient) => <AddressExplanation recipient={recipient} />}
      </QueryResult>
      <ChangedBy says="Lifted" operation="suppression.delete" target={address} />
      <div className="wide-facts">
        <AddressFigures address={address} hasLink={false} />
      </div>
      <WhyList search={{ days: "30" }} fragment={{ recipient: address }} nothing="" />
    </>
  );
}
