/** Changes members of a request by their paths, such as `assetInfo.network` or `originator.originatorPersons[0]`. */

const SHORT: Record<string, string> = {
  originator: 'payload.ivms101.originator',
  beneficiary: 'payload.ivms101.beneficiary',
};
type Container = Record<string, unknown>;

/** `undefined` removes the member. Throws `RangeError` where the path leads nowhere: a mistyped change would test nothing. */
export function changed<R extends object>(request: R, changes: Readonly<Record<string, unknown>> = {}): R {
  const copy = structuredClone(request);
  for (const [path, value] of Object.entries(changes)) change(copy as Container, path, value);
  return copy;
}

function change(request: Container, path: string, value: unknown): void {
  const names = namesOf(path);
  const last = names.pop()!;
  const container = names.reduce<unknown>((part, name) => {
    const inside = isContainer(part) ? part[name] : undefined;
    if (isContainer(inside)) return inside;
    const members = isContainer(part) ? Object.keys(part).join(', ') : 'none';
    throw new RangeError(`with: \`${path}\` leads nowhere. Instead of \`${name}\` there is: ${members}`);
  }, request) as Container;
  if (value === undefined) delete container[last];
  else container[last] = structuredClone(value);
}

function namesOf(path: string): string[] {
  const [first = '', ...others] = path.replace(/\[(\d+)\]/g, '.$1').split('.');
  return [...(SHORT[first] ?? first).split('.'), ...others];
}

const isContainer = (part: unknown): part is Container => typeof part === 'object' && part !== null;
