// The console's routes. Each page loads when it is first opened.
import { createRoute, createRouter, stringifySearchWith } from "@tanstack/react-router";
import { queryClient } from "./api/query-client.ts";
import { sessionQuery } from "./api/console-session.ts";
import { operatorRoutes } from "./pages/operator/operator-routes.ts";
import { readAuditSearch } from "./pages/audit/audit-search.ts";
import { InvitationPage } from "./pages/invitation.tsx";
import { readMessagesSearch } from "./pages/messages/messages-search.ts";
import { readOverviewSearch } from "./pages/overview/overview-range.ts";
import { domainSearch, domainsSearch } from "./pages/domains/domains-search.ts";
import { previewSearch } from "./pages/templates/template-search.ts";
import { TeamSignIn } from "./pages/sign-in.tsx";
import { readRepliesSearch } from "./pages/replies/replies-search.ts";
import { readRequestsSearch } from "./pages/requests/requests-search.ts";
import { suppressionsSearch } from "./pages/suppressions/suppressions-search.ts";
import { webhookSearch } from "./pages/webhooks/webhooks-search.ts";
import { Loading } from "./parts/loading.tsx";
import { root, routesBelow } from "./root-route.ts";
import { SessionGate } from "./shell/session-gate.tsx";
import { Shell } from "./shell/shell.tsx";

const signIn = createRoute({ getParentRoute: () => root, path: "/sign-in", component: TeamSignIn });

const invitation = createRoute({
  getParentRoute: () => root,
  path: "/invitation",
  component: InvitationPage,
});

/** Every page except sign-in needs a session. */
const frame = createRoute({
  getParentRoute: () => root,
  id: "frame",
  loader: () => void queryClient.prefetchQuery(sessionQuery("team")),
  component: Framed,
});

function Framed() {
  return <SessionGate kind="team">{(session) => <Shell session={session} />}</SessionGate>;
}

/** The open row of a list. */
function openRow({ open }: Record<string, unknown>): { open?: string } {
  return typeof open === "string" ? { open } : {};
}

const page = routesBelow(frame);

const framed = frame.addChildren([
  page("/", () => import("./pages/overview/overview.tsx"), "Overview", readOverviewSearch),
  page("/messages", () => import("./pages/messages/messages.tsx"), "Messages", readMessagesSearch),
  page(
    "/messages/$emailId",
    () => import("./pages/messages/message.tsx"),
    "Message",
    ({ recipient }: Record<string, unknown>): { recipient?: number } =>
      Number.isInteger(recipient) ? { recipient: Number(recipient) } : {},
  ),
  page("/why", () => import("./pages/why/why.tsx"), "Why", openRow),
  page("/domains", () => import("./pages/domains/domains.tsx"), "Domains", domainsSearch),
  page(
    "/domains/$domainId",
    () => import("./pages/domains/domain-page.tsx"),
    "DomainPage",
    domainSearch,
  ),
  page("/templates", () => import("./pages/templates/templates.tsx"), "Templates", openRow),
  page("/templates/new", () => import("./pages/templates/new-template.tsx"), "NewTemplate"),
  page(
    "/templates/$templateId",
    () => import("./pages/templates/template-page.tsx"),
    "TemplatePage",
    previewSearch,
  ),
  page(
    "/suppressions",
    () => import("./pages/suppressions/suppressions.tsx"),
    "Suppressions",
    suppressionsSearch,
  ),
  page("/webhooks", () => import("./pages/webhooks/webhooks.tsx"), "Webhooks", openRow),
  page(
    "/webhooks/$webhookId",
    () => import("./pages/webhooks/webhook-page.tsx"),
    "WebhookPage",
    webhookSearch,
  ),
  page("/replies", () => import("./pages/replies/replies.tsx"), "Replies", readRepliesSearch),
  page("/requests", () => import("./pages/requests/requests.tsx"), "Requests", readRequestsSearch),
  page("/requests/$requestId", () => import("./pages/requests/request-page.tsx"), "RequestPage"),
  page("/keys", () => import("./pages/keys/keys.tsx"), "Keys", openRow),
  page("/usage", () => import("./pages/usage/usage.tsx"), "Usage", openRow),
  page("/settings", () => import("./pages/settings/settings.tsx"), "Settings"),
  page("/members", () => import("./pages/members/members.tsx"), "Members", openRow),
  page("/audit", () => import("./pages/audit/audit.tsx"), "Audit", readAuditSearch),
  page("$", () => import("./pages/no-page.tsx"), "NoPage"),
]);

export const router = createRouter({
  routeTree: root.addChildren([signIn, invitation, ...operatorRoutes, framed]),
  basepath: "/console",
  // The router writes `days=7` only if this function gets no parser. With a parser as its second
  // argument, it would write `days=%227%22`.
  stringifySearch: stringifySearchWith(JSON.stringify),
  defaultPreload: "intent",
  defaultPendingComponent: Loading,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
