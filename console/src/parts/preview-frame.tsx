// Shows a mail's HTML in a frame. A form posts the HTML to the service, and the service returns it
// as a page with its own policy. A document that this page writes would inherit this page's policy.
// Each version gets a new frame, and the old frame stays visible until the new one is loaded. A new
// frame adds no entry to the browser's history.
import { useEffect, useId, useRef, useState } from "react";

interface PreviewFrameProps {
  readonly title: string;
  readonly html: string;
  /** The width for which the mail is laid out, in px. */
  readonly width: number;
  /** The frame's height on the page, in px. */
  readonly height: number;
  readonly isDark?: boolean;
  /** `own`: the frame loads no image from another server. */
  readonly images?: "own" | "remote";
}

export function PreviewFrame(props: PreviewFrameProps) {
  const { title, html, width, height, isDark = false, images = "remote" } = props;
  const place = useRef<HTMLDivElement>(null);
  const scale = useScale(place, width);
  const [version, setVersion] = useState({ number: 1, html });
  const [ready, setReady] = useState(0);
  if (version.html !== html) setVersion({ number: version.number + 1, html });
  const numbers = ready > 0 && ready < version.number ? [ready, version.number] : [version.number];
  return (
    <div ref={place} className={isDark ? "mail dark" : "mail"} style={{ height }}>
      {numbers.map((number) => (
        <MailFrame
          key={number}
          title={number === version.number ? title : `${title} (before)`}
          html={html}
          images={images}
          isShown={number === ready}
          onReady={() => setReady((last) => Math.max(last, number))}
          size={{ width, height: height / scale, scale }}
        />
      ))}
    </div>
  );
}

interface MailFrameProps {
  readonly title: string;
  readonly html: string;
  readonly images: "own" | "remote";
  readonly isShown: boolean;
  readonly onReady: () => void;
  readonly size: { readonly width: number; readonly height: number; readonly scale: number };
}

/** Shows the first HTML that it gets. A new version of the HTML needs a new frame. */
function MailFrame({ title, html, images, isShown, onReady, size }: MailFrameProps) {
  const name = `preview${useId()}`;
  const first = useRef({ html, images });
  const isPosted = useRef(false);
  useEffect(() => {
    postInto(name, first.current);
    isPosted.current = true;
  }, [name]);
  return (
    <iframe
      name={name}
      title={title}
      sandbox=""
      className={isShown ? "" : "waiting"}
      // A new frame also fires `load` for its empty document, before the form is posted.
      onLoad={() => {
        if (isPosted.current) onReady();
      }}
      style={{
        width: size.width,
        height: size.height,
        transform: `translateX(-50%) scale(${size.scale})`,
      }}
    />
  );
}

function postInto(frame: string, fields: Readonly<Record<string, string>>): void {
  const form = document.createElement("form");
  form.method = "post";
  form.action = "/console/preview";
  form.enctype = "multipart/form-data";
  form.target = frame;
  form.hidden = true;
  for (const [name, value] of Object.entries(fields)) {
    const field = document.createElement("textarea");
    field.name = name;
    field.value = value;
    form.append(field);
  }
  document.body.append(form);
  form.submit();
  form.remove();
}

/** Returns the scale at which the frame fits into its container. */
function useScale(place: React.RefObject<HTMLElement | null>, width: number): number {
  const [room, setRoom] = useState(width);
  useEffect(() => {
    if (!place.current) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setRoom(entry.contentRect.width);
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [place]);
  return room > 0 ? Math.min(1, room / width) : 1;
}
