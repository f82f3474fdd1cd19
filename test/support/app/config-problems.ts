import { expect } from 'vitest';
import { loadConfig } from '../../../src/app/config/config.ts';
import { ConfigError } from '../../../src/kernel/program.ts';

/** The lines of the refusal of this environment, one per problem. */
export function problemsOf(env: Record<string, string | undefined>, role?: Parameters<typeof loadConfig>[1]): string[] {
  try {
    loadConfig(env, role);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    const [head, ...lines] = (error as Error).message.split('\n');
    expect(head).toBe('The configuration is wrong:');
    return lines.map(line => line.replace(/^ {2}- /, ''));
  }
  return [];
}
