import { readText } from '../../kernel/text-file.ts';

/** Variables whose value may stand in a file: `DATA_KEY_FILE` names the file of `DATA_KEY`. */
export const IN_FILES = [
  'OPERATOR_KEY',
  'PUBLIC_URL',
  'DATA_KEY',
  'ROBOT_MNEMONIC',
  'XRPL_SEED',
  'ENCLAVE_KEY',
  'ENCLAVE_INVITATION',
  'ENCLAVE_TOKEN',
] as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** Replaces each `…_FILE` by the content of its file, without the last line break. `unread`: those whose file cannot be read. */
export function withFiles(env: Environment): { env: Environment; problems: string[]; unread: Set<string> } {
  const values: Record<string, string | undefined> = { ...env };
  const problems: string[] = [];
  const unread = new Set<string>();
  for (const name of IN_FILES) {
    const path = env[`${name}_FILE`];
    if (path === undefined) continue;
    delete values[`${name}_FILE`];
    if (env[name] !== undefined) problems.push(`${name} and ${name}_FILE are both set`);
    else
      try {
        values[name] = readText(path, `${name}_FILE`).trimEnd();
      } catch (error) {
        unread.add(name);
        problems.push((error as Error).message);
      }
  }
  return { env: values, problems, unread };
}
