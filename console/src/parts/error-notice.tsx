// Shows why a request failed: the API's message, the problems of each field, and the request's id.
import { SmallButton } from "./button.tsx";
import { ApiFailure } from "../api/failure.ts";
import { ChangedMeanwhile } from "../api/guarded-change.ts";
import { CopyableCode } from "./copy-button.tsx";

interface ErrorNoteProps {
  readonly error: Error;
  /** Repeats the request. Absent: a retry would not help. */
  readonly retry?: () => void;
}

export function ErrorNotice({ error, retry }: ErrorNoteProps) {
  const failure = error instanceof ApiFailure ? error : null;
  // If there is only one problem, the API's message already names the problem's field.
  const untold = Object.entries(failure?.fields ?? {}).filter(
    ([, problems]) => !problems.every((problem) => error.message.includes(problem)),
  );
  return (
    <div className="problem" role="alert">
      <p>
        {failure || error instanceof ChangedMeanwhile
          ? error.message
          : "This browser can’t reach the service."}
      </p>
      {untold.length > 0 && (
        <ul>
          {untold.map(([field, problems]) => (
            <li key={field}>
              <code>{field}</code> {problems.join("; ")}
            </li>
          ))}
        </ul>
      )}
      {failure?.requestId && (
        <small>
          Request ID <CopyableCode text={failure.requestId} />
        </small>
      )}
      {retry && (!failure || failure.mayPass) && (
        <SmallButton onClick={retry}>Try again</SmallButton>
      )}
    </div>
  );
}
