import type { Endpoint } from '../endpoint.ts';
import { operationOf } from './operation.ts';
import { otherPaths, otherSchemas } from './other-routes.ts';
import { collectSchemas, type Json } from './schemas.ts';
import { tags } from './tags.ts';
import { TAG, webhooks } from './webhooks.ts';

/** The API as OpenAPI 3.1, built in steps from the endpoints, their schemas, the error table and the callbacks. */
export function* openApiDocument(
  endpoints: readonly Endpoint[],
  version: string,
  { isHosted, hasPath }: { isHosted: boolean; hasPath(path: string): boolean },
): Generator<void, Json> {
  const schemas = collectSchemas();
  const all = Object.assign(schemas.all, otherSchemas);
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints.filter(({ alwaysRefuses }) => !alwaysRefuses)) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint, schemas, isHosted) };
    yield;
  }
  const others = Object.fromEntries(Object.entries(otherPaths).filter(([path]) => hasPath(path)));
  const document: Json = {
    openapi: '3.1.0',
    info: {
      title: 'robot-vasp',
      version,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'robot-vasp', url: 'https://github.com/robot-vasp/robot-vasp' },
    },
    servers: [{ url: '/', description: 'The program that served this document.' }],
    tags: [...tags.slice(0, -1), TAG, ...tags.slice(-1)],
    security: isHosted ? [{ apiKey: [] }] : [{}, { apiKey: [] }],
    paths: { ...paths, ...others },
    webhooks: webhooks(schemas),
    components: {
      schemas: all,
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'D-01: API key of a registered VASP.' },
        vaspToken: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'Header and token of the registration of the VASP.',
        },
      },
    },
  };
  yield;
  removeUnused(all, document);
  yield;
  return document;
}

/** Queries are shown as parameters, so nothing refers to their schemas. The local mode has no operation of the hosted one. */
function removeUnused(all: Record<string, Json>, document: Json): void {
  const text = JSON.stringify(document);
  document.tags = (document.tags as { name: string }[]).filter(({ name }) => text.includes(`"tags":["${name}"]`));
  for (const name of Object.keys(all)) if (!text.includes(`#/components/schemas/${name}"`)) delete all[name];
}

const DESCRIPTION = `\
Enclave (\`/v1\`), robot VASP (\`/vega/robot/v1.0\`) and control of the sandbox (\`/sandbox/v1\`).

**Caller.** A request with an API key acts for the VASP that registered the key. A request without a key acts for the
tested VASP of the configuration (D-01). Every operation reads and changes data of the calling VASP only.

**Errors** have the form \`{code, message}\`. Each operation lists its codes, with an example for each. The header \`Refused-Field\` names
a wrong field by its path, percent-encoded. In addition, an unknown path answers 404
\`NOT-FOUND\`. A known path answers any other method with 405 \`METHOD-NOT-ALLOWED\` and the header \`Allow\`.

**Examples** are complete requests that are answered with 200. An operation with \`x-precondition\` needs data that you
create first; its description says which id to put into the example. Path, query and body of one example share a name.

**Clauses.** \`REF-\` is a section of the interface description of the enclave (\`REF-4.6.8\`: section 4.6, item 8),
\`WIRE-\` a section of the description of its wire formats, \`D-\` a decision where both are silent.
[Clauses](/guide/clauses) has one sentence for each.`;
