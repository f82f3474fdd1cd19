import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/contract/errors.ts';
import { createWorld } from '../support/world.ts';

type Document = {
  openapi: string;
  paths: Record<
    string,
    Record<string, { operationId: string; responses: Record<string, { description: string }> }>
  >;
  webhooks: Record<string, unknown>;
  components: { schemas: Record<string, unknown> };
};

async function documentOf(env: Record<string, string> = {}): Promise<Document> {
  const world = await createWorld({ env });
  try {
    return (await (await fetch(`${world.url}/openapi.json`)).json()) as Document;
  } finally {
    await world.close();
  }
}

const refsIn = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([member, inside]) =>
    member === '$ref' && typeof inside === 'string' ? [inside] : refsIn(inside),
  );
};

test('/openapi.json: every operation of the reference, its errors, the callbacks; every reference leads somewhere', async () => {
  const document = await documentOf();
  expect(document.openapi).toBe('3.1.0');
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({ path, method, operationId })),
  );
  for (const operation of Object.keys(OPERATIONS))
    expect(operations.some(({ operationId }) => operationId.startsWith(operation))).toBe(true);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);

  const inquiry = document.paths['/v1/verifications/tx/inquiry']!.post!.responses;
  expect(inquiry['400']!.description).toMatch(/VERIFICATION-NOT-FOUND, VASP-NOT-MATCHED/);
  expect(inquiry['408']!.description).toBe('REQUEST-TIMEOUT');
  expect(document.paths['/v1/verifications/{uuid}']!.get!.responses['404']!.description).toMatch(
    /VERIFICATION-NOT-FOUND/,
  );
  expect(Object.keys(document.webhooks)).toContain('PROVIDER_A_KYT_RESULT');

  const refs = refsIn(document);
  expect(refs.length).toBeGreaterThan(50);
  const names = refs.map(ref => /^#\/components\/schemas\/(.+)$/.exec(ref)?.[1]);
  expect(names.filter(name => name === undefined || !(name in document.components.schemas))).toEqual([]);
});

test('/openapi.json: provider names of the configuration, everywhere', async () => {
  const text = JSON.stringify(await documentOf({ PROVIDER_A_NAME: 'acme', PROVIDER_B_NAME: 'globex' }));
  expect(text).toContain('/v1/risk-assessment/acme-sanction');
  expect(text).toContain('ACME_KYT_RESULT');
  expect(text).toContain('globexWCO');
  expect(text).not.toMatch(/providerA|providerB|PROVIDER_A|PROVIDER_B/);
});
