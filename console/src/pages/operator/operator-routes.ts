// The routes of the operator's pages. Their code is in separate chunks, so that a team never loads
// it.
import { createRoute } from "@tanstack/react-router";
import { queryClient } from "../../api/query-client.ts";
import { sessionQuery } from "../../api/console-session.ts";
import { lazyPage, root } from "../../root-route.ts";
import { lettersSearch, teamsSearch } from "./operator-search.ts";

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/operator/sign-in",
  component: lazyPage(() => import("./operator-sign-in.tsx"), "OperatorSignIn"),
});

/** Every operator page except sign-in needs an operator session. */
const frame = createRoute({
  getParentRoute: () => root,
  id: "operator",
  loader: () => void queryClient.prefetchQuery(sessionQuery("operator")),
  component: lazyPage(() => import("./operator-shell.tsx"), "OperatorShell"),
});

const overview = createRoute({
  getParentRoute: () => frame,
  path: "/operator/",
  component: lazyPage(() => import("./operator-overview.tsx"), "OperatorOverview"),
});

const teams = createRoute({
  getParentRoute: () => frame,
  path: "/operator/teams",
  validateSearch: teamsSearch,
  component: lazyPage(() => import("./teams/teams.tsx"), "Teams"),
});

const team = createRoute({
  getParentRoute: () => frame,
  path: "/operator/teams/$teamId",
  component: lazyPage(() => import("./teams/team.tsx"), "Team"),
});

const shards = createRoute({
  getParentRoute: () => frame,
  path: "/operator/shards",
  component: lazyPage(() => import("./shards.tsx"), "Shards"),
});

const deadLetters = createRoute({
  getParentRoute: () => frame,
  path: "/operator/dead-letters",
  validateSearch: lettersSearch,
  component: lazyPage(() => import("./dead-letters.tsx"), "DeadLetters"),
});

const delivery = createRoute({
  getParentRoute: () => frame,
  path: "/operator/delivery",
  component: lazyPage(() => import("./delivery.tsx"), "Delivery"),
});

const nothing = createRoute({
  getParentRoute: () => frame,
  path: "/operator/$",
  component: lazyPage(() => import("../no-page.tsx"), "NoOperatorPage"),
});

export const operatorRoutes = [
  signIn,
  frame.addChildren([overview, teams, team, shards, deadLetters, delivery, nothing]),
] as const;
