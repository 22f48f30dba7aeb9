// The frame of a team's pages: the sections, the signed-in identity, and the search field.
import { Outlet } from "@tanstack/react-router";
import { useCallback, useRef } from "react";
import { switchTeam, type TeamSession } from "../api/console-session.ts";
import { may } from "../parts/permitted.tsx";
import { Select } from "../parts/select.tsx";
import { Frame } from "./frame.tsx";
import { SECTIONS } from "./sections.ts";
import { WhyField } from "./why-field.tsx";

export function Shell({ session }: { readonly session: TeamSession }) {
  const field = useRef<HTMLInputElement>(null);
  const search = useCallback(() => field.current?.focus(), []);
  const { person } = session;
  const sections = SECTIONS.filter(({ needs }) => may(session, needs));
  // A key that can only send can't open any page.
  const mayRead = sections.length > 0;
  return (
    <Frame
      brand="Postern"
      sections={sections}
      kind="team"
      signIn="/sign-in"
      onSearch={search}
      who={
        <>
          <TeamChoice session={session} />
          <br />
          {person ? `${person.email} (${person.role})` : keyText(mayRead)}
        </>
      }
    >
      {mayRead ? (
        <>
          <WhyField field={field} />
          <Outlet />
        </>
      ) : (
        <SendOnly />
      )}
    </Frame>
  );
}

function keyText(isFull: boolean): string {
  return isFull ? "Key with full access" : "Send-only key";
}

/** Shows the name of the team. If the person has several teams, shows a choice. */
function TeamChoice({ session: { team, teams = [] } }: { readonly session: TeamSession }) {
  if (teams.length < 2) return team.name;
  return (
    <Select
      aria-label="Team"
      value={team.id}
      options={teams.map(({ id, name }) => [id, name] as const)}
      onChoose={(id) => void switchTeam(id)}
    />
  );
}

/** Explains why a send-only key can't use the console. */
function SendOnly() {
  return (
    <section className="panel padded">
      <h1>This key can only send</h1>
      <p>
        The console needs a key with <code>full</code> permissions. A member of your team with such
        a key can create one for you under Keys, or with <code>POST /v1/api-keys</code>.
      </p>
    </section>
  );
}
