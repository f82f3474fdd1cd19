import type { RunReport } from '../contract/plans.ts';
import type { SigningKey } from '../plans/report/certificate.ts';
import type { Config } from './config.ts';

/** Signs reports. The library and the key are loaded when the first certificate is wanted. */
export function createCertificates({ reportSigningKey, databasePath }: Config) {
  const path =
    databasePath === ':memory:' ? undefined : `${databasePath.replace(/\.sqlite$/, '')}.report-key.json`;
  let loaded: Promise<SigningKey> | undefined;
  const key = () => {
    loaded ??= import('../plans/report/signing-key.ts').then(({ signingKey }) =>
      signingKey(reportSigningKey, path),
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
