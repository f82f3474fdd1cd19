const isRiskOperation = (operation: string): boolean => operation.startsWith('assess-');

/** `assetInfo.tradeISODatetime` -> `MISSING-TRADE-ISO-DATETIME`. */
export function missingCode(operation: string, field: string): string {
  // REF-7: the risk operations have a MISSING code for verificationUuid only.
  if (isRiskOperation(operation) && field !== 'verificationUuid') return 'BAD-REQUEST';
  const leaf = field
    .replace(/\[\d+\]/g, '')
    .split('.')
    .at(-1)!;
  if (leaf === 'beneficiaryVaspId') return 'MISSING-VASP';
  const words = leaf.replace(/([a-z0-9])([A-Z])/g, '$1-$2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2');
  return `MISSING-${words.toUpperCase()}`;
}
