// The console's sections: their paths, names and the shortcut letters after `g`.

export const SECTIONS = [
  { to: "/", name: "Overview", letter: "o", isInBar: true },
  { to: "/messages", name: "Messages", letter: "m", isInBar: true },
  { to: "/replies", name: "Replies", letter: "e", isInBar: false },
  { to: "/domains", name: "Domains", letter: "d", isInBar: true },
  { to: "/templates", name: "Templates", letter: "t", isInBar: false },
  { to: "/suppressions", name: "Suppressions", letter: "s", isInBar: false },
  { to: "/webhooks", name: "Webhooks", letter: "w", isInBar: true },
  { to: "/requests", name: "Requests", letter: "r", isInBar: false },
  { to: "/keys", name: "Keys", letter: "k", isInBar: false },
  { to: "/usage", name: "Usage", letter: "u", isInBar: false },
] as const;

/** The sections of an owner: only owners see people. */
export const OWNERS_SECTIONS = [
  ...SECTIONS,
  { to: "/members", name: "Members", letter: "p", isInBar: false },
  { to: "/audit", name: "Audit", letter: "a", isInBar: false },
] as const;
