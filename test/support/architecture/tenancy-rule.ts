import type { Rule } from './rules.ts';

/** The files that decide for whom a read is. All others get the caller, or an identifier that was read for it. */
const DECIDING_FILES: Record<string, RegExp> = {
  asCaller:
    /^(contract\/tenancy|enclave\/http-enclave\/http-enclave|http\/serve|app\/(callers\/callers|parts\/[\w-]+)|sandbox\/delete-final|tenants\/(gate|usage|tenants))\.ts$/,
  scopedRow: /^(contract\/tenancy|(enclave|robot)\/control)\.ts$/,
  unguardedHistoryOf: /^(db\/history|fault-injection\/store)\.ts$/,
};

export const tenancyRule: Rule = sources =>
  sources.flatMap(({ path, code }) => [
    ...Object.entries(DECIDING_FILES)
      .filter(([name, allowed]) => !allowed.test(path) && new RegExp(`\\b${name}\\b`).test(code))
      .map(([name]) => `${path} calls ${name}`),
    ...(path !== 'contract/tenancy.ts' && path !== 'db/history.ts' && /\bas (CallerId|Scoped)\b/.test(code)
      ? [`${path} casts to what a read for a caller returns`]
      : []),
  ]);
