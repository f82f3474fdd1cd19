import * as z from 'zod';
import type { Endpoint } from '../http/endpoint.ts';
import { PATH_PARAMETERS, parametersIn } from '../http/openapi/schemas.ts';
import { didYouMean } from '../kernel/text.ts';

export type Json = { [member: string]: unknown };
type Definitions = Readonly<Record<string, Json>>;

/** The agent reads why. */
export class ToolFailure extends Error {}

/** An argument that nothing fits would return an empty list. Throws `ToolFailure`. */
export function requireOneOf(all: readonly string[], argument: string, value: unknown): void {
  if (value === undefined || all.includes(String(value))) return;
  throw new ToolFailure(`\`${argument}\` should be one of: ${all.join(', ')}.${didYouMean(String(value), all)}`);
}

/** Arguments that only the tool knows, each with its schema. */
export type Arguments = Readonly<Record<string, Json>>;

export const textArgument = (description: string): Json => ({ type: 'string', description });

/** An answer that is shown in brief can be read in full. */
export const FULL: Arguments = { full: { type: 'boolean' } };

/**
 * The arguments of a tool: the path parameters, query parameters and members of the body of its endpoint in one object.
 * An agent pays for each word, and the endpoint validates: so patterns, lengths and the inner parts of long bodies are
 * left out.
 */
export function inputSchemaOf(
  { path, query, body }: Pick<Endpoint, 'path' | 'query' | 'body'>,
  own: Arguments = {},
  defaults: Readonly<Record<string, string>> = {},
) {
  const inPath = parametersIn(path).map(name => {
    const { description, shape } = PATH_PARAMETERS[name];
    return [name, argumentOf(name, { type: 'string', description, ...shape }, {})] as const;
  });
  const parts = [query, body].filter(schema => schema !== undefined).map(argumentsIn);
  const all: Record<string, Json> = Object.assign(
    Object.fromEntries(inPath),
    ...parts.map(({ properties }) => properties),
    own,
  );
  for (const [name, value] of Object.entries(defaults)) all[name] = { ...all[name], default: value };
  return objectOf(all, [...parametersIn(path), ...parts.flatMap(({ required = [] }) => required as string[])]);
}

export const objectOf = (properties: Arguments, required: readonly string[] = []) => ({
  type: 'object' as const,
  properties: { ...properties },
  ...(required.length === 0 ? {} : { required: [...required] }),
});

/** The names of the members of an answer, and their types. `shown`: only these. */
export function outputSchemaOf(schema: z.ZodType, shown?: readonly string[]) {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as Json;
  const definitions = $defs as Definitions;
  const { properties = {} } = resolved(root, definitions);
  const all = Object.entries(properties as Definitions);
  const members = all
    .filter(([name]) => shown?.includes(name) ?? true)
    .map(([name, each]) => {
      const types = typesOf(each, definitions);
      return [name, types ? { type: types.length === 1 ? types[0] : types } : {}];
    });
  return { type: 'object' as const, properties: Object.fromEntries(members) as Arguments };
}

/** Undefined: any. */
function typesOf({ $ref, anyOf, oneOf, type }: Json, definitions: Definitions): string[] | undefined {
  if (typeof $ref === 'string') return typesOf(definedAt($ref, definitions), definitions);
  const options = ((anyOf ?? oneOf) as Json[] | undefined)?.map(each => typesOf(each, definitions));
  if (!options) return type === undefined ? undefined : [type as string | string[]].flat();
  return options.includes(undefined) ? undefined : [...new Set(options.flatMap(types => types!))];
}

function argumentsIn(schema: z.ZodType): Json {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json;
  return brief(root, $defs as Definitions);
}

const definedAt = ($ref: string, definitions: Definitions): Json => definitions[$ref.slice('#/$defs/'.length)]!;

