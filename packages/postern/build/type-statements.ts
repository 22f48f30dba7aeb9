// Writes the schemas of the document as exported types with the same names.
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import type { ClientDocument } from "./client-document.ts";
import { importTypes, type PackageTypes } from "./type-imports.ts";

/** `shared`: types to import instead of writing them. */
export async function typesOf({ schemas }: ClientDocument, shared?: PackageTypes): Promise<string> {
  const document = {
    openapi: "3.1.0",
    info: { title: "", version: "" },
    paths: {},
    components: { schemas },
  };
  const nodes = await openapiTS(JSON.stringify(document, withoutExamples), {
    defaultNonNullable: false,
  });
  const members = nodes.flatMap(schemaMembers);
  if (members.length !== Object.keys(schemas).length)
    throw new Error(`${members.length} types came out of ${Object.keys(schemas).length} schemas`);
  const imported = new Set<string>();
  const own = members.filter((member) => !shared?.names.has(nameOf(member)));
  const text = astToString(own.map(exportedAs)).replaceAll(
    /components\["schemas"\]\["(\w+)"\]/g,
    (_, name: string) => {
      if (shared?.names.has(name)) imported.add(name);
      return name;
    },
  );
  return imported.size === 0 ? text : `${importTypes([...imported], "", shared)}\n\n${text}`;
}

/** Removes the parts of a schema that types do not need. */
function withoutExamples(name: string, value: unknown): unknown {
  return name === "example" || name === "examples" || name === "discriminator" ? undefined : value;
}

/** Returns the members of `components.schemas`. */
function schemaMembers(node: ts.Node): readonly ts.PropertySignature[] {
  if (!ts.isInterfaceDeclaration(node) || node.name.text !== "components") return [];
  const schemas = node.members
    .filter(ts.isPropertySignature)
    .find(({ name }) => ts.isIdentifier(name) && name.text === "schemas");
  return schemas?.type && ts.isTypeLiteralNode(schemas.type)
    ? schemas.type.members.filter(ts.isPropertySignature)
    : [];
}

function nameOf(member: ts.PropertySignature): string {
  return (member.name as ts.Identifier).text;
}

function exportedAs(member: ts.PropertySignature): ts.Statement {
  const { factory } = ts;
  const name = nameOf(member);
  const exported = [factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  if (!member.type) throw new Error(`${name} has no type`);
  return ts.isTypeLiteralNode(member.type)
    ? factory.createInterfaceDeclaration(exported, name, undefined, undefined, member.type.members)
    : factory.createTypeAliasDeclaration(exported, name, undefined, member.type);
}
