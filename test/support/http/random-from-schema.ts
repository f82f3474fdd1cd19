import fc from 'fast-check';

/** Values that a JSON schema admits, or nearly so. Every choice comes from `random`. */

export type Schema = { [member: string]: unknown };
export type Random = () => number;

const TEXTS = ['', ' ', '0', 'text', 'null', 'ETH', 'XRP', '😀'.repeat(3), 'é', '__proto__', "';--", '<script>'];
/** Nobody listens there: a random address must never be called. */
const NOWHERE = 'http://127.0.0.1:1/nobody';
const POOL_SIZE = 40;
const DEEPEST = 12;

export function randomFromSchema(components: Readonly<Record<string, Schema>>, random: Random) {
  const pools = new Map<string, readonly string[]>();
  const below = (most: number): number => Math.floor(random() * most);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)]!;

  function of(schema: Schema, depth = 0): unknown {
    const { $ref, ...rest } = schema;
    if (typeof $ref === 'string') return of({ ...components[$ref.split('/').at(-1)!], ...rest }, depth);
    if ('const' in schema) return schema.const;
    if (Array.isArray(schema.enum)) return pick(schema.enum);
    const type = Array.isArray(schema.type) ? pick(schema.type as string[]) : schema.type;
    const alternatives = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
    if (alternatives) return of(pick(alternatives), depth);
    const possible = (schema.then as { anyOf: Schema[] } | undefined)?.anyOf;
    switch (type) {
      case 'object':
        return object(possible ? both(schema, pick(possible)) : schema, depth);
      case 'array':
        return array(schema, depth);
      case 'integer':
      case 'number':
        return number(schema);
      case 'boolean':
        return random() < 0.5;
      case 'null':
        return null;
      case 'string':
        return text(schema);
      default:
        return pick<unknown>([null, true, 7, 'text', [], {}]);
    }
  }

  function object({ properties = {}, required = [], additionalProperties }: Schema, depth: number): object {
    const members = Object.entries(properties as Record<string, Schema>)
      .filter(([name]) => (required as string[]).includes(name) || (depth < DEEPEST && random() < 0.5))
      .map(([name, schema]) => [name, of(schema, depth + 1)]);
    if (additionalProperties !== false && random() < 0.1) members.push(['another', pick([null, 1, {}])]);
    return Object.fromEntries(members);
  }

  function array({ items = {}, minItems = 0, maxItems = 3 }: Schema, depth: number): unknown[] {
    const length = Number(minItems) + below(Math.min(Number(maxItems), 3) - Number(minItems) + 1);
    return Array.from({ length }, () => of(items as Schema, depth + 1));
  }

  function number({ minimum = -3, maximum = 1_000 }: Schema): number {
    const [least, most] = [Number(minimum), Number(maximum)];
    return pick([least, most, least + below(most - least + 1)]);
  }

  function text(schema: Schema): string {
    const { pattern, format, examples, minLength = 0, maxLength = 1_000 } = schema;
    if (Array.isArray(examples) && random() < 0.6) return String(pick(examples));
    if (typeof pattern === 'string') return pattern.startsWith('^[Hh][Tt]') ? NOWHERE : pick(pool(pattern));
    if (format === 'date') return '2000-02-29';
    if (format === 'date-time') return '2000-02-29T00:00:00.000Z';
    const chosen = pick([...TEXTS, 'a'.repeat(Number(maxLength)), '😀'.repeat(Number(maxLength))]);
    return [...chosen].length < Number(minLength) ? 'a'.repeat(Number(minLength)) : chosen;
  }

  function pool(pattern: string): readonly string[] {
    const found = pools.get(pattern) ?? matching(pattern, below(1_000_000));
    pools.set(pattern, found);
    return found;
  }
  return of;
}

/** The members of an object that has to match one of several alternatives, too. */
function both(schema: Schema, alternative: Schema): Schema {
  const properties = { ...(schema.properties as Record<string, Schema>) };
  for (const [name, more] of Object.entries((alternative.properties ?? {}) as Record<string, Schema>))
    properties[name] = { ...properties[name], ...more };
  const required = [...((schema.required ?? []) as string[]), ...((alternative.required ?? []) as string[])];
  return { ...schema, properties, required };
}

function matching(pattern: string, seed: number): readonly string[] {
  const exact = new RegExp(pattern, 'u');
  const arbitrary = fc.stringMatching(new RegExp(withoutLookahead(pattern)), { size: 'small' });
  const found = fc.sample(arbitrary, { seed, numRuns: POOL_SIZE }).filter(text => exact.test(text));
  return found.length > 0 ? found : ['text'];
}

/** fast-check knows no lookahead. */
function withoutLookahead(pattern: string): string {
  const start = pattern.search(/\(\?[!=]/);
  if (start < 0) return pattern;
  let [depth, end] = [0, start];
  do {
    if (pattern[end] === '\\') end += 1;
    else if (pattern[end] === '(') depth += 1;
    else if (pattern[end] === ')') depth -= 1;
    end += 1;
  } while (depth > 0);
  return withoutLookahead(pattern.slice(0, start) + pattern.slice(end));
}
