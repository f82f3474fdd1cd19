import { createInterface } from 'node:readline/promises';
import { maskedUrl } from '../../kernel/secrets.ts';
import { wrongUsage } from '../command.ts';
import { isAddress } from '../input.ts';

/** The settings of a connection, in the order in which `init` asks for them. */
export const QUESTIONS = {
  'verify-user': { variable: 'VEGA_VERIFICATION_API_PATH', question: 'Address at which your VASP verifies a user' },
  'verify-account': {
    variable: 'VEGA_VERIFICATION_ACCOUNT_API_PATH',
    question: 'Address at which your VASP verifies an account',
  },
  'transaction-status': {
    variable: 'VEGA_VERIFICATION_TRANSACTION_API_PATH',
    question: 'Address at which your VASP tells the status of a transaction',
  },
  callback: { variable: 'VEGA_VERIFICATION_CALLBACK_API_PATH', question: 'Address at which your VASP takes callbacks' },
  token: {
    variable: 'VEGA_VERIFICATION_AUTHORIZATION_TOKEN',
    question: 'Token that your VASP expects, empty for none',
  },
} as const;
export type Setting = keyof typeof QUESTIONS;
const SETTINGS = Object.keys(QUESTIONS) as Setting[];
type Values = Readonly<Record<Setting, string | undefined>>;

/** Variable -> value, of the settings that are not empty. Throws a `Failure` that names every wrong address. */
export function variablesOf(values: Values): Record<string, string> {
  const problems = SETTINGS.flatMap(setting => {
    const value = values[setting];
    if (!value || setting === 'token' || isAddress(value)) return [];
    return [
      `--${setting}: \`${maskedUrl(value)}\` is not an address, or has a user or \`#\`. Write for example http://127.0.0.1:3000/${setting}`,
    ];
  });
  if (problems.length > 0) throw wrongUsage(problems.join('\n'));
  return Object.fromEntries(
    SETTINGS.flatMap(setting => {
      const value = values[setting];
      return value ? [[QUESTIONS[setting].variable, value]] : [];
    }),
  );
}

/** The settings of an environment, under their variables. */
export const settingsOf = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.values(QUESTIONS).flatMap(({ variable }) => (env[variable] ? [[variable, env[variable]]] : [])),
  );

/** Asks in the terminal for what no option gives. An address is asked again until it is one, or empty. */
export async function ask(values: Values): Promise<Values> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answers: Record<Setting, string | undefined> = { ...values };
  try {
    for (const setting of SETTINGS) {
      if (values[setting] !== undefined) continue;
      const { question } = QUESTIONS[setting];
      let answer = await terminal.question(`${question}: `);
      while (setting !== 'token' && answer !== '' && !isAddress(answer))
        answer = await terminal.question(`This is not an address such as http://127.0.0.1:3000/${setting}: `);
      answers[setting] = answer.trim();
    }
    return answers;
  } finally {
    terminal.close();
  }
}

export async function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y/i.test(await terminal.question(`${question} (y/n) `));
  } finally {
    terminal.close();
  }
}
