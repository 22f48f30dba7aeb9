// The operator's places. Their pages and their frame are in chunks of their own, so that a team
// never loads them.
import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { queryClient } from "../../api/query-client.ts";
import { readOperatorSession } from "../../api/console-session.ts";
import { root } from "../../root-route.ts";
import { lettersSearch, teamsSearch } from "./operator-search.ts";

const SESSION_FRESH_MS = 60_000;

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/operator/sign-in",
  component: lazyRouteComponent(() => import("./operator-sign-in.tsx"), "OperatorSignIn"),
});

/** Every page of the operator but sign-in needs the operator's session. */
const frame = createRoute({
  getParentRoute: () => root,
  id: "operator",
  loader: async () => {
    const session = await queryClient.fetchQuery({
      queryKey: ["session", "operator"],
      queryFn: readOperatorSession,
      staleTime: SESSION_FRESH_MS,
    });
    if (session === null) throw redirect({ to: "/operator/sign-in" });
  },
  component: lazyRouteComponent(() => import("./operator-shell.tsx"), "OperatorShell"),
  errorComponent: lazyRouteComponent(() => import("./operator-failure.tsx"), "OperatorFailure"),
});

const overview = createRoute({
  getParentRoute: () => frame,
  path: "/operator",
  component: lazyRouteComponent(() => import("./operator-overview.tsx"), "OperatorOverview"),
});

const teams = createRoute({
  getParentRoute: () => frame,
  path: "/operator/teams",
  validateSearch: teamsSearch,
  component: lazyRouteComponent(() => import("./teams/teams.tsx"), "Teams"),
});

const team = createRoute({
  getParentRoute: () => frame,
  path: "/operator/teams/$teamId",
  component: lazyRouteComponent(() => import("./teams/team.tsx"), "Team"),
});

const shards = createRoute({
  getParentRoute: () => frame,
  path: "/operator/shards",
  component: lazyRouteComponent(() => import("./shards.tsx"), "Shards"),
});

const deadLetters = createRoute({
  getParentRoute: () => frame,
  path: "/operator/dead-letters",
  validateSearch: lettersSearch,
  component: lazyRouteComponent(() => import("./dead-letters.tsx"), "DeadLetters"),
});

const couriers = createRoute({
  getParentRoute: () => frame,
  path: "/operator/couriers",
  component: lazyRouteComponent(() => import("./couriers.tsx"), "Couriers"),
});

const metrics = createRoute({
  getParentRoute: () => frame,
  path: "/operator/metrics",
  component: lazyRouteComponent(() => import("./metrics/metrics.tsx"), "Metrics"),
});

export const operatorRoutes = [
  signIn,
  frame.addChildren([overview, teams, team, shards, deadLetters, couriers, metrics]),
] as const;
