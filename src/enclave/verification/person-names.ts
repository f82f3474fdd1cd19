const NAMES = new Set(['primaryIdentifier', 'secondaryIdentifier', 'legalPersonName']);

/** The names in IVMS101 data, wherever they stand. */
export function personNames(data: object): string {
  const names: string[] = [];
  collect(data, names);
  return names.join(' ');
}

function collect(data: object, names: string[]): void {
  for (const [member, inner] of Object.entries(data))
    if (typeof inner === 'object' && inner !== null) collect(inner, names);
    else if (NAMES.has(member) && typeof inner === 'string') names.push(inner);
}
