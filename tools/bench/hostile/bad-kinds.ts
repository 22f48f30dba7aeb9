// The kinds of mail servers that make their clients wait (bad-servers.ts), and the names of their
// domains.

export const BAD_KINDS = {
  connect: "silent at connect",
  banner: "silent at the banner",
  rcpt: "silent at RCPT",
  dot: "silent after the dot",
  drip: "a banner of a byte a second",
  slow: "30 s for each reply",
} as const;

export type BadKind = keyof typeof BAD_KINDS;

/** The number of servers of each kind. */
export type BadCounts = Partial<Readonly<Record<BadKind, number>>>;

/** The ports of each kind's servers. */
export type BadPorts = Readonly<Record<BadKind, readonly number[]>>;

/** The domain of a recipient, and the port of its mail server. */
export type ServerRoute = readonly [domain: string, port: number];

export function routesOf(ports: BadPorts): ServerRoute[] {
  return Object.entries(ports).flatMap(([kind, some]) =>
    some.map((port, index): ServerRoute => [`${kind}-${index}.bad.example`, port]),
  );
}
