// The type of a send's body. It excludes what the API refuses of every send (contract.md §Bodies,
// contract.md §Subject, contract.md §Generated unsubscribe links, contract.md §Attachments), judged
// by which members a body has. The document's schemas say these rules only in descriptions.
// The type also has `react`, from which the client makes `html` and `text`.

/** An element of React, as `@react-email/render` takes it. */
export type ReactElement = object;

/** The members of a message that the rules are about. */
interface Ruled {
  from?: string;
  subject?: string;
  text?: string;
  html?: string;
  template_id?: string;
  topic?: string;
  unsubscribe?: { mode: "generate" | "none" };
  attachments?: readonly { content?: string; path?: string }[];
}

type RuledName = keyof Ruled;

/** A body of `POST /v1/email` or `POST /v1/email/batch` that the API may take. */
export type SendBody<Body> = Body extends {
  emails: readonly (infer Entry extends Ruled)[];
  defaults?: infer Defaults extends Ruled;
}
  ? Omit<Body, "emails" | "defaults"> & BatchContents<Entry, Defaults>
  : Body extends Ruled
    ? MessageBody<Body, SingleAttachment<Body>>
    : never;

/** A message that needs nothing of a batch's defaults. */
type MessageBody<Body extends Ruled, Attachment> = Topical<Body> &
  ((OfTemplate<Body> & Perhaps<Body, "from" | "subject">) | (Addressed<Body> & OwnBody<Body>)) &
  Unruled<Body, Attachment>;

type Unruled<Body extends Ruled, Attachment> = Omit<Body, RuledName> & {
  attachments?: readonly Attachment[] | undefined;
};

type Given<Body, Name extends keyof Body> = { [Key in Name]-?: Exclude<Body[Key], undefined> };
type Perhaps<Body, Name extends keyof Body> = { [Key in Name]?: Body[Key] | undefined };
type Without<Name extends string> = { readonly [Key in Name]?: undefined };

type Addressed<Body extends Ruled> = Given<Body, "from" | "subject">;

type WithReact<Body> = Body & { react?: ReactElement };

/**
 * The last member is one of those before it: a compiler names the last in its error for a message
 * that has nothing of them all.
 */
type OwnBody<Body extends Ruled> =
  | (Given<WithReact<Body>, "react"> & Perhaps<Body, "text"> & Without<"html" | "template_id">)
  | (Given<WithReact<Body>, "html"> & Perhaps<Body, "text"> & Without<"react" | "template_id">)
  | (Given<WithReact<Body>, "text"> & Perhaps<Body, "html"> & Without<"react" | "template_id">)
  | (Given<WithReact<Body>, "text"> & Without<"html" | "react" | "template_id">);

type OfTemplate<Body extends Ruled> = Given<Body, "template_id"> &
  Without<"html" | "text" | "react">;

/** A message without a topic can't have a generated unsubscribe link. */
type Topical<Body extends Ruled> =
  | (Given<Body, "topic"> & Perhaps<Body, "unsubscribe">)
  | (Perhaps<Body, "topic"> & { unsubscribe?: Ungenerated<Body> | undefined })
  | (Perhaps<Body, "topic"> & Without<"unsubscribe">);

type Unsubscribing<Body extends Ruled, Mode> = Exclude<Body["unsubscribe"], undefined> & {
  mode: Mode;
};
type Ungenerated<Body extends Ruled> = Unsubscribing<Body, "none">;

type AttachmentOf<Body extends Ruled> = Exclude<Body["attachments"], undefined>[number];
type BatchAttachment<Body extends Ruled> = AttachmentOf<Body> & { content: string };
/** Only a single send may name a file by its URL. */
type SingleAttachment<Body extends Ruled> =
  | BatchAttachment<Body>
  | (AttachmentOf<Body> & { path: string });

/**
 * A batch. Its defaults may have what its messages need, and a message may not contradict them.
 * If it has defaults, only the API checks that each message has `from` and `subject`.
 */
type BatchContents<Entry extends Ruled, Defaults extends Ruled> =
  | WithTopics<
      Entry,
      Defaults,
      Without<"html" | "text" | "template_id">,
      OwnBody<Entry> | OfTemplate<Entry>
    >
  | WithTopics<
      Entry,
      Defaults,
      (Given<Defaults, "html"> | Given<Defaults, "text">) & Without<"template_id">,
      OwnBody<Entry> | Without<"html" | "text" | "react" | "template_id">
    >
  | WithTopics<
      Entry,
      Defaults,
      Given<Defaults, "template_id"> & Without<"html" | "text">,
      Perhaps<Entry, "template_id"> & Without<"html" | "text" | "react">
    >
  | {
      defaults?: undefined;
      emails: readonly MessageBody<Entry, BatchAttachment<Entry>>[];
    };

/** Defaults and messages of these contents, by the topic that the defaults have. */
type WithTopics<Entry extends Ruled, Defaults extends Ruled, Shared, Content> =
  | BatchOf<
      Shared & Shareable<Defaults> & Given<Defaults, "topic"> & Perhaps<Defaults, "unsubscribe">,
      Content & Inheriting<Entry> & Perhaps<Entry, "topic" | "unsubscribe">
    >
  | BatchOf<
      Shared &
        Shareable<Defaults> &
        Without<"topic"> & { unsubscribe?: Ungenerated<Defaults> | undefined },
      Content & Inheriting<Entry> & Topical<Entry>
    >
  | BatchOf<
      Shared &
        Shareable<Defaults> &
        Without<"topic"> & { unsubscribe: Unsubscribing<Defaults, "generate"> },
      Content &
        Inheriting<Entry> &
        (
          | (Given<Entry, "topic"> & Perhaps<Entry, "unsubscribe">)
          | (Perhaps<Entry, "topic"> & { unsubscribe: Ungenerated<Entry> })
        )
    >;

interface BatchOf<Defaults, Entry> {
  defaults: Defaults;
  emails: readonly Entry[];
}

/** The members that defaults may have, whatever their messages have. */
type Shareable<Defaults extends Ruled> = Unruled<Defaults, BatchAttachment<Defaults>> &
  Perhaps<Defaults, "from" | "subject" | "text" | "html">;

type Inheriting<Entry extends Ruled> = Unruled<Entry, BatchAttachment<Entry>> &
  Perhaps<Entry, "from" | "subject">;
