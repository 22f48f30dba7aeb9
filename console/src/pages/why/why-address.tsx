// The answer to an address: what the service says of it, then all mail to it.
import { Answer } from "../../parts/answer.tsx";
import { useRecipient } from "../message/message-queries.ts";
import { AddressFigures } from "../messages/address-figures.tsx";
import { AddressAnswer } from "./address-answer.tsx";
import { WhyList } from "./why-list.tsx";

export function WhyAddress({ address }: { readonly address: string }) {
  const answer = useRecipient(address);
  return (
    <>
      <Answer query={answer}>{(recipient) => <AddressAnswer recipient={recipient} />}</Answer>
      <div className="wide-facts">
        <AddressFigures address={address} hasLink={false} />
      </div>
      <WhyList search={{ days: "30" }} fragment={{ recipient: address }} nothing="" />
    </>
  );
}
