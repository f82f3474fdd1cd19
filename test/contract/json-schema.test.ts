import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { RunRequest } from '../../src/contract/plans.ts';
import { parseDuration } from '../../src/kernel/duration.ts';

const folder = new URL('../../src/contract/', import.meta.url);

const schemas: [string, z.ZodType][] = [];
for (const file of readdirSync(folder).filter(name => name.endsWith('.ts'))) {
  const module: Record<string, unknown> = await import(new URL(file, folder).href);
  for (const [name, value] of Object.entries(module)) if (value instanceof z.ZodType) schemas.push([name, value]);
}

test('the contract exports schemas', () => {
  expect(schemas.length).toBeGreaterThan(50);
});

test.each(schemas)('%s can stand in an OpenAPI 3.1 document', (_name, schema) => {
  for (const io of ['input', 'output'] as const) expect(z.toJSONSchema(schema, { io })).toHaveProperty('$schema');
});

test.each(schemas.filter(([, schema]) => schema instanceof z.ZodObject))(
  '%s is an object with its own name as id, and a description',
  (name, schema) => {
    const meta = schema.meta();
    expect(meta?.id).toBe(name);
    expect(meta?.description).toBeTruthy();
  },
);

test('all schemas fit in one document: no id stands for two of them', () => {
  const registry = z.registry<{ id: string }>();
  for (const [, schema] of schemas) {
    const id = schema.meta()?.id;
    if (id) registry.add(schema, { id });
  }
  const { schemas: document } = z.toJSONSchema(registry, { io: 'input' });
  expect(Object.keys(document)).toContain('VerifyUserRequest');
});

test.each(['24h', '1440m', '86400s', '24h1ms', '25h', '57916m6ms', '10'])(
  'the document and the program agree whether a run may wait %s',
  wait => {
    const { pattern } = z.toJSONSchema(RunRequest.shape.inquiryWait, { io: 'input' });
    const isTaken = RunRequest.safeParse({ inquiryWait: wait }).success;
    expect(new RegExp(pattern!).test(wait)).toBe(isTaken);
    expect(isTaken).toBe(parseDuration(wait)! <= 86_400_000);
  },
);

test('a text has as many characters as the document says, also outside of the first Unicode plane', () => {
  const texts = schemas.flatMap(([name, schema]) => {
    const { type, maxLength, pattern } = z.toJSONSchema(schema, { io: 'input' });
    return type === 'string' && maxLength !== undefined ? [{ name, schema, maxLength, pattern }] : [];
  });
  expect(texts.map(({ name }) => name)).toEqual(expect.arrayContaining(['NameText', 'AccountNumber']));
  for (const { name, schema, maxLength, pattern } of texts) {
    const longest = '𠮷'.repeat(maxLength);
    if (pattern !== undefined && !new RegExp(pattern, 'u').test(longest)) continue;
    expect(schema.safeParse(longest).success, name).toBe(true);
    expect(schema.safeParse(`${longest}𠮷`).success, name).toBe(false);
  }
});
