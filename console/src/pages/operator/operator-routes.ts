// The routes of the operator's pages. Their code is in separate chunks, so that a team never loads
// it.
import { createRoute } from "@tanstack/react-router";
import { queryClient } from "../../api/query-client.ts";
import { sessionQuery } from "../../api/console-session.ts";
import { lazyPage, root, routesBelow } from "../../root-route.ts";
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

const page = routesBelow(frame);

export const operatorRoutes = [
  signIn,
  frame.addChildren([
    page("/operator/", () => import("./operator-overview.tsx"), "OperatorOverview"),
    page("/operator/teams", () => import("./teams/teams.tsx"), "Teams", teamsSearch),
    page("/operator/teams/$teamId", () => import("./teams/team.tsx"), "Team"),
    page("/operator/shards", () => import("./shards.tsx"), "Shards"),
    page(
      "/operator/dead-letters",
      () => import("./dead-letters.tsx"),
      "DeadLetters",
      lettersSearch,
    ),
    page("/operator/delivery", () => import("./delivery.tsx"), "Delivery"),
    page("/operator/$", () => import("../no-page.tsx"), "NoOperatorPage"),
  ]),
] as const;
