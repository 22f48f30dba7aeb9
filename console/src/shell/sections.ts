// The console's sections: their paths, names and the shortcut letters after `g`. `needs` is the
// operation that a session must be able to use. A session without it does not see the section.

export const SECTIONS = [
  { to: "/", name: "Overview", letter: "o", isInBar: true, needs: "GET /v1/stats" },
  { to: "/messages", name: "Messages", letter: "m", isInBar: true, needs: "GET /v1/events" },
  { to: "/replies", name: "Replies", letter: "i", isInBar: false, needs: "GET /v1/replies" },
  { to: "/domains", name: "Domains", letter: "d", isInBar: true, needs: "GET /v1/domains" },
  { to: "/templates", name: "Templates", letter: "t", isInBar: false, needs: "GET /v1/templates" },
  {
    to: "/suppressions",
    name: "Suppressions",
    letter: "s",
    isInBar: false,
    needs: "GET /v1/suppressions",
  },
  { to: "/webhooks", name: "Webhooks", letter: "w", isInBar: true, needs: "GET /v1/webhooks" },
  { to: "/requests", name: "Requests", letter: "r", isInBar: false, needs: "GET /v1/requests" },
  { to: "/keys", name: "Keys", letter: "k", isInBar: false, needs: "GET /v1/api-keys" },
  { to: "/usage", name: "Usage", letter: "u", isInBar: false, needs: "GET /v1/usage" },
  { to: "/settings", name: "Settings", letter: "e", isInBar: false, needs: "GET /v1/team" },
  { to: "/members", name: "Members", letter: "p", isInBar: false, needs: "POST /console/members" },
  { to: "/audit", name: "Audit", letter: "a", isInBar: false, needs: "GET /console/audit" },
] as const;
