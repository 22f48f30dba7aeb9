// The four people of `npm start -- --people` (docs/local.md §People): one for each role, and a
// viewer with both switches.

export interface KnownPerson {
  /** The identity provider's id of the person. */
  readonly subject: string;
  readonly name: string;
  readonly email: string;
  readonly rights: {
    readonly role: "owner" | "developer" | "viewer";
    readonly may_lift_suppressions?: true;
    readonly may_read_content?: true;
  };
  /** The text of the person's link on the sign-in page. */
  readonly about: string;
}

function person(
  number: 1 | 2 | 3 | 4,
  name: string,
  rights: KnownPerson["rights"],
  about: string = rights.role,
): KnownPerson {
  const subject = `5f0c6a5e-000${number}-4d3e-9a51-00000000000${number}`;
  return { subject, name, email: `${name.toLowerCase()}@example.test`, rights, about };
}

export const PEOPLE: readonly KnownPerson[] = [
  person(1, "Ada", { role: "owner" }),
  person(2, "Ben", { role: "developer" }),
  person(3, "Vera", { role: "viewer" }),
  person(
    4,
    "Sam",
    { role: "viewer", may_lift_suppressions: true, may_read_content: true },
    "viewer who may lift suppressions, send again and read content",
  ),
];
