// The result page of the search field. The search text is in the URL's fragment, which the browser
// sends to no server.
import { useLocation } from "@tanstack/react-router";
import { decoded } from "../../parts/decoded.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { describeWhySearch, readWhySearch, type WhySearch } from "../../shell/why-search.ts";
import { RequestDetails } from "../requests/request-details.tsx";
import { WhyAddress } from "./why-address.tsx";
import { WhyBeginning } from "./why-beginning.tsx";
import { WhyDomain, WhyMetadata, WhySubject } from "./why-matches.tsx";
import { WhyMessage } from "./why-message.tsx";
import { WhyMessageId } from "./why-message-id.tsx";

export function Why() {
  const hash = useLocation({ select: (location) => location.hash });
  const question = readWhySearch(decoded(hash));
  return (
    <>
      <PageHead title="Search">
        {question && <span className="muted">Searched for {describeWhySearch(question)}.</span>}
      </PageHead>
      {question ? <WhyAnswer key={hash} question={question} /> : <HowToAsk />}
    </>
  );
}

function WhyAnswer({ question }: { readonly question: WhySearch }) {
  switch (question.kind) {
    case "email":
      return <WhyMessage emailId={question.id} />;
    case "request":
      return <RequestDetails id={question.id} />;
    case "message_id":
      return <WhyMessageId messageId={question.messageId} />;
    case "address":
      return <WhyAddress address={question.address} />;
    case "beginning":
      return <WhyBeginning {...question} />;
    case "domain":
      return <WhyDomain domain={question.domain} />;
    case "metadata":
      return <WhyMetadata pair={question.pair} />;
    case "subject":
      return <WhySubject words={question.words} />;
  }
}

function HowToAsk() {
  return (
    <section className="panel padded" aria-label="How to search">
      <h2>Find out what happened to a message</h2>
      <p>Search for one of these:</p>
      <ul>
        <li>
          an address, such as <code>ada@example.org</code>, to see all mail sent to it, and whether
          it is suppressed
        </li>
        <li>
          the beginning of an address, such as <code>ada@</code>, to list the addresses that begin
          with it
        </li>
        <li>
          a domain, such as <code>@example.org</code>, to see all mail sent to it
        </li>
        <li>
          an email ID, <code>email_…</code>, as returned by the API
        </li>
        <li>
          a request ID, <code>req_…</code>, from <code>X-Request-Id</code> of an answer
        </li>
        <li>
          a Message-ID, <code>&lt;…@example.com&gt;</code>, from the message’s headers
        </li>
        <li>
          a pair of the message’s metadata, such as <code>order_id=52019</code>
        </li>
        <li>
          words from the subject, such as <code>reset password</code>; a message must have all of
          them
        </li>
      </ul>
    </section>
  );
}
