import { createPublicKey } from 'node:crypto';
import type { JWK } from 'jose';
import { scopeOf } from '../contract/plans.ts';
import { USER_AGENT } from '../kernel/program.ts';
import { maskedUrl } from '../kernel/secrets.ts';
import { limitedText } from '../kernel/text-file.ts';
import { isMissing, nameOf } from '../plans/outcome.ts';
import { skippedLines } from './check/summary.ts';
import { command, Failure, wrongUsage } from './command.ts';
import { isAddress, jsonOf, textOf } from './input.ts';

const verifyReport = command({
  summary: 'checks a certificate of `check`: who signed, for whom, when, over what',
  details:
    'It works offline with the key inside the file. That proves that nothing was changed, but not who signed: for that, name the keys of the issuer.',
  args: [{ name: '<file>', meaning: 'the certificate, report.jws' }],
  options: {
    jwks: { value: '<url or file>', meaning: 'keys of the issuer: <sandbox>/.well-known/jwks.json' },
    key: { value: '<file>', meaning: 'public key of the issuer: a JWK or PEM' },
  },
  exits: { 0: 'the certificate is right', 1: 'it was changed, or another key signed it', 3: 'no answer' },
  examples: [
    'robot-vasp verify-report report.jws',
    'robot-vasp verify-report report.jws --jwks https://sandbox.example/.well-known/jwks.json',
  ],
  async run({ args: [file = ''], values, print }) {
    const jws = textOf(file).trim();
    const keys = await keysOf(values);
    const { verifyCertificate } = await import('../plans/report/certificate.ts');
    const { report, kid } = await verifyCertificate(jws, keys).catch(error => {
      throw new Failure(1, 'NOT-VERIFIED', `${file}: ${(error as Error).message}`);
    });
    const { plan, tool, only, stopped, vasp, startedAt, endedAt, result, counts, clock, chains } = report;
    const skipped = report.modules.filter(isMissing);
    const issuer = keys
      ? `signed by the issuer, key ${kid}`
      : `signed with key ${kid}, which came with the file: nothing was changed, but the issuer is not checked (--jwks, --key)`;
    const counted = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
    const lines = [
      issuer,
      `for ${vasp.name} (${vasp.vaspId})`,
      `from ${startedAt} to ${endedAt}, clock ${clock}`,
      `over plan ${scopeOf(report)} on ${chains.map(({ network }) => network).join(', ')}, ${tool}`,
      `${result}: ${counted.join(', ')}`,
      ...report.plans
        .filter(each => each.result === 'NOT-JUDGED')
        .map(each => `NOT-JUDGED: no condition of ${each.plan} was judged`),
      ...skippedLines(skipped, names => names.join(', ')),
    ];
    const names = skipped.map(nameOf);
    const told = { vasp, plan, tool, only, stopped, startedAt, endedAt, clock, result, counts, skipped: names };
    print(lines.join('\n'), { kid, isIssuerChecked: keys !== undefined, ...told });
    return 0;
  },
});
export const commands = { 'verify-report': verifyReport };

async function keysOf({ jwks, key }: { jwks?: string | undefined; key?: string | undefined }) {
  if (key !== undefined) return [publicKeyIn(textOf(key), key)];
  if (jwks === undefined) return undefined;
  const text = /^https?:/.test(jwks) ? await fetched(jwks) : textOf(jwks);
  const { keys } = (jsonOf(text, jwks) ?? {}) as { keys?: JWK[] };
  if (!Array.isArray(keys)) throw wrongUsage(`--jwks: ${jwks} is no set of keys. Name one key with --key`);
  return keys;
}

function publicKeyIn(text: string, path: string): JWK {
  if (!text.includes('-----BEGIN ')) {
    const jwk = (jsonOf(text, path) ?? {}) as JWK & { keys?: unknown };
    if (jwk.keys !== undefined) throw wrongUsage(`--key: ${path} is a set of keys. Name it with --jwks`);
    if (jwk.kty === undefined) throw wrongUsage(`--key: ${path} is no JWK`);
    return jwk;
  }
  try {
    return createPublicKey(text).export({ format: 'jwk' }) as JWK;
  } catch {
    throw wrongUsage(`--key: ${path} has no public key in its PEM`);
  }
}

/** Of a set of keys. */
const MAX_MIB = 1;

async function fetched(url: string): Promise<string> {
  if (!isAddress(url)) throw wrongUsage(`--jwks: \`${maskedUrl(url)}\` is not an address, or has a user or \`#\``);
  try {
    const answer = await fetch(url, { headers: { 'user-agent': USER_AGENT } });
    return await limitedText(answer, MAX_MIB);
  } catch (error) {
    throw new Failure(3, 'UNREACHABLE', `${url} does not answer (${(error as Error).message})`);
  }
}