/** They mean the same everywhere: their names, the instructions of the server or the hints of the tools say what. */
const COMMON = [
  ...['verificationUuid', 'uuid', 'vaspId', 'id', 'symbol', 'address', 'amount', 'txHash', 'beneficiaryVaspId'],
  ...['limit', 'before', 'after', 'request', 'control'],
];
/** A longer one is for people. */
const MAX_DESCRIPTION = 80;
/** More values stand in an answer. */
const MAX_VALUES = 12;

function brief(given: Json, definitions: Definitions): Json {
  const { properties = {}, required } = resolved(given, definitions);
  const members = Object.entries(properties as Definitions);
  return {
    properties: Object.fromEntries(members.map(([name, each]) => [name, argumentOf(name, each, definitions)])),
    required,
  };
}

function argumentOf(name: string, given: Json, definitions: Definitions): Json {
  const schema = resolved(given, definitions);
  const text = COMMON.includes(name) || schema.enum ? [] : sentenceOf(schema.description);
  const members = Object.keys(schema.properties ?? {});
  const described = members.length > 0 ? [...text, `Members: ${members.join(', ')}.`] : text;
  return {
    ...picked(schema, ['type', 'const', 'default']),
    ...valuesOf(schema),
    ...(schema.type === 'array' && schema.items ? { items: itemOf(schema.items as Json, definitions) } : {}),
    ...(described.length > 0 ? { description: described.join(' ') } : {}),
  };
}

const itemOf = (items: Json, definitions: Definitions): Json => {
  const schema = resolved(items, definitions);
  return { ...picked(schema, ['type']), ...valuesOf(schema) };
};

const valuesOf = ({ enum: values = [] }: Json): Json => {
  const { length } = values as unknown[];
  return length > 0 && length <= MAX_VALUES ? { enum: values } : {};
};

/** Without references. `null` counts as absent; of several objects it has the members of all. */
function resolved({ $ref, anyOf, oneOf, ...schema }: Json, definitions: Definitions): Json {
  if (typeof $ref === 'string') return { ...resolved(definedAt($ref, definitions), definitions), ...schema };
  const options = ((anyOf ?? oneOf ?? []) as Json[])
    .map(each => resolved(each, definitions))
    .filter(({ type }) => type !== 'null');
  const [first] = options;
  if (!first) return schema;
  if (options.length === 1) return { ...first, ...schema };
  if (options.some(({ type }) => type !== 'object')) return { ...picked(first, ['type']), ...schema };
  const required = options.reduce<string[]>(
    (names, each) => names.filter(name => ((each.required ?? []) as string[]).includes(name)),
    (first.required ?? []) as string[],
  );
  return { type: 'object', properties: merged(options, definitions), required, ...schema };
}

/** A member that differs among the options may have each of its forms. */
function merged(options: readonly Json[], definitions: Definitions): Definitions {
  const shapes = options.map(({ properties = {} }) => properties as Definitions);
  const all: Record<string, Json> = {};
  for (const name of new Set(shapes.flatMap(shape => Object.keys(shape)))) {
    const forms = shapes.flatMap(shape => (shape[name] ? [shape[name]] : []));
    const constants = forms.flatMap(form => form.const ?? []);
    const areSame = new Set(forms.map(form => JSON.stringify(form))).size === 1;
    if (constants.length > 1) all[name] = { type: 'string', enum: constants };
    else all[name] = areSame ? forms[0]! : resolved({ oneOf: forms }, definitions);
  }
  return all;
}

/** These members, as far as there are any. */
export const picked = (from: Json, names: readonly string[]): Json =>
  Object.fromEntries(names.flatMap(name => (from[name] === undefined ? [] : [[name, from[name]]])));

const CLAUSE = /^(?:REF|WIRE|D)-[\d.]+: /;

function sentenceOf(description: unknown): string[] {
  const [first = ''] = String(description ?? '')
    .replace(CLAUSE, '')
    .split(/(?<=(?<!e\.g)\.)\s/, 1);
  return first === '' || first.length > MAX_DESCRIPTION ? [] : [first];
}
