// The frame of a team's pages: the sections, the signed-in identity, and the search field.
import { Outlet } from "@tanstack/react-router";
import { useCallback, useRef } from "react";
import type { TeamSession } from "../api/console-session.ts";
import { Frame } from "./frame.tsx";
import { SECTIONS } from "./sections.ts";
import { WhyField } from "./why-field.tsx";

export function Shell({ session }: { readonly session: TeamSession }) {
  const field = useRef<HTMLInputElement>(null);
  const search = useCallback(() => field.current?.focus(), []);
  const isFull = session.api_key.permissions === "full";
  return (
    <Frame
      brand="Postern"
      sections={SECTIONS}
      kind="team"
      signIn="/sign-in"
      onSearch={search}
      who={
        <>
          {session.team.name}
          <br />
          {isFull ? "Key with full access" : "Send-only key"}
        </>
      }
    >
      {isFull ? (
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
