// The frame that the team's and the operator's console share: the sections with their shortcuts,
// the signed-in identity, and the page.
import { useMutation } from "@tanstack/react-query";
import { Link, type LinkProps, useLocation, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useCallback, useState } from "react";
import { type ConsoleSessionHolder, signOut } from "../api/console-session.ts";
import { ConnectionBar } from "./connection-bar.tsx";
import { TextButton } from "../parts/button.tsx";
import { SHORTCUTS } from "../parts/key-table.ts";
import { Select } from "../parts/select.tsx";
import { useShortcuts } from "../parts/shortcuts.ts";
import { KeysDialog } from "./keys-dialog.tsx";
import { chooseZone, OWN_ZONE, useZone } from "../parts/time/time-zone.ts";
import { capitalized } from "../parts/typography.ts";
import { changes } from "../parts/undo/undo.ts";
import { UndoBars } from "../parts/undo/undo-bar.tsx";
import { chooseTheme, readTheme, THEMES } from "./theme.ts";

type Place = NonNullable<LinkProps["to"]>;

export interface FrameSection {
  readonly to: Place;
  readonly name: string;
  /** The letter of the section's shortcut, after `g`. */
  readonly letter: string;
  /** True: a phone shows the section in its bar. */
  readonly isInBar: boolean;
}

interface FrameProps {
  readonly brand: ReactNode;
  /** The sections. The first section's path must be the parent of the other paths. */
  readonly sections: readonly FrameSection[];
  /** The kind of session that signing out ends. */
  readonly kind: ConsoleSessionHolder;
  readonly signIn: Place;
  /** The shortcut `/` calls this function, to move the focus to the page's search field. */
  readonly onSearch: () => void;
  /** Shows who is signed in. */
  readonly who: ReactNode;
  readonly children: ReactNode;
}

const undoLast = (): void => changes.undoLast();

export function Frame(props: FrameProps) {
  const { brand, sections, kind, signIn, onSearch, who, children } = props;
  const navigate = useNavigate();
  const go = useCallback(
    (letter: string) => {
      const section = sections.find((one) => one.letter === letter);
      if (section) void navigate({ to: section.to });
      return section !== undefined;
    },
    [navigate, sections],
  );
  const [isHelp, setHelp] = useState(false);
  const help = useCallback(() => setHelp(true), []);
  useShortcuts(go, onSearch, help, undoLast);
  const { pathname } = useLocation();
  const foot = (
    <>
      <p>{who}</p>
      <ThemeChoice />
      <ZoneChoice />
      <p>
        <TextButton onClick={help}>Keyboard shortcuts</TextButton>{" "}
        <kbd aria-hidden="true">{SHORTCUTS.help.key}</kbd>
      </p>
      <SignOut kind={kind} onDone={() => void navigate({ to: signIn })} />
    </>
  );
  return (
    <div className="frame">
      <a className="skip" href="#content">
        Skip to content
      </a>
      <nav aria-label="Sections">
        <span className="brand">
          <i aria-hidden="true" />
          {brand}
        </span>
        <SectionLinks sections={sections} />
        <div className="foot">{foot}</div>
        {/* The menu "More" has the sections that do not fit into a phone's bar. Opening a page
            closes the menu. */}
        <details key={pathname} className="menu">
          <summary>More</summary>
          <div>
            <SectionLinks sections={sections.filter(({ isInBar }) => !isInBar)} isMenu />
            {foot}
          </div>
        </details>
      </nav>
      <div>
        <ConnectionBar />
        <main id="content" tabIndex={-1}>
          {children}
        </main>
        <UndoBars />
      </div>
      {isHelp && <KeysDialog sections={sections} onClose={() => setHelp(false)} />}
    </div>
  );
}

interface SignOutProps {
  readonly kind: ConsoleSessionHolder;
  readonly onDone: () => void;
}

function SignOut({ kind, onDone }: SignOutProps) {
  const { mutate, error } = useMutation({
    mutationFn: async (holder: ConsoleSessionHolder) => {
      await changes.sendAll();
      return signOut(holder);
    },
    onSuccess: onDone,
  });
  return (
    <>
      <TextButton onClick={() => mutate(kind)}>Sign out</TextButton>
      {error && <p role="alert">You are still signed in. {error.message}</p>}
    </>
  );
}

interface SectionLinksProps {
  readonly sections: readonly FrameSection[];
  readonly isMenu?: boolean;
}

function SectionLinks({ sections, isMenu = false }: SectionLinksProps) {
  return sections.map(({ to, name, letter, isInBar }, index) => (
    <Link
      key={to}
      to={to}
      className={isInBar || isMenu ? "" : "more"}
      activeOptions={{ exact: index === 0 && !isMenu }}
      activeProps={{ className: isInBar || isMenu ? "on" : "more on" }}
    >
      {name} <kbd aria-hidden="true">{`g ${letter}`}</kbd>
    </Link>
  ));
}

function ThemeChoice() {
  const [theme, setTheme] = useState(readTheme);
  return (
    <label>
      Theme{" "}
      <Select
        value={theme}
        options={THEMES.map((one) => [one, capitalized(one)] as const)}
        onChoose={(chosen) => {
          chooseTheme(chosen);
          setTheme(chosen);
        }}
      />
    </label>
  );
}

function ZoneChoice() {
  const zone = useZone();
  return (
    <label>
      Times in{" "}
      <Select
        value={zone}
        options={[...new Set([OWN_ZONE, "UTC"])].map((one) => [one, one] as const)}
        onChoose={chooseZone}
      />
    </label>
  );
}
