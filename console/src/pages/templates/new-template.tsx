// Creates a template: its name, its kind, and an example content that shows the features of the
// kind.
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../../api/api-client.ts";
import { MainButton } from "../../parts/button.tsx";
import { AsRequest } from "../../parts/as-request.tsx";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { Field, submits, textIn } from "../../parts/form.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Permitted } from "../../parts/permitted.tsx";
import { bodyOf, refreshTemplates, type TemplateKind } from "./template-calls.ts";

const FIRST_SOURCES: Readonly<Record<TemplateKind, string>> = {
  markdown: `preheader: Your order {{number}} is on its way.

# Thank you, {{name}}

Your order **{{number}}** is on its way.

[See your order]({{url}}){button}

| Item | Price |
|---|---:|
{{#each items}}
| {{title}} | {{price}} |
{{/each}}
`,
  html: `<!doctype html>
<html lang="en">
  <head>
    <meta name="color-scheme" content="light dark">
    <style>
      body { font-family: sans-serif; margin: 24px; }
      @media (prefers-color-scheme: dark) {
        body { background: #17181a; color: #ececea; }
        a { color: #7fa9f7; }
      }
    </style>
  </head>
  <body>
    <h1>Thank you, {{name}}</h1>
    <p>Your order {{number}} is on its way. <a href="{{url}}">See your order</a></p>
  </body>
</html>
`,
};
const FIRST_SUBJECT = "Your order {{number}}";

export function NewTemplate() {
  const navigate = useNavigate();
  const { mutate, error, isPending } = useMutation({
    mutationFn: ({ name, kind }: { name: string; kind: TemplateKind }) => {
      const content = { subject: FIRST_SUBJECT, source: FIRST_SOURCES[kind] };
      return api.templates.create({ name, kind, ...bodyOf(kind, content) });
    },
    onSuccess: async ({ id }) => {
      await refreshTemplates();
      await navigate({
        to: "/templates/$templateId",
        params: { templateId: id },
        replace: true,
      });
    },
  });
  const submit = submits((values) => {
    const kind = values.get("kind") === "html" ? "html" : "markdown";
    mutate({ name: textIn(values, "name"), kind });
  });
  return (
    <>
      <PageHead title="Add template" />
      <form className="panel padded" aria-label="Add template" onSubmit={submit}>
        <Field label="Name" name="name" required maxLength={200} placeholder="Receipt" />
        <fieldset>
          <legend>Format</legend>
          <label>
            <input type="radio" name="kind" value="markdown" defaultChecked /> Markdown (converted
            to HTML)
          </label>
          <label>
            <input type="radio" name="kind" value="html" /> HTML
          </label>
        </fieldset>
        <p className="muted">
          A plain-text version is generated automatically. Publish the template before you send with
          it.
        </p>
        {error && <ErrorNotice error={error} />}
        <div className="buttons">
          <Permitted operation="POST /v1/templates" act="add templates">
            <MainButton type="submit" disabled={isPending}>
              Add template
            </MainButton>
          </Permitted>
        </div>
      </form>
      <AsRequest
        method="POST"
        path="/v1/templates"
        body={{
          name: "Receipt",
          kind: "markdown",
          subject: FIRST_SUBJECT,
          markdown: "# Thank you",
        }}
      />
    </>
  );
}
