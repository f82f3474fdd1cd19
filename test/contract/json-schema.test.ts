import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';

const folder = new URL('../../src/contract/', import.meta.url);

const schemas: [string, z.ZodType][] = [];
for (const file of readdirSync(folder).filter(name => name.endsWith('.ts'))) {
  const module: Record<string, unknown> = await import(new URL(file, folder).href);
  for (const [name, value] of Object.entries(module))
    if (value instanceof z.ZodType) schemas.push([name, value]);
}

test('the contract exports schemas', () => {
  expect(schemas.length).toBeGreaterThan(50);
});

test.each(schemas)('%s can stand in an OpenAPI 3.1 document', (_name, schema) => {
  for (const io of ['input', 'output'] as const)
    expect(z.toJSONSchema(schema, { io })).toHaveProperty('$schema');
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
