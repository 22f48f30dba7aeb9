// The field for the commonest question, at the top of every page. What is typed goes into the
// address's fragment, which is sent to no server.
import { useNavigate } from "@tanstack/react-router";
import { type RefObject, useState } from "react";
import { describeQuestion, readQuestion } from "./why-question.ts";

export function WhyField({ field }: { readonly field: RefObject<HTMLInputElement | null> }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const question = readQuestion(typed);
  return (
    <form
      className="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        if (question === null) return;
        field.current?.blur();
        void navigate({ to: "/why", hash: encodeURIComponent(typed.trim()) });
      }}
    >
      <input
        ref={field}
        type="search"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        placeholder="Why did my mail to …"
        aria-label="Why did my mail to … (an address, an email id, a Message-ID or words of a subject)"
        aria-describedby="understood"
        spellCheck={false}
        autoComplete="off"
      />
      <kbd aria-hidden="true">/</kbd>
      <small id="understood" className="understood" aria-live="polite">
        {question !== null && `Enter asks for ${describeQuestion(question)}.`}
      </small>
    </form>
  );
}
