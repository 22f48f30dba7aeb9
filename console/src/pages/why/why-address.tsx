// The answer to an address: whether it is suppressed, then all mail to it.
import { Answer } from "../../parts/answer.tsx";
import { useSuppressionsOf } from "../message/message-queries.ts";
import { AddressFigures } from "../messages/address-figures.tsx";
import { AddressSuppressions } from "./address-suppressions.tsx";
import { NothingFound } from "./nothing-found.tsx";
import { WhyList } from "./why-list.tsx";

export function WhyAddress({ address }: { readonly address: string }) {
  const suppressions = useSuppressionsOf(address);
  return (
    <>
      <Answer query={suppressions}>
        {(inForce) => <AddressSuppressions address={address} suppressions={inForce} />}
      </Answer>
      <div className="wide-facts">
        <AddressFigures address={address} hasLink={false} />
      </div>
      <WhyList
        search={{ days: "30" }}
        fragment={{ recipient: address }}
        nothing={
          <NothingFound title="Nothing happened to mail to this address">
            Compare it letter by letter with what your program sent. A message that was accepted a
            moment ago has its first event when it is sent; its id finds it at once.
          </NothingFound>
        }
      />
    </>
  );
}
