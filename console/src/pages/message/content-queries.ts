// Reads the stored content of a message, and the pictures that its HTML shows by their content ids.
import { useQuery } from "@tanstack/react-query";
import type { EmailContent } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { dataUrl } from "./sent-html.ts";

/**
 * The links to the attachments are valid for an hour. The content is read again after half of this
 * time.
 */
const FRESH_MS = 1_800_000;
const LARGEST_PICTURE_BYTES = 1_000_000;

export function useContent(id: string, mayRead = true) {
  return useQuery({
    queryKey: ["content", id],
    queryFn: () => api.emails.getContent(id),
    enabled: mayRead,
    staleTime: FRESH_MS,
  });
}

/** Returns the pictures as data URLs by content id. */
export function usePictures(id: string, { attachments }: EmailContent) {
  const pictures = attachments.filter(
    (file) =>
      file.content_id !== null &&
      file.content_type.startsWith("image/") &&
      file.size <= LARGEST_PICTURE_BYTES,
  );
  return useQuery({
    queryKey: ["content", id, "pictures"],
    queryFn: async () => {
      const loaded = new Map<string, string>();
      for (const { index, content_id: contentId, content_type: type } of pictures) {
        const bytes = await api.emails.getContentAttachment(id, String(index));
        loaded.set(contentId ?? "", dataUrl(type, bytes));
      }
      return loaded;
    },
    enabled: pictures.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
