// The type of a send's body. It excludes combinations of members that the API always refuses
// (contract.md §Bodies, contract.md §Subject, contract.md §Generated unsubscribe links, contract.md
// §Attachments). The OpenAPI schemas state these rules only in descriptions. The type also has
// `react`, which the client renders into `html` and `text`.

/** A React element, as `@react-email/render` takes it. */
export type ReactElement = object;

/** The message members that these types check. */
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

/** The body of `POST /v1/email` or `POST /v1/email/batch`. */
export type SendBody<Body> = Body extends {
  emails: readonly (infer Entry extends Ruled)[];
  defaults?: infer Defaults extends Ruled;
}
  ? Omit<Body, "emails" | "defaults"> & BatchContents<Entry, Defaults>
  : Body extends Ruled
    ? MessageBody<Body, SingleAttachment<Body>>
    : never;

/** A complete message, which needs no defaults of a batch. */
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
 * The last alternative accepts nothing new. It exists because the compiler's error for a message
 * without any content names the last alternative.
 */
type OwnBody<Body extends Ruled> =
  | (Given<WithReact<Body>, "react"> & Perhaps<Body, "text"> & Without<"html" | "template_id">)
  | (Given<WithReact<Body>, "html"> & Perhaps<Body, "text"> & Without<"react" | "template_id">)
  | (Given<WithReact<Body>, "text"> & Perhaps<Body, "html"> & Without<"react" | "template_id">)
  | (Given<WithReact<Body>, "text"> & Without<"html" | "react" | "template_id">);

type OfTemplate<Body extends Ruled> = Given<Body, "template_id"> &
  Without<"html" | "text" | "react">;

/** A generated unsubscribe link needs a topic. */
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
/** Only a single send may attach a file by URL. */
type SingleAttachment<Body extends Ruled> =
  | BatchAttachment<Body>
  | (AttachmentOf<Body> & { path: string });

/**
 * A batch. Its defaults can supply members that a message lacks. A message must not contradict the
 * defaults. If there are defaults, only the API checks that each message has `from` and `subject`.
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

/**
 * Combines defaults and messages in three cases. Either the defaults have a topic. Or they have
 * neither a topic nor a generated unsubscribe link. Or they generate a link without a topic, so
 * each message needs its own topic or refuses the link.
 */
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

/** The members that defaults may have, independently of the messages. */
type Shareable<Defaults extends Ruled> = Unruled<Defaults, BatchAttachment<Defaults>> &
  Perhaps<Defaults, "from" | "subject" | "text" | "html">;

type Inheriting<Entry extends Ruled> = Unruled<Entry, BatchAttachment<Entry>> &
  Perhaps<Entry, "from" | "subject">;
