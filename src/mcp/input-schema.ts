import * as z from 'zod';
import type { Endpoint } from '../http/endpoint.ts';
import { PATH_PARAMETERS, parametersIn } from '../http/openapi/path-parameters.ts';

type Json = { [member: string]: unknown };

/** The input of a tool: the path parameters, query parameters and members of the body of its endpoint in one object. */
export function inputSchemaOf({ path, query, body }: Endpoint) {
  const inPath = parametersIn(path).map(name => [
    name,
    { type: 'string', description: PATH_PARAMETERS[name].description, ...PATH_PARAMETERS[name].shape },
  ]);
  const parts = [query, body].filter(schema => schema !== undefined).map(jsonSchemaOf);
  const members = (name: 'properties' | '$defs') => Object.assign({}, ...parts.map(part => part[name] ?? {})) as Json;
  const required = [...parametersIn(path), ...parts.flatMap(part => (part.required as string[] | undefined) ?? [])];
  const definitions = members('$defs');
  return {
    type: 'object' as const,
    properties: { ...Object.fromEntries(inPath), ...members('properties') },
    ...(required.length === 0 ? {} : { required }),
    ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions }),
  };
}

/** The object itself: a schema with a name stands among the definitions. */
function jsonSchemaOf(schema: z.ZodType): Json {
  const options = { io: 'input', unrepresentable: 'any', override: withoutId } as const;
  const { $ref, $defs = {}, ...rest } = z.toJSONSchema(schema, options) as Json;
  if (typeof $ref !== 'string') return { ...rest, $defs };
  const { [$ref.slice('#/$defs/'.length)]: root, ...others } = $defs as Record<string, Json>;
  return { ...root, $defs: others };
}

const withoutId = ({ jsonSchema }: { jsonSchema: Json }): void => void delete jsonSchema.id;
