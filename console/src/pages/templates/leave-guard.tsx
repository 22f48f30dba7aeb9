// Asks for confirmation before a person leaves the page or closes the tab with unsaved changes.
import { useBlocker } from "@tanstack/react-router";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";

interface LeaveGuardProps {
  readonly name: string;
  readonly isChanged: boolean;
}

export function LeaveGuard({ name, isChanged }: LeaveGuardProps) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  if (status !== "blocked") return null;
  return (
    <ConfirmDialog
      title={`Leave ${name} without saving?`}
      action="Leave without saving"
      dismiss="Stay"
      onConfirm={proceed}
      onClose={reset}
    >
      Your unsaved text stays in this tab until you close it.
    </ConfirmDialog>
  );
}
