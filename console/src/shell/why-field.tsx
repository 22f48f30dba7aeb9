// The search field at the top of every page. It suggests addresses that begin with the typed text
// (a combobox with a list, ARIA 1.2). The search text goes into the URL's fragment, which the
// browser sends to no server.
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, type RefObject, useState } from "react";
import { useCompletions } from "./address-completion.ts";
import { describeWhySearch, optionAfter, readWhySearch } from "./why-search.ts";

export function WhyField({ field }: { readonly field: RefObject<HTMLInputElement | null> }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const completions = useCompletions(typed);
  const options = isOpen ? completions : [];
  const question = readWhySearch(typed);
  const change = (text: string): void => {
    setTyped(text);
    setOpen(true);
    setActive(-1);
  };
  const ask = (text: string): void => {
    if (readWhySearch(text) === null) return;
    change(text);
    field.current?.blur();
    void navigate({ to: "/why", hash: encodeURIComponent(text.trim()) });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape") {
      if (options.length > 0) setOpen(false);
      else change("");
    } else if (options.length === 0 || !/^Arrow(?:Up|Down)$/.test(event.key)) return;
    else setActive(optionAfter(active, options.length, event.key));
    event.preventDefault();
  };
  return (
    <form
      className="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        ask(options[active] ?? typed);
      }}
    >
      <input
        ref={field}
        type="text"
        role="combobox"
        aria-expanded={options.length > 0}
        aria-controls="why-options"
        aria-autocomplete="list"
        aria-activedescendant={options[active] === undefined ? undefined : `why-option-${active}`}
        value={typed}
        onChange={(event) => change(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => setOpen(false)}
        placeholder="Search by recipient, subject or ID"
        aria-label="Search for a recipient’s address, a domain, words of a subject, an email ID, a request ID, a Message-ID, or a pair of metadata such as order_id=52019"
        aria-describedby="understood"
        spellCheck={false}
        autoComplete="off"
        enterKeyHint="search"
      />
      <kbd aria-hidden="true">/</kbd>
      <div className="understood">
        <Options options={options} active={active} onChoose={ask} />
        <small id="understood" aria-live="polite">
          {question !== null && `Press Enter to show ${describeWhySearch(question)}.`}
          {options.length > 0 && (
            <span className="unseen"> {options.length} addresses to choose from.</span>
          )}
        </small>
      </div>
    </form>
  );
}

interface OptionsProps {
  readonly options: readonly string[];
  /** The index of the active option. -1 means that no option is active. */
  readonly active: number;
  readonly onChoose: (option: string) => void;
}

function Options({ options, active, onChoose }: OptionsProps) {
  return (
    <ul id="why-options" role="listbox" aria-label="Addresses" hidden={options.length === 0}>
      {options.map((option, place) => (
        <li
          key={option}
          id={`why-option-${place}`}
          role="option"
          aria-selected={place === active}
          // The list closes when the field loses the focus. So the field must keep the focus until
          // the click.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(option)}
        >
          {option}
        </li>
      ))}
    </ul>
  );
}
