// The preview beside the editor: desktop, phone, dark scheme, plain text, or all of them.
import { getRouteApi } from "@tanstack/react-router";
import { Loading } from "../../parts/loading.tsx";
import { Panel } from "../../parts/panel.tsx";
import { ViewSwitch } from "../../parts/view-switch.tsx";
import { PreviewFrame } from "../../parts/preview-frame.tsx";
import { inScheme } from "./preview-html.ts";
import { PREVIEW_VIEWS, type PreviewView } from "./template-search.ts";
import type { ShownParts } from "./use-preview.ts";

interface PreviewPanelProps {
  /** Undefined: no preview was made yet. */
  readonly shown: ShownParts | undefined;
  /** False: the preview shows older content than the editor. */
  readonly isCurrent: boolean;
  readonly problemCount: number;
}

const route = getRouteApi("/frame/templates/$templateId");

const NAMES: Readonly<Record<PreviewView, string>> = {
  desktop: "Desktop",
  phone: "Phone",
  dark: "Dark",
  text: "Text",
  all: "All",
};
const ALL = ["desktop", "phone", "dark", "text"] as const;
const DESKTOP_PX = 680;
const PHONE_PX = 375;
const HEIGHT_PX = 600;
const SUBJECT_PX = 38;
/** The height of each preview when all four are shown. */
const SMALL_HEIGHT_PX = 420;

export function PreviewPanel({ shown, isCurrent, problemCount }: PreviewPanelProps) {
  const { view = "desktop" } = route.useSearch();
  const navigate = route.useNavigate();
  const choose = (chosen: PreviewView): void => {
    void navigate({ search: { view: chosen }, replace: true, resetScroll: false });
  };
  return (
    <Panel
      title="Preview"
      note={<span aria-live="polite">{noteOf(isCurrent, problemCount)}</span>}
      aside={
        <ViewSwitch
          label="Preview as"
          values={PREVIEW_VIEWS.map((one) => [one, NAMES[one]] as const)}
          chosen={view}
          onChoose={choose}
        />
      }
    >
      {shown ? <Mail view={view} shown={shown} /> : <Loading height={HEIGHT_PX + SUBJECT_PX} />}
    </Panel>
  );
}

function Mail({ view, shown }: { readonly view: PreviewView; readonly shown: ShownParts }) {
  return (
    <>
      <p className="mail-subject">
        <small>Subject</small> {shown.subject ?? <span className="muted">none</span>}
      </p>
      {view === "all" ? (
        <div className="mails">
          {ALL.map((one) => (
            <figure key={one}>
              <figcaption>{NAMES[one]}</figcaption>
              <Part view={one} shown={shown} height={SMALL_HEIGHT_PX} />
            </figure>
          ))}
        </div>
      ) : (
        <Part key={view} view={view} shown={shown} height={HEIGHT_PX} />
      )}
    </>
  );
}

function noteOf(isCurrent: boolean, problemCount: number): string {
  if (problemCount > 0) return "Last version without errors";
  return isCurrent ? "As it will be sent" : "Updating…";
}

interface PartProps {
  readonly view: PreviewView;
  readonly shown: ShownParts;
  readonly height: number;
}

function Part({ view, shown, height }: PartProps) {
  const { html, text } = shown;
  if (view === "text")
    return text === null ? (
      <Nothing />
    ) : (
      <pre className="mail-text" tabIndex={0} aria-label="Message as text">
        {text}
      </pre>
    );
  if (html === null) return <Nothing />;
  const isDark = view === "dark";
  return (
    <PreviewFrame
      title={`Message, ${NAMES[view].toLowerCase()}`}
      html={inScheme(html, isDark ? "dark" : "light")}
      width={view === "phone" ? PHONE_PX : DESKTOP_PX}
      height={height}
      isDark={isDark}
    />
  );
}

function Nothing() {
  return <p className="empty">Nothing to preview yet.</p>;
}
