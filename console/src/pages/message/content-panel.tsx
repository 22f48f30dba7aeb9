// The content of a sent message: its HTML in a frame, its text, its header and its files. Remote
// images are loaded only on request, because loading them informs their servers.
import { useState } from "react";
import type { EmailContent } from "../../../../packages/postern/src/generated/types.ts";
import { Button } from "../../parts/button.tsx";
import { FactLines } from "../../parts/list/facts.tsx";
import { formatCount } from "../../parts/figures.ts";
import { Panel } from "../../parts/panel.tsx";
import { NotPermitted, useMay } from "../../parts/permitted.tsx";
import { PreviewFrame } from "../../parts/preview-frame.tsx";
import { isMissing, QueryResult, refusalOf } from "../../parts/query-result.tsx";
import { ViewSwitch } from "../../parts/view-switch.tsx";
import { TimeAgo } from "../../parts/time/time-ago.tsx";
import { typeset } from "../../parts/typography.ts";
import { useContent, usePictures } from "./content-queries.ts";
import { hasRemoteImages, withFiles } from "./sent-html.ts";

const VIEWS = [
  ["desktop", "Desktop"],
  ["phone", "Phone"],
  ["text", "Text"],
  ["header", "Header"],
] as const;
type View = (typeof VIEWS)[number][0];

const DESKTOP_PX = 680;
const PHONE_PX = 375;
const HEIGHT_PX = 480;
const NO_PICTURES: ReadonlyMap<string, string> = new Map();

export function ContentPanel({ id }: { readonly id: string }) {
  if (useMay("GET /v1/email/{id}/content")) return <ReadContent id={id} />;
  return (
    <Panel title="Content">
      <p className="padded">
        <NotPermitted act="read the content of messages" />
      </p>
    </Panel>
  );
}

function ReadContent({ id }: { readonly id: string }) {
  const query = useContent(id);
  const [chosen, setView] = useState<View | null>(null);
  const view = chosen ?? (query.data?.html === null ? "text" : firstView());
  const reason = isMissing(query) ? query.error?.message : refusalOf(query);
  if (reason != null)
    return (
      <Panel title="Content">
        <p className="padded muted">{typeset(reason)}</p>
      </Panel>
    );
  return (
    <Panel
      title="Content"
      note={
        query.data && (
          <>
            kept until <TimeAgo at={query.data.kept_until} />
          </>
        )
      }
      aside={<ViewSwitch label="Show content as" values={VIEWS} chosen={view} onChoose={setView} />}
    >
      <QueryResult query={query}>
        {(content) => (
          <>
            <Body id={id} content={content} view={view} />
            <Files content={content} />
          </>
        )}
      </QueryResult>
    </Panel>
  );
}

/**
 * Returns the first view. A phone shows the mail in the phone's own width, so that the text is
 * large enough to read.
 */
function firstView(): View {
  return window.innerWidth < DESKTOP_PX ? "phone" : "desktop";
}

interface BodyProps {
  readonly id: string;
  readonly content: EmailContent;
  readonly view: View;
}

function Body({ id, content, view }: BodyProps) {
  const { html, text, headers } = content;
  if (view === "header") return <FactLines facts={headers} />;
  if (view === "text")
    return text === null ? (
      <p className="empty">The message has no text.</p>
    ) : (
      <pre className="mail-text" tabIndex={0} aria-label="Message as text">
        {text}
      </pre>
    );
  if (html === null) return <p className="empty">The message has no HTML.</p>;
  return <Html key={id} id={id} content={content} html={html} isPhone={view === "phone"} />;
}

interface HtmlProps {
  readonly id: string;
  readonly content: EmailContent;
  readonly html: string;
  readonly isPhone: boolean;
}

function Html({ id, content, html, isPhone }: HtmlProps) {
  const { data: pictures = NO_PICTURES } = usePictures(id, content);
  const [isRemote, setRemote] = useState(false);
  return (
    <>
      {hasRemoteImages(html) && !isRemote && (
        <p className="padded muted">
          Images of other servers are not loaded.{" "}
          <Button onClick={() => setRemote(true)}>Load images</Button>
        </p>
      )}
      <PreviewFrame
        key={isRemote ? "remote" : "own"}
        title="Message as HTML"
        html={withFiles(html, pictures)}
        width={isPhone ? PHONE_PX : DESKTOP_PX}
        height={HEIGHT_PX}
        images={isRemote ? "remote" : "own"}
      />
    </>
  );
}

function Files({ content: { attachments } }: { readonly content: EmailContent }) {
  if (attachments.length === 0) return null;
  return (
    <ul className="padded" aria-label="Attachments">
      {attachments.map(({ index, filename, content_type: type, size, download_url: url }) => (
        <li key={index}>
          <a href={new URL(url, location.href).pathname} download={filename}>
            {filename}
          </a>{" "}
          <small>
            {type}, {formatCount(size)} bytes
          </small>
        </li>
      ))}
    </ul>
  );
}
