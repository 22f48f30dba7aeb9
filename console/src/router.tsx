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
import { lazyPage, root } from "./root-route.ts";
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

const overview = createRoute({
  getParentRoute: () => frame,
  path: "/",
  validateSearch: readOverviewSearch,
  component: lazyPage(() => import("./pages/overview/overview.tsx"), "Overview"),
});

const messages = createRoute({
  getParentRoute: () => frame,
  path: "/messages",
  validateSearch: readMessagesSearch,
  component: lazyPage(() => import("./pages/messages/messages.tsx"), "Messages"),
});

const message = createRoute({
  getParentRoute: () => frame,
  path: "/messages/$emailId",
  validateSearch: ({ recipient }: Record<string, unknown>): { recipient?: number } =>
    Number.isInteger(recipient) ? { recipient: Number(recipient) } : {},
  component: lazyPage(() => import("./pages/messages/message.tsx"), "Message"),
});

const why = createRoute({
  getParentRoute: () => frame,
  path: "/why",
  validateSearch: openRow,
  component: lazyPage(() => import("./pages/why/why.tsx"), "Why"),
});

const domains = createRoute({
  getParentRoute: () => frame,
  path: "/domains",
  validateSearch: domainsSearch,
  component: lazyPage(() => import("./pages/domains/domains.tsx"), "Domains"),
});

const domain = createRoute({
  getParentRoute: () => frame,
  path: "/domains/$domainId",
  validateSearch: domainSearch,
  component: lazyPage(() => import("./pages/domains/domain-page.tsx"), "DomainPage"),
});

const templates = createRoute({
  getParentRoute: () => frame,
  path: "/templates",
  validateSearch: openRow,
  component: lazyPage(() => import("./pages/templates/templates.tsx"), "Templates"),
});

const newTemplate = createRoute({
  getParentRoute: () => frame,
  path: "/templates/new",
  component: lazyPage(() => import("./pages/templates/new-template.tsx"), "NewTemplate"),
});
const template = createRoute({
  getParentRoute: () => frame,
  path: "/templates/$templateId",
  validateSearch: previewSearch,
  component: lazyPage(() => import("./pages/templates/template-page.tsx"), "TemplatePage"),
});
const suppressions = createRoute({
  getParentRoute: () => frame,
  path: "/suppressions",
  validateSearch: suppressionsSearch,
  component: lazyPage(() => import("./pages/suppressions/suppressions.tsx"), "Suppressions"),
});

const webhooks = createRoute({
  getParentRoute: () => frame,
  path: "/webhooks",
  validateSearch: openRow,
  component: lazyPage(() => import("./pages/webhooks/webhooks.tsx"), "Webhooks"),
});

const webhook = createRoute({
  getParentRoute: () => frame,
  path: "/webhooks/$webhookId",
  validateSearch: webhookSearch,
  component: lazyPage(() => import("./pages/webhooks/webhook-page.tsx"), "WebhookPage"),
});

const replies = createRoute({
  getParentRoute: () => frame,
  path: "/replies",
  validateSearch: readRepliesSearch,
  component: lazyPage(() => import("./pages/replies/replies.tsx"), "Replies"),
});

const requests = createRoute({
  getParentRoute: () => frame,
  path: "/requests",
  validateSearch: readRequestsSearch,
  component: lazyPage(() => import("./pages/requests/requests.tsx"), "Requests"),
});

const request = createRoute({
  getParentRoute: () => frame,
  path: "/requests/$requestId",
  component: lazyPage(() => import("./pages/requests/request-page.tsx"), "RequestPage"),
});

const keys = createRoute({
  getParentRoute: () => frame,
  path: "/keys",
  validateSearch: openRow,
  component: lazyPage(() => import("./pages/keys/keys.tsx"), "Keys"),
});

const usage = createRoute({
  getParentRoute: () => frame,
  path: "/usage",
  validateSearch: openRow,
  component: lazyPage(() => import("./pages/usage/usage.tsx"), "Usage"),
});

const settings = createRoute({
  getParentRoute: () => frame,
  path: "/settings",
  component: lazyPage(() => import("./pages/settings/settings.tsx"), "Settings"),
});

const members = createRoute({
  getParentRoute: () => frame,
  path: "/members",
  validateSearch: openRow,
  component: lazyPage(() => import("./pages/members/members.tsx"), "Members"),
});

const audit = createRoute({
  getParentRoute: () => frame,
  path: "/audit",
  validateSearch: readAuditSearch,
  component: lazyPage(() => import("./pages/audit/audit.tsx"), "Audit"),
});

const nothing = createRoute({
  getParentRoute: () => frame,
  path: "$",
  component: lazyPage(() => import("./pages/no-page.tsx"), "NoPage"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    invitation,
    ...operatorRoutes,
    frame.addChildren([
      overview,
      messages,
      message,
      why,
      domains,
      domain,
      templates,
      newTemplate,
      template,
      suppressions,
      replies,
      webhooks,
      webhook,
      requests,
      request,
      keys,
      usage,
      settings,
      members,
      audit,
      nothing,
    ]),
  ]),
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
