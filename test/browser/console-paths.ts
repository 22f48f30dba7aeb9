// Maps the names of the pictures to pages of the console: paths below /console.
export const TEAM_PAGES = {
  overview: "/",
  messages: "/messages",
  domains: "/domains",
  templates: "/templates",
  "new-template": "/templates/new",
  suppressions: "/suppressions",
  webhooks: "/webhooks",
  replies: "/replies",
  requests: "/requests",
  keys: "/keys",
  usage: "/usage",
  settings: "/settings",
  members: "/members",
  audit: "/audit",
  "not-found": "/nothing",
};

export const OPERATOR_PAGES = {
  "operator-overview": "/operator",
  "operator-teams": "/operator/teams",
  "operator-shards": "/operator/shards",
  "operator-dead-letters": "/operator/dead-letters",
  "operator-delivery": "/operator/delivery",
  "operator-not-found": "/operator/nothing",
};
