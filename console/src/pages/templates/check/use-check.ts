// Requests the check of the edited content, and the rules that the team switched off.
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import type {
  EmailCheck,
  EmailCheckRequest,
  TeamSettings,
} from "../../../../../packages/postern/src/generated/types.ts";
import { api } from "../../../api/api-client.ts";
import { changeGuarded } from "../../../api/guarded-change.ts";
import { queryClient } from "../../../api/query-client.ts";
import { teamSettingsQuery } from "../../../api/team-settings.ts";

export type CheckProblemView = EmailCheck["problems"][number];
export type OffRule = TeamSettings["check_rules_off"][number];

const KEPT_MS = 30_000;
const CHECK = "template check";

/**
 * Requests the check. `body` is the content of the preview, as POST /v1/templates/preview takes it.
 */
export function useCheck(body: EmailCheckRequest) {
  return useQuery({
    queryKey: [CHECK, body],
    queryFn: ({ signal }) => api.emails.check(body, { signal }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
  });
}

export function useRulesOff(): readonly OffRule[] {
  return useQuery(teamSettingsQuery).data?.check_rules_off ?? [];
}

/** Switches a rule off for the whole team, or on again. */
export function useSwitchRule() {
  return useMutation({
    mutationFn: async ({ rule, isOff }: { readonly rule: OffRule; readonly isOff: boolean }) => {
      const seen = await api.team.getSettings();
      const others = seen.check_rules_off.filter((one) => one !== rule);
      return changeGuarded({
        read: (options) => api.team.getSettings(options),
        isSeen: ({ check_rules_off: now }) => now.join() === seen.check_rules_off.join(),
        write: (options) =>
          api.team.updateSettings({ check_rules_off: isOff ? [...others, rule] : others }, options),
      });
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: teamSettingsQuery.queryKey });
      await queryClient.invalidateQueries({ queryKey: [CHECK] });
    },
  });
}
