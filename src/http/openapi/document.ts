import type { Endpoint } from '../endpoint.ts';
import { operationOf } from './operation.ts';
import { otherPaths } from './other-routes.ts';
import { collectSchemas, type Json } from './schemas.ts';
import { tags } from './tags.ts';
import { TAG, webhooks } from './webhooks.ts';

/** The API as OpenAPI 3.1, made of what validates: the endpoints, their schemas, the table of errors, the callbacks. */
export function openApiDocument(endpoints: readonly Endpoint[], version: string): Json {
  const schemas = collectSchemas();
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'robot-vasp',
      version,
      description: DESCRIPTION,
      license: { name: 'MIT' },
    },
    tags: [...tags.slice(0, -1), TAG, ...tags.slice(-1)],
    security: [{}, { apiKey: [] }],
    paths: { ...paths, ...otherPaths },
    webhooks: webhooks(schemas),
    components: {
      schemas: schemas.all,
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'D-01: the API key of a registered VASP.' },
        ofTheVasp: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The header and the token that the VASP has registered.',
        },
      },
    },
  };
}

const DESCRIPTION = `\
Enclave (\`/v1\`), robot VASP (\`/vega/robot/v1.0\`) and control of the sandbox (\`/sandbox/v1\`).

**Who is calling.** Without credentials you are the tested VASP of the configuration, with an API key the VASP that
was registered for it (D-01). Everything concerns the calling VASP alone.

**Errors** have the form \`{code, message}\`. Each operation names its codes. Besides, any unknown path answers 404
\`NOT-FOUND\`, and any other method of a known path 405 \`METHOD-NOT-ALLOWED\` with the header \`Allow\`.

**Examples** are answered with 200 as they stand. Where \`x-after\` is said, something has to be there before, and its
id takes the place of the id in the example. Parts of one request have the same name.

**Clauses.** \`REF-\` is a section of the interface description of the enclave (\`REF-4.6.8\`: section 4.6, item 8),
\`WIRE-\` a section of the description of its wire formats, \`D-\` a decision where both are silent.
\`src/contract/clauses.md\` has one sentence for each.`;
