export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(problems: readonly string[]) {
    super(`The configuration is wrong:\n${problems.map(problem => `  - ${problem}`).join('\n')}`);
  }
}
