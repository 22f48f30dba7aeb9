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

export const PEOPLE: readonly KnownPerson[] = [
  {
    subject: "5f0c6a5e-0001-4d3e-9a51-000000000001",
    name: "Ada",
    email: "ada@example.test",
    rights: { role: "owner" },
    about: "owner",
  },
  {
    subject: "5f0c6a5e-0002-4d3e-9a51-000000000002",
    name: "Ben",
    email: "ben@example.test",
    rights: { role: "developer" },
    about: "developer",
  },
  {
    subject: "5f0c6a5e-0003-4d3e-9a51-000000000003",
    name: "Vera",
    email: "vera@example.test",
    rights: { role: "viewer" },
    about: "viewer",
  },
  {
    subject: "5f0c6a5e-0004-4d3e-9a51-000000000004",
    name: "Sam",
    email: "sam@example.test",
    rights: { role: "viewer", may_lift_suppressions: true, may_read_content: true },
    about: "viewer who may lift suppressions, send again and read content",
  },
];
