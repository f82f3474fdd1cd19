import type { RunReport } from '../contract/plans.ts';
import type { SigningKey } from '../plans/report/certificate.ts';
import type { Config } from './config/config.ts';
import { besideDatabase } from './storage/beside-database.ts';

/** Signs reports. The library and the key are loaded when the first certificate is wanted. */
export function createCertificates(config: Config) {
  const path = besideDatabase(config, '.report-key.json');
  let loaded: Promise<SigningKey> | undefined;
  const key = () => {
    loaded ??= import('../plans/report/signing-key.ts').then(({ signingKey }) =>
      signingKey(config.reportSigningKey, path),
    );
    return loaded;
  };
  return {
    async certify(report: RunReport): Promise<string> {
      const { certificate } = await import('../plans/report/certificate.ts');
      return certificate(report, await key());
    },
    async jwks(): Promise<object> {
      const { publicPart } = await import('../plans/report/certificate.ts');
      return { keys: [publicPart(await key())] };
    },
  };
}
